import { widget } from "../shared/adapter.js";
import { createRules } from "./view.js";

export default widget("rules", createRules);
