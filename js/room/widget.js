import { widget } from "../shared/adapter.js";
import { heedWrong } from "../shared/wrong.js";
import { createRoom } from "./view.js";

export default widget("room", createRoom, heedWrong);
