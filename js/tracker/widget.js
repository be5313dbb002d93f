import { createMoment } from "../more/moment.js";
import { createMore } from "../more/more.js";
import { createSetup } from "../setup/setup.js";
import { heedWrong } from "../shared/wrong.js";
import { after } from "./after.js";
import { open } from "./open.js";

export default open({ setup: createSetup, more: createMore, moment: createMoment, after, heed: heedWrong });
