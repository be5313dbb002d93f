import { create } from "../sheet/sheet.js";
import { heedWrong } from "../shared/wrong.js";
import { open } from "./open.js";

export default open({ sheet: create, heed: heedWrong });
