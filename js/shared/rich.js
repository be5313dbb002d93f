import { html as told, nothing } from "lit-html";

import { side } from "./marks.js";
import { html } from "./tongue.js";

/** @import { Mark, Parts } from "./types.js" */

/**
 * The mark of a rule: a button whose click `watchRules` answers. Its id is in its name alone, never in sight.
 *
 * @param {string} id
 */
export const rule = (id) =>
  html`<span class="ck-cite"
    ><button type="button" class="ck-rule" data-rule=${id} aria-label="Rule ${id}" aria-expanded="false">§</button></span
  >`;

/** A rule's own words: rulebooks are in English. @param {string} text */
export const english = (text) => told`<span lang="en">${text}</span>`;

/**
 * One mark for all rules of a line.
 *
 * @param {string[]} ids
 * @param {string} [line] what they are the rules of
 */
export const rules = (ids, line) =>
  html`<button type="button" class="ck-sec" data-rule=${ids.join(" ")} aria-label=${line ? `Rules: ${line}` : `Rules (${ids.length})`} aria-expanded="false">§</button>`;

/**
 * The same for text that cites its rules.
 *
 * @param {Parts} parts
 * @param {string} line
 */
export const section = (parts, line) => {
  const ids = [...new Set(parts.flatMap((part) => (typeof part === "object" && part.rule) || []))];
  return ids.length ? rules(ids, line) : nothing;
};

/** Why not, with the mark of its rule. @param {import("./port.js").Refusal} refusal @returns {Parts} */
export const refusedBy = ({ reason, rule }) => (rule ? [`${reason} `, { rule }] : [reason]);

/** What is no mark of a rule. @param {Parts[number]} part */
export const isWord = (part) => typeof part === "string" || !part.rule;

/** What a single d20 shows at its ends. @type {Record<number, string>} */
const NATURALS = { 1: "is-one", 20: "is-twenty" };

/** @param {string | Mark} part @param {unknown} [before] */
const piece = (part, before) => {
  // All of it is in the language of the fight already.
  if (typeof part === "string") return part;
  if (part.rule) return rule(part.rule);
  if (part.die !== undefined) return html`<span class="ck-die ${part.table ? "is-table" : ""} ${before === "1d20 " ? (NATURALS[part.die] ?? "") : ""}">${part.die}</span>`;
  if (part.chip) return told`<span class="ck-chip">${part.chip}</span>`;
  if (part.was) return told`<s>${part.was}</s>`;
  if (part.strong) return told`<b>${part.strong}</b>`;
  if (part.note) return told`<span class="ck-note">${part.note}</span>`;
  // No line ends between a mark and the name after it.
  if (part.side !== undefined) return told`<span class="ck-tied" aria-hidden="true">${side(part.side)}</span>`;
  return told`<span class="ck-quiet">${before === " " ? "· " : ""}${part.quiet}</span>`;
};

/** A part; what is told beside the line is set off. @param {string | Mark} part @param {number} index @param {Parts} parts */
const pieceOf = (part, index, parts) => piece(part, parts[index - 1]);

/**
 * Text with marks, as it runs in a line.
 *
 * @param {Parts | undefined} parts
 */
export const rich = (parts) => (parts ?? []).map(pieceOf);

/**
 * Text with marks for a row that wraps: what belongs together in one item, each rule mark and chip an item of its own.
 *
 * @param {Parts | undefined} parts
 */
export function items(parts) {
  /** @type {unknown[]} */
  const found = [];
  /** @type {unknown[] | undefined} */
  let run;
  for (const part of parts ?? []) {
    if (typeof part === "object" && (part.rule || part.chip)) {
      found.push(piece(part));
      run = undefined;
    } else if (run) {
      run.push(piece(part, run.at(-1)));
    } else if (part !== " ") {
      run = [piece(part)];
      found.push(html`<span>${run}</span>`);
    }
  }
  return found;
}

/**
 * The same as words, for the live region and for names; a rule is said by nobody who doesn't press its mark.
 *
 * @param {Parts | undefined} parts
 */
export const plain = (parts) =>
  (parts ?? [])
    .map((part) =>
      typeof part === "string"
        ? part
        : part.rule !== undefined
          ? " "
          : part.quiet !== undefined
            ? `, ${part.quiet}`
            : (part.die ?? part.chip ?? part.strong ?? part.was ?? part.note ?? ""),
    )
    .join("")
    .replace(/\s+/g, " ")
    .replace(/ ,/g, ",")
    .replace(/^, /, "")
    .trim();
