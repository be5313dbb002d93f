import { create } from "../sheet/sheet.js";
import { open } from "./open.js";

export default open({ sheet: create });
