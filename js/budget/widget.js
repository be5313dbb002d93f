import { askIn, createForm } from "../form/form.js";
import { heedWrong } from "../shared/wrong.js";
import { open } from "./open.js";

export default open({ form: { askIn, createForm }, heed: heedWrong });
