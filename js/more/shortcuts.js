/** The list of all keys. */
import { tell } from "../shared/tell.js";
import { html } from "../shared/tongue.js";

/** A group of keys: its title, and what each does. @typedef {[string, [string[], string][]]} Keys */

/** @type {Keys[]} */
const KEYS = [
  [
    "The turn",
    [
      [["N"], "Start, end turn, or carry on"],
      [["U"], "Undo"],
      [["Shift+U"], "Redo"],
      [["/"], "Find an action"],
      [["1", "2", "3"], "The first, second, third attack"],
      [["T"], "The next target"],
      [["L"], "Let a reaction go"],
      [["A"], "Abort, for whoever is attacked"],
      [["Shift+Enter"], "An action, with its options"],
    ],
  ],
  [
    "The ladder",
    [
      [["↑", "↓"], "From rung to rung"],
      [["Home", "End"], "First rung, last rung"],
      [["←", "→"], "Into a rung, and back"],
      [["Enter"], "Show their actions"],
      [["D"], "Damage or heal"],
      [["Space bar"], "Tick them too, while dealing damage"],
      [["H"], "Half damage for this one"],
      [["C"], "Card of the combatant you're on"],
      [["Alt+↓"], "Delay"],
    ],
  ],
  [
    "Dice",
    [
      [["Enter"], "Next die; after the last, use them"],
      [["R"], "Roll this one for me"],
      [["Backspace"], "One die back"],
    ],
  ],
  [
    "The timeline",
    [
      [["[", "]"], "One event back, one forward"],
      [["{", "}"], "One round back, one forward"],
      [["←", "→"], "The same as [ and ], on the slider"],
      [["Page Up", "Page Down"], "One round forward, one back"],
      [["Home", "End"], "The start, and now"],
    ],
  ],
  [
    "Everywhere",
    [
      [["M"], "More"],
      [["G"], "The map, or what else stands there"],
      [["?"], "This list"],
      [["Esc"], "One step out: close, cancel, clear"],
    ],
  ],
];

/** The list; where there is a map, it adds its own. @param {Element | null} map */
export const shortcuts = (map) => {
  const groups = [...KEYS];
  tell(map, "ck-keys", groups);
  return html`<div class="ck-keys">${groups.map(
    ([title, rows]) =>
      html`<div><h5>${title}</h5><dl>${rows.map(
        ([keys, words]) => html`<dt>${keys.map((key) => html`<kbd class="ck-k">${key}</kbd>`)}</dt><dd>${words}</dd>`,
      )}</dl></div>`,
  )}</div>
  <p class="ck-why">Letters work only while combatkit has the focus and you aren't typing in a field. Turn them off in Settings.</p>`;
};
