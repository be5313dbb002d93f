/** Dice of many in one table: a line each, in which Enter goes down the column and rolls nothing. */
import { nothing } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";

import { icon, side, token } from "../shared/marks.js";
import { claim } from "../shared/press.js";
import { section } from "../shared/rich.js";
import { html } from "../shared/tongue.js";

/** @import { Roll, Stood, Thrower } from "../shared/types.js" */

/** @typedef {Roll & {who: Thrower}} Line */

/**
 * @param {Line[]} lines
 * @param {string} prefix for ids
 * @param {(roll: Roll, id: string, keys: (event: KeyboardEvent) => void) => unknown} faces the boxes of one roll
 * @param {() => HTMLElement | null} after where Enter goes when all is typed
 * @param {Stood[][]} [order] how those stand who have rolled
 */
export function diceTable(lines, prefix, faces, after, order) {
  /** @param {KeyboardEvent} event */
  const onKey = (event) => {
    if (event.key !== "Enter") return;
    claim(event);
    const on = /** @type {HTMLInputElement} */ (event.target);
    const boxes = /** @type {HTMLInputElement[]} */ ([.../** @type {Element} */ (on.closest("table")).querySelectorAll("input")]);
    const at = boxes.indexOf(on);
    const empty = [...boxes.slice(at + 1), ...boxes.slice(0, at)].find((box) => !box.value && box.dataset.left === undefined);
    const isLeft = !on.value && on.dataset.left === undefined;
    const next = event.shiftKey ? boxes[at - 1] : (empty ?? (isLeft ? on : (boxes[at + 1] ?? after())));
    next?.focus();
    if (next instanceof HTMLInputElement) next.select();
  };

  /** @param {Line} roll @param {number} place */
  const line = (roll, place) => {
    const { who, error } = roll;
    const id = `${prefix}-line${place}`;
    return html`<tr>
      <th scope="row"><span class="ck-who">${side(who.side)}${who.name}</span></th>
      <td>${faces(roll, id, onKey)}</td><td class="ck-quiet">${who.plus}</td><td class="num">${who.total ?? nothing}</td>
      <td class="ck-quiet" id=${id}>${error ? html`<span class="ck-err">${icon("bang")}<span>${error}</span></span>` : who.note}</td>
    </tr>`;
  };

  const [rule] = lines.flatMap(({ sum }) => sum.filter((part) => typeof part === "object" && part.rule));
  return html`<table class="ck-tab ck-rolls">
    <thead><tr><th scope="col">Name</th><th scope="col">Die</th><th scope="col">Modifier</th><th scope="col" class="num">Total</th><th scope="col"><span class="ck-sr">Notes</span></th></tr></thead>
    <tbody>${repeat(lines, ({ purpose }) => purpose, line)}</tbody></table>
    <p class="ck-quiet"><span class="ck-hint"><kbd class="ck-k">Enter</kbd> next <kbd class="ck-k">Shift+Enter</kbd> back </span>${rule ? section([rule], "Dice") : nothing}</p>${order ? far(order) : nothing}`;
}

/** The order so far; who is even stands in one frame. @param {Stood[][]} order */
const far = (order) => html`<div class="ck-far"><b>Order so far</b><ol role="list" aria-label="Order so far">${order.map(
  (even) => html`<li class=${even.length > 1 ? "is-even" : ""}>${even.map(
    ({ name, score, side: mark, initials, portrait }) => html`<span title=${name}>${token(mark, initials, portrait)}<span class="ck-sr">${name}, </span>${score}</span>`,
  )}</li>`,
)}</ol></div>`;
