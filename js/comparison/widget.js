import { widget } from "../shared/adapter.js";
import { createComparison } from "./view.js";

export default widget("comparison", createComparison);
