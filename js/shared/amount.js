import { html } from "lit-html";

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
 * A quantity that is no budget.
 *
 * @param {number} now
 * @param {number} full
 */
export const bar = (now, full) =>
  html`<span class="ck-bar" style="--v:${full > 0 ? Math.min(1, Math.max(0, now / full)).toFixed(2) : 0}"></span>`;
