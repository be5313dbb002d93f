/** What the GM does on rungs, which a ladder brings late: damage, cards, what somebody may do out of turn. */
import { html, nothing } from "lit-html";

import { createActs } from "./acts.js";
import { createCard } from "./card.js";
import { createDeal } from "./deal.js";

/** @import { Port } from "../shared/port.js" */
/** @import { LadderData, Row } from "../shared/types.js" */

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
 * @property {(id: string | undefined) => HTMLElement | undefined} rungOf
 * @property {(name: string) => Promise<any>} bring
 * @property {AbortSignal} signal
 *
 * What the ladder asks of it as it draws; `turn` is another number whenever a rung may look otherwise.
 * @typedef {object} Sheet
 * @property {number} turn
 * @property {string} kind what the list is besides: `is-quick` while damage is dealt, `is-few` while it is folded
 * @property {(id: string, row: Row) => unknown} name
 * @property {(id: string, row: Row) => unknown} vital
 * @property {(id: string, row: Row) => unknown} acts
 * @property {(id: string) => unknown} under
 * @property {() => unknown} opened
 * @property {() => void} come called when the view is another
 */

/** So many rungs stand at the width of a phone. */
const FEW = 4;

/**
 * A rung's own button: Tab goes on into it from the rung that has the ladder's tab stop.
 *
 * @param {unknown} inner
 * @param {string} kind
 * @param {() => unknown} press
 * @param {string} [name]
 * @param {boolean} [open]
 */
const own = (inner, kind, press, name, open) =>
  html`<button type="button" class="${kind} is-own" tabindex="-1" aria-label=${name ?? nothing} title=${kind === "ck-name" ? inner : nothing}
    aria-expanded=${open ?? nothing} @click=${press}>${inner}</button>`;

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
  let all = false;
  const deal = createDeal(desk);
  const acts = createActs(desk);
  const card = createCard(desk);

  /** @type {Record<string, (id: string) => void>} */
  const OPENS = { "ck-damage": deal.open, "ck-card": card.open };
  /** @type {Record<string, string>} */
  const LETTERS = { d: "ck-damage", c: "ck-card" };

  /** Opens from the rung that has the focus, else from that of whoever acts. @param {string} what @param {Event} event */
  const open = (what, event) => {
    const id = idOf(event.target) ?? view().current ?? view().order[0];
    if (!view().acts || id === undefined) return;
    event.preventDefault();
    OPENS[what]?.(id);
  };
  for (const what of Object.keys(OPENS)) root.addEventListener(what, (event) => open(what, event), { signal });
  root.addEventListener(
    "keydown",
    (event) => {
      const what = LETTERS[event.key];
      const isTyped = /** @type {HTMLElement} */ (event.target).closest("input, select, textarea");
      if (part || !what || isTyped || event.ctrlKey || event.metaKey || event.altKey) return;
      event.stopPropagation();
      open(what, event);
    },
    { signal },
  );

  /** At the width of a phone: who is now and the next three, or everybody. */
  const fold = () => {
    const { acts: isGm, order } = view();
    const toggle = () => {
      all = !all;
      draw();
    };
    return isGm && order.length > FEW && !deal.isOpen()
      ? html`<button type="button" class="ck-btn ck-all" aria-expanded=${all} @click=${toggle}>${all ? "Fewer" : `All ${order.length}`}</button>`
      : nothing;
  };

  /** @type {Sheet} */
  const sheet = {
    turn: 0,
    get kind() {
      return deal.isOpen() ? "is-quick" : all ? "" : "is-few";
    },
    name: (id, row) =>
      view().acts
        ? [own(row.name, "ck-name", () => card.open(id), `${row.name}: card`, card.isOf(row.name) || undefined), deal.half(row)]
        : undefined,
    vital: (id, row) => {
      if (!view().acts) return undefined;
      const [inner, name] = deal.vital(row);
      const press = () => deal.open(id);
      return [deal.tick(row), row.vital ? own(inner, "ck-vital", press, name, deal.isAt(id) || undefined) : html`<span class="ck-vital"></span>`];
    },
    acts: (id, row) =>
      view().acts && row.acts ? row.acts.map((act) => own(act.title, "ck-btn ck-mini", () => acts.press(id, act))) : undefined,
    under: (id) => [deal.under(id), acts.under(id)],
    opened: () => [fold(), card.template()],
    come: () => {
      deal.come();
      card.come();
    },
  };
  return sheet;
}
