import { askIn, createForm } from "../form/form.js";
import { open } from "./open.js";

export default open({ form: { askIn, createForm } });
