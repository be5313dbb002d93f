import { html, nothing, render } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";

import { bar, pips } from "../shared/amount.js";
import { focusIn, keepFocus } from "../shared/focus.js";
import { icon } from "../shared/marks.js";
import { items, plain } from "../shared/rich.js";
import { watchRules } from "../shared/rules.js";
import { voice } from "../shared/speech.js";
import { createForm } from "./form.js";

/** @import { Port } from "../shared/port.js" */
/** @import { Action, BudgetData, Group, Progress, Slot } from "../shared/types.js" */

/** More pips than this are told by their number alone. */
const MOST_PIPS = 8;
/** More pips than this are small. */
const MOST_WIDE = 3;

/** @param {Action} action */
const mayDo = ({ why }) => why == null;

/**
 * Shows what is left to spend and what may be done. Answers with a function that takes the next state.
 *
 * @param {HTMLElement} root
 * @param {Port} port
 * @param {{part: boolean, signal: AbortSignal}} place
 * @returns {(view: BudgetData) => void}
 */
export function createBudget(root, port, { part, signal }) {
  const say = voice(root, part);
  const prefix = `ck${Math.random().toString(36).slice(2)}`;
  /** @type {BudgetData} */
  let view;
  /** The action that asks for something, in the group it stands in, and whose it is.
   * @typedef {{group: string, action: string, name: string, shown: boolean, form: {template: () => unknown, dropped?: boolean}}} Open */
  /** @type {Open | undefined} */
  let open;
  /** What the next form begins with, by who acts and what they do. @type {Map<string, Record<string, unknown>>} */
  const kept = new Map();

  const note = () => /** @type {HTMLInputElement} */ (root.querySelector(".ck-noting input"));

  const noted = () => {
    const text = note().value.trim();
    note().value = "";
    return text ? { note: text } : {};
  };

  /** @param {string} group @param {string} action */
  const buttonOf = (group, action) =>
    /** @type {HTMLElement | null} */ (root.querySelector(`[data-group="${CSS.escape(group)}"] [data-action="${CSS.escape(action)}"]`));

  /** @param {Group} group @param {number | null | undefined} index */
  const idOf = ({ id }, index) => `${prefix}-${id.replace(/\W/g, "-")}-${index}`;

  /** Closes what is open, or about to open. */
  const drop = () => {
    if (open) open.form.dropped = true;
    open = undefined;
  };

  /** @param {Group} group @param {Action} action @param {boolean} explicit */
  const press = (group, action, explicit) => {
    const name = view.name ?? "";
    const again = open?.group === group.id && open.action === action.id;
    drop();
    if (again) {
      draw();
      return;
    }
    const why = mayDo(action) ? undefined : (group.whys[action.why ?? 0] ?? []);
    if (why) say(`${action.title}: ${plain(why)}`);
    const key = `${name}/${action.id}`;
    /** @type {Open} */
    const mine = { group: group.id, action: action.id, name, shown: false, form: { template: () => nothing } };
    open = mine;
    mine.form = createForm(
      port,
      {
        name,
        action: action.id,
        title: action.title,
        why,
        table: view.dice === "table",
        explicit,
        direct: !explicit && !action.needs?.length,
        more: noted,
        root,
        params: kept.get(key),
        keep: (params) => kept.set(key, params),
        say,
        opened: () => {
          open = mine;
          mine.shown = true;
          draw();
          // The person opened it, so the focus goes along, unless it is elsewhere by now.
          const button = buttonOf(mine.group, mine.action);
          const first = /** @type {HTMLElement | null} */ (root.querySelector(".ck-targets :is(button, input)"));
          if (!why && focusIn(root) === button) first?.focus();
        },
        closed: () => {
          if (open === mine) open = undefined;
          keepFocus(root, draw, () => buttonOf(mine.group, mine.action));
        },
      },
      `${prefix}-form`,
      draw,
    );
    draw();
  };

  /** @param {Group} group */
  const cost = (group) => {
    const form = open?.group === group.id && open.shown ? open : undefined;
    return html`<div class="ck-cost" role="group" aria-label=${group.title} data-group=${group.id}>
      <div class="ck-cost-h">${group.title}${group.small ? html`<small>${group.small}</small>` : nothing}</div>
      <div class="ck-acts">${repeat(
          group.actions,
          ({ id }) => id,
          (action) => {
            const isOpen = form?.action === action.id;
            const may = mayDo(action);
            const label = html`${may ? nothing : icon("slash")}${action.title}${action.extra
              ? html`<span class="x" aria-hidden="true">${action.extra}</span>`
              : nothing}`;
            if (view.players) return html`<span class="ck-act is-flat">${label}</span>`;
            return html`<button type="button" class="ck-act" data-action=${action.id}
              aria-disabled=${may ? nothing : "true"}
              aria-describedby=${may ? nothing : idOf(group, action.why)}
              aria-expanded=${action.needs?.length || isOpen ? isOpen : nothing} aria-controls=${isOpen ? `${prefix}-form` : nothing}
              @click=${(/** @type {MouseEvent} */ event) => press(group, action, event.shiftKey)}>${label}</button>`;
          },
        )}</div>${repeat(form ? [form.form] : [], (each) => each, (each) => each.template())}${group.whys.map((parts, index) => html`<p class="ck-why" id=${idOf(group, index)}>${items(parts)}</p>`)}
    </div>`;
  };

  const draw = () => {
    // Where nobody acts, what was shown last stays in the view, unseen.
    const groups = view.name == null ? [] : view.groups;
    render(
      html`<section class="ck-budget" role="group" aria-label="Action budget: ${view.name ?? "nobody"}" aria-busy=${view.busy ? "true" : nothing}>
        <div class="ck-cap"><h4>${view.name ?? "No turn is running"}</h4><span class="ck-label">${view.caption}</span></div>
        ${groups.length ? html`<div class="ck-slots">${view.slots.map(slot)}</div>${(view.progress ?? []).map(progress)}` : nothing}${repeat(
          groups.flatMap((id) => view.group[id] ?? []),
          ({ id }) => id,
          cost,
        )}
        ${view.players || !groups.length
          ? view.name == null && !view.players
            ? html`<p class="ck-why">Pick somebody on the ladder to see their actions.</p>`
            : nothing
          : html`<div class="ck-noting"><label class="ck-field">Note<input placeholder="for the log" /></label>
            <span class="ck-label">Shift+Enter: with options</span></div>`}</section>`,
      root,
    );
  };

  watchRules(root, port.ask, say, signal);
  return (next) => {
    const last = open;
    // A form about somebody else, or an action that is gone, is no longer the question.
    if (open && (open.name !== next.name || !next.group[open.group]?.actions.some(({ id }) => id === open?.action))) drop();
    view = next;
    keepFocus(root, draw, () => (last && buttonOf(last.group, last.action)) ?? root.querySelector("button"));
  };
}

/** @param {Slot} slot */
const slot = ({ title, total = 0, left = 0, off = 0, unlimited }) =>
  unlimited != null
    ? html`<div class="ck-slot"><span class="n">${title}</span><span class="v"><span class="ck-any" aria-hidden="true">∞</span
        ><span class="ck-sr">no limit</span><span class="ck-quiet">${unlimited}</span></span></div>`
    : html`<div class="ck-slot" role="meter" aria-label=${title} aria-valuemin="0" aria-valuenow=${left}
        aria-valuemax=${total} aria-valuetext="${left} of ${total} left"><span class="n">${title}</span><span class="v">${
          total > MOST_PIPS
            ? nothing
            : pips(total, left, off, total > MOST_WIDE)
        }<span>${left}/${total}</span></span></div>`;

/** @param {Progress} progress */
const progress = ({ title, done, total, text }) =>
  html`<div class="ck-prog"><b>${title}</b><span class="m" role="progressbar" aria-label=${title} aria-valuemin="0"
      aria-valuenow=${done} aria-valuemax=${total} aria-valuetext="${done} of ${total}">${bar(done, total)}${done}/${total}</span>
    <small>${items(text)}</small></div>`;
