import { widget } from "../shared/adapter.js";
import { heedWrong } from "../shared/wrong.js";
import { createComparison } from "./view.js";

export default widget("comparison", createComparison, heedWrong);
