/** Pure helpers of the ladder: places in the order, without a document. */

/** @import { Delay, LadderData } from "../shared/types.js" */

/**
 * The rung that holds the ladder's one tab stop: where it was, else the one whose turn it is, else the first.
 *
 * @param {string[]} order
 * @param {string | undefined} last
 * @param {string | null | undefined} current
 */
export const tabStop = (order, last, current) =>
  [last, current].find((id) => id != null && order.includes(id)) ?? order[0];

/**
 * The rung behind which something dropped at a height would stand.
 *
 * @param {number[]} middles heights of the rungs' middles, top first
 * @param {number} height
 */
export function rungAbove(middles, height) {
  const next = middles.findIndex((middle) => middle > height);
  return next === -1 ? middles.length - 1 : next - 1;
}

/**
 * The place that Python offers behind a rung, if it does.
 *
 * @param {Delay | null | undefined} delay
 * @param {string | undefined} id
 */
export const placeBehind = (delay, id) => delay?.places.find(([rung]) => rung === id);

/**
 * The words for a place.
 *
 * @param {LadderData} view
 * @param {[string, number | null]} place
 */
export const placeText = (view, [id, count]) =>
  `behind ${view.rows[id]?.name ?? id}${count == null ? "" : `, at ${count}`}`;
