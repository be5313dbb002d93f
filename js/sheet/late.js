export { create } from "./sheet.js";
export { use } from "../shared/kit.js";
