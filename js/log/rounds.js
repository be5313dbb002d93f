/** Pure helpers of the log: which lines stand under which heading. */

/** @import { Head, Line } from "../shared/types.js" */

/** How many earlier lines are asked for at once. */
export const PAGE = 200;

/** @typedef {{key: number, head: Head | undefined, lines: Line[]}} Round */

/**
 * Lines by the heading they stand under, oldest first.
 *
 * @param {Record<string, Line>} lines
 * @param {Record<string, Head>} heads
 * @returns {Round[]}
 */
export function byRound(lines, heads) {
  /** @type {Round[]} */
  const rounds = [];
  // Keys that are whole numbers come in rising order.
  const numbers = Object.keys(heads).map(Number);
  let next = 0;
  for (const line of Object.values(lines)) {
    let round = rounds.at(-1);
    let key;
    while (next < numbers.length && /** @type {number} */ (numbers[next]) <= line.seq) key = numbers[next++];
    if (key !== undefined || !round) {
      round = { key: key ?? 0, head: key === undefined ? undefined : heads[key], lines: [] };
      rounds.push(round);
    }
    round.lines.push(line);
  }
  return rounds;
}

/**
 * The lines to ask for next, if any are older than those at hand.
 *
 * @param {Record<string, Line>} lines
 * @param {number} first
 * @returns {{from: number, to: number} | undefined}
 */
export function earlier(lines, first) {
  const oldest = Number(Object.keys(lines)[0]);
  return oldest > first ? { from: Math.max(first, oldest - PAGE), to: oldest - 1 } : undefined;
}

/**
 * What a new state no longer holds but an open log still shows: once earlier lines are in sight, none may fall out
 * between them and the newest.
 *
 * @template T
 * @param {Record<string, T>} kept
 * @param {Record<string, T>} before
 * @param {Record<string, T>} next
 * @returns {Record<string, T>}
 */
export function keep(kept, before, next) {
  const gone = Object.entries(before).filter(([key]) => !(key in next));
  return gone.length ? { ...kept, ...Object.fromEntries(gone) } : kept;
}
