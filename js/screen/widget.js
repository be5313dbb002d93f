/** A table's screen: who acts when and what the last calls came to, to be read from across the room. */
import { follow } from "../shared/adapter.js";
import { createScreen } from "./view.js";

/** @import { Model } from "../shared/port.js" */

const PARTS = /** @type {const} */ (["tracker", "ladder", "log", "map"]);

export default {
  /** @param {{models: Record<string, Model>, el: HTMLElement}} place */
  render({ models, el }) {
    const shown = PARTS.map((part) => /** @type {Model} */ (models[part]));
    const update = createScreen(el);
    const draw = () => {
      const [tracker, ladder, log, map] = shown.map((model) => model.get("view"));
      update({ tracker, ladder, log, map });
    };
    for (const model of shown) {
      follow(model);
      model.on("change:view", draw);
    }
    draw();
  },
};
