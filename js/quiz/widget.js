import { follow, show } from "../shared/adapter.js";
import { createQuiz } from "./view.js";

/** @import { Model } from "../shared/port.js" */

export default {
  /** @param {{model: Model}} place */
  initialize({ model }) {
    follow(model);
  },

  /** @param {{model: Model, el: HTMLElement, signal: AbortSignal}} place */
  render({ model, el, signal }) {
    show({ model, el, signal }, (root, port) => createQuiz(root, port, { signal }));
  },
};
