/** The list of all keys. */
import { html } from "lit-html";

/** @type {[string, [string[], string][]][]} */
const KEYS = [
  [
    "The turn",
    [
      [["N"], "End turn, or carry on"],
      [["U"], "Undo"],
      [["Shift+U"], "Redo"],
      [["/"], "Find an action"],
      [["Shift+Enter"], "An action, with its options"],
      [["D"], "Damage or heal"],
      [["C"], "The card of the one you are on"],
    ],
  ],
  [
    "The ladder",
    [
      [["↑", "↓"], "From rung to rung"],
      [["Home", "End"], "First, last"],
      [["←", "→"], "Into a rung, and back"],
      [["Enter"], "What this one can do"],
      [["Alt+↓"], "Delay"],
    ],
  ],
  [
    "The line of time",
    [
      [["←", "→"], "One event back, one on"],
      [["Page Up", "Page Down"], "One round on, one back"],
      [["Home", "End"], "The beginning, and now"],
    ],
  ],
  ["Dice", [[["Enter"], "Next field; at the last, use them"]]],
  [
    "Everywhere",
    [
      [["M"], "More"],
      [["?"], "This list"],
      [["Esc"], "One step out: close, put back, clear"],
    ],
  ],
];

export const shortcuts = () =>
  html`<div class="ck-keys">${KEYS.map(
    ([title, rows]) =>
      html`<div><h5>${title}</h5><dl>${rows.map(
        ([keys, words]) => html`<dt>${keys.map((key) => html`<kbd class="ck-k">${key}</kbd>`)}</dt><dd>${words}</dd>`,
      )}</dl></div>`,
  )}</div>
  <p class="ck-why">Letters count only while the focus is in combatkit and not in a field. Settings turns them off.</p>`;
