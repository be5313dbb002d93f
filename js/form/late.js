export { askIn, createForm } from "./form.js";
export { use } from "../shared/kit.js";
