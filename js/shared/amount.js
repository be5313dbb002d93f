import { html } from "./tongue.js";

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
