import { html } from "lit-html";

/** What tells apart those of one kind: a number, else the last word if the name is long; and what is theirs. */
const LAST = /^(.*?)(\s+(?:\S{0,8}\s*\d+|\S{1,10}?)(?:['\u2019]s? \S+)?)$/u;
/** A shorter name is shown as one. */
const SHORT = 14;

/**
 * A name that gives way in its middle where there is no room: its last word or number is never cut.
 *
 * @param {string} name
 * @returns {[string, string]} its head and its end
 */
export const halves = (name) => {
  const [, head = name, end = ""] = (name.length > SHORT || /\d$/.test(name) ? LAST.exec(name) : undefined) ?? [];
  return [head, end];
};

/** @param {string} name */
export const middle = (name) => {
  const [head, end] = halves(name);
  return html`<span class="ck-name" title=${name}><span class="h">${head}</span><span class="z">${end}</span></span>`;
};
