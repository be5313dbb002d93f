import { attempt, follow, show } from "../shared/adapter.js";
import { createTracker } from "./view.js";

/** @import { Host, Model } from "../shared/types.js" */
/** @import { Lent } from "./view.js" */

const CHILDREN = /** @type {const} */ (["ladder", "budget", "log"]);

export default {
  /** @param {{model: Model}} place */
  initialize({ model }) {
    follow(model);
  },

  /** @param {{model: Model, el: HTMLElement, signal: AbortSignal, host: Host}} place */
  render({ model, el, signal, host }) {
    /** Which child stands where, and what ends it. @type {Map<string, {ref: string, end: AbortController}>} */
    const shown = new Map();
    /** @type {(lent: Lent) => void} */
    let lend;
    /** @type {Promise<Lent>} */
    const lent = new Promise((resolve) => (lend = resolve));

    /**
     * Renders the children into their places, each for itself: one that fails says so and leaves the others.
     *
     * @param {Record<string, HTMLElement>} places
     */
    const compose = (places) => {
      for (const name of CHILDREN) {
        const ref = model.get(name);
        const place = places[name];
        if (!place || !ref || shown.get(name)?.ref === ref) continue;
        shown.get(name)?.end.abort();
        const end = new AbortController();
        shown.set(name, { ref, end });
        attempt(place, async () => {
          const child = await host.getWidget(ref);
          if (child.exports?.ask) lend(child.exports);
          await child.render({ el: place, signal: AbortSignal.any([signal, end.signal]) });
        });
      }
    };
    show({ model, el, signal }, (root, port) => createTracker(root, port, { signal, compose, lent }));
  },
};
