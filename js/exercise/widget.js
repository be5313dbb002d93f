import { widget } from "../shared/adapter.js";
import { createExercise } from "./view.js";

export default widget("exercise", createExercise);
