import { nothing, svg } from "lit-html";

import { html } from "./tongue.js";

/**
 * The icons, drawn inline: a symbol shared by id would clash with that of another widget on the page.
 *
 * @type {Record<string, import("lit-html").SVGTemplateResult>}
 */
const PATHS = {
  now: svg`<path fill="currentColor" stroke="none" d="M2 1l8 5-8 5z"/>`,
  check: svg`<path d="M2 6.5l2.5 3L10 3"/>`,
  wait: svg`<circle cx="6" cy="6" r="3"/>`,
  down: svg`<path d="M6 1v9M2.5 7L6 10.5 9.5 7"/>`,
  ready: svg`<circle cx="6" cy="6" r="4.5"/><circle cx="6" cy="6" r="1.2" fill="currentColor" stroke="none"/>`,
  bang: svg`<circle cx="6" cy="6" r="5"/><path d="M6 3.2v3.2M6 8.7v.1"/>`,
  pause: svg`<path d="M4 2v8M8 2v8" stroke-width="2"/>`,
  slash: svg`<circle cx="6" cy="6" r="4.5"/><path d="M3 9l6-6"/>`,
  cross: svg`<path d="M2.5 2.5l7 7M9.5 2.5l-7 7"/>`,
  target: svg`<circle cx="6" cy="6" r="4"/><path d="M6 .5v3M6 8.5v3M.5 6h3M8.5 6h3"/>`,
  chevron: svg`<path d="M4.5 2.5L8 6 4.5 9.5"/>`,
  fold: svg`<path d="M2.5 4.5L6 8l3.5-3.5"/>`,
  undo: svg`<path d="M4 1.5L1.5 4 4 6.5M1.5 4H7a3.2 3.2 0 010 6.5H4"/>`,
  redo: svg`<path d="M8 1.5L10.5 4 8 6.5M10.5 4H5a3.2 3.2 0 000 6.5h3"/>`,
  file: svg`<path d="M2.5 1h4.5l2.5 2.5V11h-7zM7 1v2.5h2.5"/>`,
  back: svg`<circle cx="6" cy="6" r="5"/><path d="M6 3v3.2L4 8"/>`,
  plug: svg`<path d="M2 10l2-2M8 4l2-2M4.5 4.5l3 3M3.5 5.5l3 3a2 2 0 002-2l-3-3a2 2 0 00-2 2z"/>`,
};

/** @param {string} name @param {string} [kind] */
export const icon = (name, kind = "") => html`<svg class="ck-i ${kind}" viewBox="0 0 12 12" aria-hidden="true">${PATHS[name]}</svg>`;

/** The icon of a status; whoever has no other waits. @type {Record<string, string>} */
const STATUS_ICONS = {
  now: "now",
  acted: "check",
  delayed: "down",
  readied: "ready",
  surprised: "bang",
  paused: "pause",
  reacts: "bang",
  out: "cross",
};

/** Whether somebody is out of the fight, and not for a while only. @param {import("./types.js").Row} row */
export const isGone = ({ status, idle }) => status === "out" && !idle;

/** The mark of how somebody is. @param {import("./types.js").Row} row */
export const markOf = (row) => icon(row.idle ? "pause" : (row.mark ?? STATUS_ICONS[row.status] ?? "wait"));

/** @param {number} mark */
const classOf = (mark) => `ck-${"abcd"[mark % 4]} ${mark > 3 ? "is-hollow" : ""}`;

/**
 * The mark of a side: its shape and hue, in order of joining; the second four are hollow.
 *
 * @param {number | null | undefined} mark
 */
export const side = (mark) => (mark == null ? nothing : html`<span class="ck-side ${classOf(mark)}" aria-hidden="true"></span>`);

/** A side's shape around a token, and where its text stands. @type {[string, number][]} */
const SHAPES = [
  ["M14 .9a13.1 13.1 0 110 26.2 13.1 13.1 0 010-26.2z", 18],
  ["M14 .8L27.2 14 14 27.2 .8 14z", 18],
  ["M14 1.5l13.3 24H.7z", 22.5],
  ["M2 2h24v24H2z", 18],
];

/** The outline of a side's shape, 28 wide and high. @param {number} mark */
export const shapeOf = (mark) => /** @type {[string, number]} */ (SHAPES[mark % 4])[0];

/** What a token is drawn of, 28 wide and high. @param {number} mark @param {string} initials @param {string} portrait @param {string} veil how players see them */
const face = (mark, initials, portrait, veil) => {
  const [path, at] = /** @type {[string, number]} */ (SHAPES[mark % 4]);
  return svg`<path class="sh" d=${path} /><text x="14" y=${portrait ? 18.5 : at} .style=${portrait ? "font-size:14px" : ""}>${portrait || initials}</text>${
    portrait ? svg`<g transform="translate(18 18) scale(.34)"><path class="badge" d=${path} /></g>` : nothing
  }${veil ? svg`<g class="veil"><title>${veil}</title><circle cx="23" cy="5" r="6" /><path d="M19 5q4-5 8 0q-4 5-8 0M19.5 9l7-8" /></g>` : nothing}`;
};

/**
 * Who somebody is, at a glance: initial and number in the side's shape; a portrait with the shape at its corner.
 *
 * @param {number | null | undefined} mark
 * @param {string} [initials]
 * @param {string} [portrait]
 * @param {string} [veil] how players see them, if not so
 */
export const token = (mark, initials = "", portrait = "", veil = "") =>
  html`<svg class="ck-tok ${classOf(mark ?? 0)}" viewBox="0 0 28 28" role=${veil ? "img" : nothing} aria-label=${veil || nothing} aria-hidden=${veil ? nothing : "true"}>${face(mark ?? 0, initials, portrait, veil)}</svg>`;

/** The same within a picture, around its middle. @param {number | undefined} mark @param {string} [initials] @param {string} [portrait] @param {string} [veil] */
export const tokenIn = (mark = 0, initials = "", portrait = "", veil = "") => svg`<g class="ck-tok ${classOf(mark)}" transform="translate(-14 -14)">${face(mark, initials, portrait, veil)}</g>`;
