import { follow, show } from "../shared/adapter.js";
import { bring } from "../shared/bring.js";
import { createLadder } from "./view.js";

/** @import { Model } from "../shared/port.js" */

export default {
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
    show({ model, el, signal }, (root, port, part) => createLadder(root, port, { part, signal, bring: (name) => bring(model, name, { el, signal }) }));
  },
};
