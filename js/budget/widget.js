import { askIn, createForm } from "../form/form.js";
import { heedWrong } from "../shared/wrong.js";
import { createFinder } from "./find.js";
import { open } from "./open.js";

export default open({ form: { askIn, createForm, createFinder }, heed: heedWrong });
