/** The models behind a seat's widgets, kept by what comes over its connection. */
import { createModel } from "../shared/model.js";

/** @typedef {"tracker" | "ladder" | "budget" | "log" | "map"} Part */

const PARTS = /** @type {Part[]} */ (["tracker", "ladder", "budget", "log", "map"]);

/** @typedef {{views: Record<Part, object>, moment?: number}} Whole */

/**
 * @param {Whole} whole
 * @param {(content: {kind: string, id?: number}) => boolean} send
 * @param {(moment?: number) => void} [at] called with the moment that is shown, first and whenever it may be another
 */
export function createModels({ views, moment }, send, at) {
  /** All views are asked for once, however many widgets miss something. */
  let isAsking = false;

  /** @param {Part} part */
  const modelOf = (part) => {
    const refs = part === "tracker" ? { ladder: "ladder", budget: "budget", log: "log", map: "map" } : {};
    const model = createModel({ view: views[part], moment, ...refs }, (content) => {
      const { kind, id } = content;
      if (kind === "full") {
        if (!isAsking) isAsking = send({ kind });
      } else if (kind !== "alone" && !send({ moment, ...content })) {
        // Not before whoever sends it has done so: a form that is closed by that opens again. The page says why.
        setTimeout(() => model.hear({ kind: "refused", reason: "", rule: "", id }));
      }
    });
    return model;
  };
  const models = /** @type {Record<Part, ReturnType<typeof createModel>>} */ (
    Object.fromEntries(PARTS.map((part) => [part, modelOf(part)]))
  );

  /** What is done names the moment it is meant for: the turn or window that was shown as it was tapped. @param {number} [next] */
  const turn = (next) => {
    moment = next;
    for (const part of PARTS) models[part].set("moment", moment);
    at?.(moment);
  };

  /** @param {Whole} next */
  const show = (next) => {
    isAsking = false;
    turn(next.moment);
    for (const part of PARTS) models[part].set("view", next.views[part]);
  };

  at?.(moment);

  return {
    models,
    show,
    /** Takes a message: all views, what has changed in them, or an answer, which finds who asked by its number. @param {any} message */
    hear: (message) => {
      if (message.kind === "full") show(message);
      else if (message.kind === "delta") {
        const { parts, moment: now, ...own } = message;
        turn(now);
        for (const [part, delta] of Object.entries({ ...parts, tracker: own })) models[/** @type {Part} */ (part)].hear(delta);
      } else for (const part of PARTS) models[part].hear(message);
    },
  };
}
