import { nothing } from "lit-html";

import { minus } from "./amount.js";
import { html } from "./tongue.js";

/** So much of the most, between none and all. @param {number | null | undefined} now @param {number | null | undefined} full */
const share = (now, full) => (full ? Math.max(0, Math.min(1, (now ?? 0) / full)) : 0);

/**
 * What somebody has left, as a number over its bar; beside each other if there are several. Striped is what has just gone,
 * or what would go.
 *
 * @param {(number | null | undefined)[][]} bars each: what is left, the most it can be, what it would come to
 * @param {number} [gone] what the last call took of the first
 * @param {number} [temporary] what damage takes before the first
 */
export const vital = (bars, gone, temporary) => {
  const more = temporary ? `+${temporary}` : "";
  const bar = (/** @type {(number | null | undefined)[]} */ [now, full, then], /** @type {number} */ lost) => {
    const going = then != null || lost > 0;
    return html`<span class="ck-bar ${going ? "is-going" : ""}" .style="--v:${share((now ?? 0) + lost, full)};--w:${share(then ?? now, full)}"></span>`;
  };
  if (bars.length > 1) return bars.map((each, at) => html`<i><b aria-hidden="true">${minus(each[0])}${at || !more ? nothing : html`<small>${more}</small>`}</b>${bar(each, 0)}</i>`);
  return bars.map((each) => {
    const [now, full, then] = each;
    return html`<span aria-hidden="true">${gone && then == null ? html`<em>${minus(-gone)}</em>` : nothing}${
      then == null ? html`<b>${minus(now)}</b>${more}${full == null ? nothing : `/${full}`}` : html`${minus(now)}${more}\u00a0→\u00a0<b>${minus(then)}</b>`
    }</span>${bar(each, then == null ? (gone ?? 0) : 0)}`;
  });
};
