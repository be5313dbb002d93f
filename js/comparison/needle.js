/** Where the needle stands, and what each lane shows there: lookups only, every number is Python's. */

/** @import { ComparisonData, Lane, Moment } from "../shared/types.js" */

/**
 * The last turn of a lane that has begun when the needle passes it.
 *
 * @param {Lane} lane
 * @param {number} at
 * @returns {Moment | undefined}
 */
export const momentAt = ({ moments }, at) => moments.filter(({ t }) => t <= at).at(-1);

/**
 * The next beginning of a round in any lane, or the last one before; the end of the clock beyond them.
 *
 * @param {ComparisonData} view
 * @param {number} at
 * @param {number} way
 */
export function roundFrom({ lanes, span }, at, way) {
  const starts = Object.values(lanes).flatMap(({ rounds }) => rounds);
  return way > 0 ? Math.min(span, ...starts.filter((t) => t > at)) : Math.max(0, ...starts.filter((t) => t < at));
}

/**
 * Where the needle rests: at the end of the clock once every lane has ended, else at the newest that any lane shows.
 *
 * @param {ComparisonData} view
 */
export const rest = ({ lanes, span }) => {
  const all = Object.values(lanes);
  if (all.every(({ ends }) => ends != null)) return span;
  return Math.min(span, Math.ceil(Math.max(0, ...all.map(({ moments }) => moments.at(-1)?.t ?? 0))));
};

/**
 * A moment of the clock as minutes and seconds.
 *
 * @param {number} seconds
 */
export const timeText = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
