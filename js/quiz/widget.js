import { widget } from "../shared/adapter.js";
import { createQuiz } from "./view.js";

export default widget("quiz", createQuiz);
