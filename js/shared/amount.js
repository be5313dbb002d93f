import { html, nothing } from "lit-html";

/**
 * A count as pips: what is left, then what was spent off turn, then what is spent.
 *
 * @param {number} total
 * @param {number} left
 * @param {number} off
 * @param {boolean} small
 */
export const pips = (total, left, off, small) =>
  html`<span class="ck-pips ${small ? "sm" : ""}">${Array.from({ length: total }, (_, index) => {
    const state = index < left ? "" : index < left + off ? "is-off" : "is-spent";
    return html`<span class="ck-pip ${state}"></span>`;
  })}</span>`;

/**
 * The vitals of a rung, each what is left and the most it can be, as far as they are kept.
 *
 * @param {import("./types.js").Row} row
 * @returns {(number | null)[][]}
 */
export const vitalsOf = ({ vital, more }) => (vital || more ? [vital ?? [], ...(more ?? [])] : []);

/**
 * A number as people write it, if it is known.
 *
 * @param {number | null | undefined} number
 */
export const minus = (number) => `${number ?? "–"}`.replace("-", "−");

/** @param {number | null | undefined} now @param {number | null | undefined} full */
const share = (now, full) => (full ? Math.max(0, Math.min(1, (now ?? 0) / full)) : 0);

/**
 * The vitals of a rung: numbers over their bars. What is `going` (left, the most, what would be left) is what damage would
 * come to; else what the last call took is still to be seen.
 *
 * @param {import("./types.js").Row} row
 * @param {(number | null)[]} [going]
 * @returns {{drawn: unknown, kind: string, said: string}}
 */
export const vitals = (row, going) => {
  const kept = vitalsOf(row);
  const [now, full, then] = going ?? kept[0] ?? [];
  if (kept.length > 1 && !going) {
    const drawn = kept.map(([left, most]) => html`<i><b>${minus(left)}</b><span class="ck-bar" style="--v:${share(left, most)}"></span></i>`);
    return { drawn, kind: "is-three", said: kept.map(([left, most]) => `${minus(left)} of ${minus(most)}`).join(", ") };
  }
  if (!kept.length) return { drawn: nothing, kind: "", said: "" };
  const { lost } = row;
  const before = then != null ? now : lost ? (now ?? 0) + lost : undefined;
  const after = then ?? now;
  const drawn = html`<span>${lost && then == null ? html`<em>${minus(-lost)}</em>` : nothing}${
    then != null ? html`${minus(now)} → <b>${minus(then)}</b>` : html`<b>${minus(now)}</b>${full == null ? nothing : `/${full}`}`
  }</span><span class="ck-bar ${before != null ? "is-going" : ""}" style="--v:${share(before ?? now, full)};--w:${share(after, full)}"></span>`;
  return { drawn, kind: "", said: `${minus(now)}${full == null ? "" : ` of ${full}`}${then == null ? "" : `, then ${minus(then)}`}` };
};
