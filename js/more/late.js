export { createMore as create } from "./more.js";
export { use } from "../shared/kit.js";
