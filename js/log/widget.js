import { widget } from "../shared/adapter.js";
import { createLog } from "./view.js";

export default widget("log", createLog);
