import { follow, show } from "../shared/adapter.js";
import { createLadder } from "./view.js";

/** @import { create } from "../sheet/sheet.js" */
/** @import { Model } from "../shared/port.js" */
/** @import { heedWrong } from "../shared/wrong.js" */

/**
 * @param {{sheet?: typeof create, heed?: typeof heedWrong}} brought what the GM does on rungs, and what heeds a field filled in wrong; a page
 *   to look through has none
 */
export const open = ({ sheet, heed }) => ({
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
    show("ladder", { model, el, signal, heed }, (root, port, part) => createLadder(root, port, { part, signal, sheet, unfolded }));
  },
});
