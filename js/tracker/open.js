import { attempt, follow, show } from "../shared/adapter.js";
import { createTracker } from "./view.js";

/** @import { createMoment } from "../more/moment.js" */
/** @import { createMore } from "../more/more.js" */
/** @import { createSetup } from "../setup/setup.js" */
/** @import { Host, Model } from "../shared/port.js" */
/** @import { heedWrong } from "../shared/wrong.js" */
/** @import { Lent } from "./view.js" */

/**
 * @param {{setup?: typeof createSetup, more?: typeof createMore, moment?: typeof createMoment, after?: typeof import("./after.js").after, heed?: typeof heedWrong}} brought
 *   how a fight is set up, More, what is made of a past moment, what follows the end, and what heeds a field filled in wrong; a page to look through has none
 */
export const open = ({ setup, more, moment, after, heed }) => ({
  /** @param {{model: Model}} place */
  initialize({ model }) {
    follow(model);
  },

  /** @param {{model: Model, el: HTMLElement, signal: AbortSignal, host: Host}} place */
  render({ model, el, signal, host }) {
    /** Which child stands where, and what ends it. @type {Map<string, {ref: string, place: HTMLElement, end: AbortController}>} */
    const shown = new Map();
    /** What gives a child its messages. @type {Map<string, (message: any) => void>} */
    const hand = new Map();
    // Each view hands on the same: a child takes what it does not have yet.
    const handOn = () => {
      for (const [name, message] of Object.entries(model.get("parts") ?? {})) hand.get(name)?.(message);
    };
    model.on("change:parts", handOn);
    /** Where the children stand. @type {Record<string, HTMLElement>} */
    let last = {};
    /** @type {(lent: Lent) => void} */
    let lend;
    /** @type {Promise<Lent>} */
    const lent = new Promise((resolve) => (lend = resolve));

    /**
     * Renders the children into their places, each for itself: one that fails says so and leaves the others. In another
     * language all is made anew, and so are the places.
     *
     * @param {Record<string, HTMLElement>} places
     */
    const compose = (places) => {
      last = places;
      for (const [name, place] of Object.entries(places)) {
        const ref = model.get(name);
        const old = shown.get(name);
        if (!ref || (old?.ref === ref && old?.place === place)) continue;
        old?.end.abort();
        const end = new AbortController();
        shown.set(name, { ref, place, end });
        attempt(place, async () => {
          const child = await host.getWidget(ref);
          if (end.signal.aborted) return;
          if (child.exports?.ask) lend(child.exports);
          hand.set(name, child.exports?.take);
          handOn();
          await child.render({ el: place, signal: AbortSignal.any([signal, end.signal]) });
        });
      }
    };
    // Nothing else need have changed where a map is laid out.
    model.on("change:map", () => compose(last));
    /** Set and never saved: whether letters are shortcuts is a matter of this browser. @param {string} name */
    const kept = (name) => ({ on: () => model.get(name) ?? true, turn: (/** @type {boolean} */ on) => model.set(name, on) });
    show("tracker", { model, el, signal, heed }, (root, port) =>
      createTracker(root, port, { signal, compose, lent, keys: kept("letters"), folds: kept("folds"), late: { setup, more, moment, after } }),
    );
  },
});
