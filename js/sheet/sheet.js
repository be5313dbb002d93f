/** What the GM does on rungs: damage, cards, what somebody may do out of turn. */
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
 * @property {AbortSignal} signal
 *
 * What the ladder asks of it as it draws; `turn` is another number whenever a rung may look otherwise.
 * @typedef {object} Sheet
 * @property {number} turn
 * @property {string} kind what the list is besides: `is-quick` while damage is dealt, `is-few` while it is folded
 * @property {(id: string, row: Row) => unknown} name
 * @property {(id: string, row: Row) => unknown} vital
 * @property {(id: string, row: Row) => unknown} acts
 * @property {(id: string, row: Row) => boolean} isNear whether it stays where the list is folded
 * @property {(id: string) => unknown} under
 * @property {() => unknown} opened
 * @property {() => unknown} steps stands above the steps of a round
 * @property {() => void} come called when the view is another
 */

/** How many rungs stand at the width of a phone: now and next. */
const FEW = 2;

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
  /** Whether all steps of a round are shown at the width of a phone. */
  let isLong = false;
  /** Who is now and next, from the top again behind the last. @type {Set<string>} */
  let next = new Set();
  const deal = createDeal(desk);
  const acts = createActs(desk);
  const card = createCard(desk);

  /** @type {Record<string, (id: string) => void>} */
  const OPENS = { "ck-damage": deal.open, "ck-card": card.open };
  /** @type {Record<string, string>} */
  const LETTERS = { d: "ck-damage", c: "ck-card" };

  /** Opens from the rung that has the focus; else damage from that of who was attacked last in this turn, and both from
   * that of whoever acts. @param {string} what @param {Event} event */
  const open = (what, event) => {
    const { aimed, current, order } = view();
    const id = idOf(event.target) ?? (what === "ck-damage" ? aimed : undefined) ?? current ?? order[0];
    if (!view().acts || id === undefined) return;
    event.preventDefault();
    OPENS[what]?.(id);
  };
  for (const what of Object.keys(OPENS)) root.addEventListener(what, (event) => open(what, event), { signal });
  root.addEventListener(
    "keydown",
    (event) => {
      const on = /** @type {HTMLElement} */ (event.target);
      const isTick = on.matches(".ck-tick input");
      // A tick takes Space by itself, and so does a button.
      const does = isTick || on.matches("li") ? deal.keyOn(idOf(on), event.key) : undefined;
      if (does && !event.ctrlKey && !event.metaKey && !event.altKey && !(isTick && event.key === " ")) {
        event.preventDefault();
        event.stopPropagation();
        does();
        return;
      }
      const what = LETTERS[event.key];
      const isTyped = on.closest("input, select, textarea");
      if (part || !what || isTyped || event.ctrlKey || event.metaKey || event.altKey) return;
      event.stopPropagation();
      open(what, event);
    },
    { signal },
  );

  /** At the width of a phone: who is now and next, or everybody. */
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
      return [deal.tick(row), row.vital || row.more ? own([html`<span class="ck-sr">${name}</span>`, inner], "ck-vital", press, undefined, deal.isAt(id) || undefined) : html`<span class="ck-vital"></span>`];
    },
    acts: (id, row) =>
      view().acts && row.acts ? row.acts.map((act) => own(act.title, "ck-btn ck-mini", () => acts.press(id, act))) : undefined,
    isNear: (id, row) => next.has(id) || Boolean(row.acts?.length),
    under: (id) => [deal.under(id), acts.under(id)],
    opened: () => [fold(), card.template()],
    steps: () => {
      const { acts: isGm, strips = [] } = view();
      const steps = strips.flatMap((strip) => (strip.type === "flow" ? strip.steps : []));
      const now = steps.find(({ state }) => state === "now");
      const toggle = () => {
        isLong = !isLong;
        draw();
      };
      return isGm && now
        ? html`<button type="button" class="ck-btn ck-all" aria-expanded=${isLong} @click=${toggle}>Step ${now.number} of ${steps.at(-1)?.number}</button>`
        : nothing;
    },
    come: () => {
      const { order, current, rows } = view();
      const from = Math.max(0, order.indexOf(current ?? ""));
      const turns = [...order.slice(from), ...order.slice(0, from)];
      // Whoever is out or down comes after those who stand.
      const isOut = (/** @type {string} */ id) => id !== current && rows[id]?.status === "out";
      next = new Set([...turns.filter((id) => !isOut(id)), ...turns.filter(isOut)].slice(0, FEW));
      deal.come();
      card.come();
    },
  };
  sheet.come();
  return sheet;
}
