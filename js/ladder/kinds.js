/** Those of one kind, told by their names: many of them fold into one rung where the ladder is long. */

import { isGone } from "../shared/marks.js";

/** @import { LadderData, Row } from "../shared/types.js" */

/** So many rungs fit on a stage. */
const FITS = 10;
/** So many of one kind are many. */
const MANY = 4;
/** What somebody is who has nothing to say now. */
const PLAIN = ["waits", "acted", "out"];

/**
 * @typedef {object} Kind
 * @property {string} key
 * @property {string} name what they share
 * @property {string[]} ids all of them, in the order of the ladder
 * @property {string[]} folded those who have no rung of their own while they are folded
 */

/** How many they are: somebody may have several rungs. @param {LadderData["rows"]} rows @param {string[]} ids */
export const people = (rows, ids) => new Set(ids.map((id) => rows[id]?.name)).size;

/** @param {string} name */
const shared = (name) => /^(.*\S) \d+$/u.exec(name)?.[1];

/**
 * The kinds of a ladder that is too long, by their key.
 *
 * @param {LadderData} view
 * @param {(id: string, row: Row) => boolean} stands whether somebody has something to say, and keeps a rung of their own
 * @returns {Map<string, Kind>}
 */
export function kindsOf({ order, rows, past }, stands) {
  /** @type {Map<string, Kind>} */
  const kinds = new Map();
  if (past || order.length <= FITS) return kinds;
  for (const id of order) {
    const row = rows[id];
    const name = row && shared(row.name);
    if (!name) continue;
    const key = `${row.side} ${name}`;
    const kind = kinds.get(key) ?? { key, name, ids: [], folded: [] };
    kind.ids.push(id);
    if (PLAIN.includes(row.status) && !row.acts && !row.lost && !stands(id, row)) kind.folded.push(id);
    kinds.set(key, kind);
  }
  for (const [key, { ids, folded }] of kinds) if (people(rows, ids) < MANY || folded.length < 2) kinds.delete(key);
  return kinds;
}

/**
 * What stands on the ladder, from its top: those on a rung of their own, and each kind before the first of it.
 *
 * @param {string[]} order
 * @param {Iterable<Kind>} kinds
 * @param {(key: string) => boolean} isOpen
 * @returns {(string | Kind)[]}
 */
export function folded(order, kinds, isOpen) {
  /** @type {Map<string, Kind>} */
  const heads = new Map();
  /** @type {Set<string>} */
  const hidden = new Set();
  for (const kind of kinds) {
    const open = isOpen(kind.key);
    heads.set(/** @type {string} */ (open ? kind.ids[0] : kind.folded[0]), kind);
    for (const id of open ? [] : kind.folded) hidden.add(id);
  }
  return order.flatMap((id) => [heads.get(id) ?? [], hidden.has(id) ? [] : id].flat());
}

/**
 * What a rung says of those who are folded.
 *
 * @param {LadderData["rows"]} rows
 * @param {string[]} ids
 */
export function summed(rows, ids) {
  const all = ids.map((id) => /** @type {Row} */ (rows[id]));
  const count = (/** @type {string} */ status) => all.filter((row) => row.status === status).length;
  const [first, last] = [all[0]?.score ?? "", all.at(-1)?.score ?? ""];
  const out = all.filter(isGone).length;
  const words = [`${count("acted")} acted`, `${out} down`].filter((each) => !each.startsWith("0"));
  const next = all.find(({ status }) => status === "waits")?.score;
  if (next && next !== first) words.unshift(`next at ${next}`);
  return { score: first, scores: first === last ? first : `${first} to ${last}`, words: words.join(" · ") };
}
