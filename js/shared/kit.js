/**
 * What stands for Lit in a script that comes late: the Lit of the widget that opens it, handed over by `use`. Two copies
 * of Lit would not know each other's templates, and a second one would cost seven kilobytes.
 */

/**
 * @typedef {Pick<typeof import("lit-html"), "html" | "nothing" | "render" | "svg">
 *   & Pick<typeof import("lit-html/directives/repeat.js"), "repeat">} Kit
 */

/** @type {Kit["html"]} */
export let html;
/** @type {Kit["nothing"]} */
export let nothing;
/** @type {Kit["render"]} */
export let render;
/** @type {Kit["svg"]} */
export let svg;
/** @type {Kit["repeat"]} */
export let repeat;

/** @param {Kit} kit */
export const use = (kit) => void ({ html, nothing, render, svg, repeat } = kit);
