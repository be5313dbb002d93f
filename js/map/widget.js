import { follow, show } from "../shared/adapter.js";
import { createMap } from "./view.js";

/** @import { Model } from "../shared/port.js" */

export default {
  /** @param {{model: Model}} place */
  initialize: ({ model }) => follow(model),

  /** @param {{model: Model, el: HTMLElement, signal: AbortSignal}} place */
  render({ model, el, signal }) {
    // Set and never saved: whether a tracker shows the map is a matter of this browser.
    const pane = { on: () => model.get("pane") ?? true, turn: (/** @type {boolean} */ on) => model.set("pane", on) };
    show("map", { model, el, signal }, (root, port, part) => createMap(root, port, { part, signal, pane }));
  },
};
