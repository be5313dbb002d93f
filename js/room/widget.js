import { widget } from "../shared/adapter.js";
import { createRoom } from "./view.js";

export default widget("room", createRoom);
