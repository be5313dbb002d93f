import { widget } from "../shared/adapter.js";
import { createMap } from "./view.js";

export default widget("map", createMap);
