/** What the GM does on rungs: damage, cards, what somebody may do out of turn. */
import { nothing } from "lit-html";

import { middle } from "../shared/name.js";
import { claim, isPlain } from "../shared/press.js";
import { hear, listen, tell } from "../shared/tell.js";
import { html } from "../shared/tongue.js";
import { createActs } from "./acts.js";
import { createCard } from "./card.js";
import { createDeal } from "./deal.js";

/** @import { Port } from "../shared/port.js" */
/** @import { Act, LadderData, Row } from "../shared/types.js" */

/**
 * What the ladder lends.
 *
 * @typedef {object} Desk
 * @property {HTMLElement} root
 * @property {Port} port
 * @property {boolean} part whether it stands in another widget, which hears its letters
 * @property {(text: string) => void} say
 * @property {() => LadderData} view
 * @property {() => void} draw
 * @property {(target: EventTarget | null) => string | undefined} idOf
 * @property {(id: string | undefined, part: string) => void} back gives the focus back to a part of a rung
 * @property {AbortSignal} signal
 *
 * What the ladder asks of it as it draws; `turn` is another number whenever a rung may look otherwise.
 * @typedef {object} Sheet
 * @property {number} turn
 * @property {(id: string, row: Row) => unknown} name
 * @property {(id: string, row: Row, gone?: number) => unknown} vital
 * @property {(id: string, row: Row) => unknown} answers stands in the place of the state, if anything
 * @property {(id: string, act: Act) => void} press does what a rung offers
 * @property {string} note a word about what the rungs are for now
 * @property {() => unknown} opened stands below a ladder that has no desk
 * @property {() => void} come called when the view is another
 */

/**
 * A rung's own button: Tab goes on into it from the rung that has the ladder's tab stop.
 *
 * @param {unknown} inner
 * @param {string} kind
 * @param {() => void} press
 * @param {string} [name]
 * @param {boolean} [open]
 */
const own = (inner, kind, press, name, open) =>
  html`<button type="button" class="${kind} is-own" tabindex="-1" aria-label=${name ?? nothing} aria-expanded=${open ?? nothing} @click=${press}>${inner}</button>`;

/**
 * @param {Desk} lent
 * @returns {Sheet}
 */
export function create(lent) {
  const { root, part, view, idOf, signal } = lent;
  const draw = () => {
    sheet.turn += 1;
    lent.draw();
  };
  const desk = { ...lent, draw };
  const deal = createDeal(desk);
  const acts = createActs(desk);
  const card = createCard(desk);
  const outer = /** @type {HTMLElement} */ (root.closest(".ck-shell") ?? root);

  /** @type {Record<string, (id: string, isGuess?: boolean) => void>} */
  const OPENS = { "ck-damage": deal.open, "ck-card": card.open };
  /** @type {Record<string, string>} */
  const LETTERS = { d: "ck-damage", c: "ck-card" };

  /** Opens from the rung that has the focus; else damage from that of who was attacked last in this turn. From that of
   * whoever acts it opens too, but then nobody is ticked. @param {string} what @param {Event} event */
  const open = (what, event) => {
    const { aimed, current, order } = view();
    const meant = idOf(event.target) ?? (what === "ck-damage" ? aimed : undefined);
    const id = meant ?? current ?? order[0];
    if (!view().acts || id === undefined || (what === "ck-damage" && view().task)) return;
    event.preventDefault();
    OPENS[what]?.(id, meant !== undefined);
  };
  for (const what of Object.keys(OPENS)) listen(root, what, signal, (event) => open(what, event));
  hear(outer, "ck-pick", ({ name }) => deal.pick(name), signal);
  // Before a figure is an own attack's: while damage is dealt it goes to the number, wherever the focus is.
  listen(outer, "keydown", signal, (event) => isPlain(event) && deal.takes(event), true);
  /** @param {KeyboardEvent} event */
  const onKey = (event) => {
    const on = /** @type {HTMLElement} */ (event.target);
    const isTick = on.matches(".ck-box input");
    // A tick takes Space by itself, and so does a button.
    const does = isTick || on.matches("li") ? deal.keyOn(idOf(on), event.key) : undefined;
    if (does && isPlain(event) && !(isTick && event.key === " ")) {
      claim(event);
      does();
      return;
    }
    const what = LETTERS[event.key];
    if (part || !what || on.closest("input, select, textarea") || !isPlain(event)) return;
    event.stopPropagation();
    open(what, event);
  };
  listen(root, "keydown", signal, onKey);

  /** @type {Sheet} */
  const sheet = {
    turn: 0,
    get note() {
      return deal.isOpen() ? "click a rung to tick it" : "";
    },
    name: (id, row) => {
      // A name is part of its rung: where a form asks whom it concerns, it answers that.
      const isAsked = () => tell(root, "ck-pick", { name: row.name });
      return view().acts ? own(middle(row.name), "ck-name-of", () => isAsked() || card.open(id), `${row.name}: card`, card.isOf(row.name) || undefined) : undefined;
    },
    vital: (id, row, gone) => {
      if (!view().acts || view().task || !(row.vital || row.more)) return undefined;
      const [inner, name] = deal.vital(row, gone);
      const press = () => deal.open(id);
      const several = Array.isArray(inner) && inner.length > 1;
      return own([html`<span class="ck-sr">${name}</span>`, inner], `ck-vital ${several ? "is-three" : ""}`, press, undefined, deal.isAt(id) || undefined);
    },
    answers: (_, row) => deal.answers(row),
    press: acts.press,
    opened: () => [deal.alone(), acts.alone(), card.alone()],
    come: () => {
      deal.come();
      acts.come();
      card.come();
    },
  };
  sheet.come();
  return sheet;
}
