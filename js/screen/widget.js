/** A table's screen: who acts when and what the last calls came to, to be read from across the room. */
import { createPicture } from "../map/picture.js";
import { connect, follow } from "../shared/adapter.js";
import { createScreen } from "./view.js";

/** @import { Model } from "../shared/port.js" */

const PARTS = /** @type {const} */ (["tracker", "ladder", "log", "map"]);

export default {
  /** @param {{models: Record<string, Model>, el: HTMLElement, signal: AbortSignal}} place */
  render({ models, el, signal }) {
    const shown = PARTS.map((part) => /** @type {Model} */ (models[part]));
    const update = createScreen(el);
    const hrefOf = createPicture(connect(/** @type {Model} */ (models.map)).ask, signal, () => draw());
    const draw = () => {
      const [tracker, ladder, log, map] = shown.map((model) => model.get("view"));
      update({ tracker, ladder, log, map, href: hrefOf(map?.picture) });
    };
    for (const model of shown) {
      follow(model);
      model.on("change:view", draw);
    }
    draw();
  },
};
