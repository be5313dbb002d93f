import { follow, show } from "../shared/adapter.js";
import { createLadder } from "./view.js";

/** @import { create } from "../sheet/sheet.js" */
/** @import { Model } from "../shared/port.js" */

/**
 * @param {{sheet?: typeof create}} brought what the GM does on rungs; a page to look through has none
 */
export const open = ({ sheet }) => ({
  /**
   * The widget this one stands in gives it the messages that came with its own.
   *
   * @param {{model: Model}} place
   */
  initialize({ model }) {
    return follow(model);
  },

  /** @param {{model: Model, el: HTMLElement, signal: AbortSignal}} place */
  render({ model, el, signal }) {
    // Set and never saved: which kinds are open is a matter of this browser.
    const unfolded = model.get("unfolded") ?? new Set();
    model.set("unfolded", unfolded);
    show("ladder", { model, el, signal }, (root, port, part) => createLadder(root, port, { part, signal, sheet, unfolded }));
  },
});
