export { createSetup as create } from "./setup.js";
export { use } from "../shared/kit.js";
