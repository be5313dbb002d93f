export { createSetup as create } from "./setup.js";
export { createShelf } from "./shelf.js";
export { use } from "../shared/kit.js";
