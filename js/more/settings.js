/** How this table plays: its dice, its keys. */
import { html } from "lit-html";

/** @import { Desk } from "../tracker/view.js" */

/**
 * A line with a switch.
 *
 * @param {string} title
 * @param {string} about
 * @param {boolean} on
 * @param {(on: boolean) => void} turn
 */
const line = (title, about, on, turn) =>
  html`<label class="ck-line-set"><span>${title}<small>${about}</small></span
    ><input type="checkbox" role="switch" aria-label=${title} .checked=${on} @change=${(/** @type {any} */ { target }) => turn(target.checked)} /><span
    class="ck-quiet" aria-hidden="true">${on ? "on" : "off"}</span></label>`;

/**
 * @param {Desk} desk
 * @param {() => unknown} dice
 */
export function createSettings({ keys, draw }, dice) {
  const letters = (/** @type {boolean} */ on) => {
    keys.turn(on);
    draw();
  };
  return () =>
    html`<div class="ck-settings"><section><h5>Table</h5>${dice()}${line(
      "Keyboard shortcuts",
      "Single letters, while the focus is in combatkit",
      keys.on(),
      letters,
    )}</section></div>`;
}
