import { html, nothing, svg } from "lit-html";

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
};

/** @param {string} name */
export const icon = (name) => html`<svg class="ck-i" viewBox="0 0 12 12" aria-hidden="true">${PATHS[name]}</svg>`;

/**
 * The mark of a side: its shape and hue, in order of joining; the second four are hollow.
 *
 * @param {number | null | undefined} mark
 */
export const side = (mark) =>
  mark == null
    ? nothing
    : html`<span class="ck-side ck-${"abcd"[mark % 4]} ${mark > 3 ? "is-hollow" : ""}" aria-hidden="true"></span>`;
