/** A saved fight: what was kept of it, and what was to be seen at any of its events. */
import { PAGE } from "../log/rounds.js";
import { applyDelta } from "../shared/delta.js";

/** @import { Entry } from "../shared/delta.js" */
/** @import { End, Head, Line } from "../shared/types.js" */

/** @typedef {"tracker" | "ladder" | "budget" | "log" | "map"} Part */
/** @typedef {Record<Part, any>} Views */

/**
 * As `combatkit/export.py` writes it: the views at the first event, and what each event after it changed in them.
 *
 * @typedef {object} Saved
 * @property {Views} views
 * @property {Partial<Record<Part, Entry[]>>[]} steps
 * @property {Record<string, Line>} lines
 * @property {Record<string, Head>} heads
 * @property {number[]} rounds the events by which rounds begin
 * @property {Record<string, {text: string, locator: string, disputed: boolean}>} rules
 * @property {number} opens the event that is shown first
 * @property {Record<string, {type: string, data: string}>} [pictures] the answers with what lies below the map, by id
 * @property {End} [card] how it ended
 */

/** How many of the log's newest lines are shown at once; older ones are asked for. */
const KEPT = 60;
/** How many events lie between kept views: going back costs at most as many steps. */
const MARK = 64;

/** @param {Saved} saved */
export function createRecord({ views: first, steps, lines, heads, rounds }) {
  const seqs = Object.keys(lines).map(Number);
  const events = steps.length + 1;
  const fresh = /** @type {Views} */ (Object.fromEntries(Object.entries(first).map(([part, view]) => [part, { revision: 0, ...view }])));
  fresh.log = { ...fresh.log, ...cut(seqs.slice(-KEPT)), events, replay: true };
  /** The views after some events, by number; the last are where one stands. @type {Map<number, Views>} */
  const marks = new Map([[1, fresh]]);
  let last = { seq: 1, views: fresh };

  /** @param {number[]} chosen @returns {{lines: Record<string, Line>, heads: Record<string, Head>}} */
  function cut(chosen) {
    const [from = 0] = chosen;
    const upTo = Object.entries(heads).filter(([head]) => Number(head) <= (chosen.at(-1) ?? 0));
    // The first line may stand under a heading before it.
    const above = upTo.filter(([head]) => Number(head) <= from).length - 1;
    const shown = chosen.map((seq) => [seq, /** @type {Line} */ (lines[seq])]);
    return { lines: Object.fromEntries(shown), heads: Object.fromEntries(upTo.slice(Math.max(0, above))) };
  }

  /** @param {number} seq */
  const viewsAt = (seq) => {
    let mark = seq - ((seq - 1) % MARK);
    while (!marks.has(mark)) mark -= MARK;
    if (last.seq > seq || last.seq < mark) last = { seq: mark, views: /** @type {Views} */ (marks.get(mark)) };
    while (last.seq < seq) {
      const step = steps[last.seq - 1] ?? {};
      const views = { ...last.views };
      for (const [part, set] of /** @type {[Part, Entry[]][]} */ (Object.entries(step))) {
        const { revision } = views[part];
        views[part] = applyDelta(views[part], { base: revision, revision: revision + 1, set });
      }
      last = { seq: last.seq + 1, views };
      if (last.seq % MARK === 1) marks.set(last.seq, views);
    }
    return { ...last.views, log: { ...last.views.log, at: seq < events ? seq : null } };
  };

  return {
    events,
    viewsAt,
    /** @param {number} from @param {number} to */
    linesOf: (from, to) => cut(seqs.filter((seq) => seq >= from && seq <= to).slice(-PAGE)),
    /** The event so many rounds on from another, or back. @param {number} seq @param {number} by */
    roundFrom: (seq, by) => (by > 0 ? (rounds.find((each) => each > seq) ?? events) : (rounds.filter((each) => each < seq).at(-1) ?? 1)),
  };
}
