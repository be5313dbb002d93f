import { html, nothing, render } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";

import { bar, pips } from "../shared/amount.js";
import { focusIn, keepFocus } from "../shared/focus.js";
import { icon, side } from "../shared/marks.js";
import { items, plain, rich } from "../shared/rich.js";
import { watchRules } from "../shared/rules.js";
import { voice } from "../shared/speech.js";

/** @import { createForm } from "../form/form.js" */
/** @import { Port } from "../shared/port.js" */
/** @import { Action, BudgetData, Call, Group, Progress, RollCall, Slot } from "../shared/types.js" */

/** More pips than this are told by their number alone. */
const MOST_PIPS = 8;
/** More pips than this are small. */
const MOST_WIDE = 3;

/**
 * Shows what is left to spend and what may be done. Answers with a function that takes the next state.
 *
 * @param {HTMLElement} root
 * @param {Port} port
 * @param {{part: boolean, signal: AbortSignal, bring: () => Promise<{createForm: typeof createForm}>}} place
 *   `bring` gets the form by which an action asks what it still needs
 * @returns {(view: BudgetData) => void}
 */
export function createBudget(root, port, { part, signal, bring }) {
  const say = voice(root, part);
  const prefix = `ck${Math.random().toString(36).slice(2)}`;
  /** @type {BudgetData} */
  let view;
  /** The action that asks for something, in the group it stands in, and whose it is.
   * @typedef {{group: string, action: string, name: string, shown: boolean, form: {template: () => unknown, dropped?: boolean}}} Open */
  /** @type {Open | undefined} */
  let open;
  /** @type {typeof createForm | undefined} */
  let create;
  /** @type {Promise<void> | undefined} */
  let coming;
  /** The folded groups that are open. @type {Set<string>} */
  const unfolded = new Set();
  /** What is looked for among the actions. */
  let query = "";
  /** What the next form begins with, by who acts and what they do. @type {Map<string, Record<string, unknown>>} */
  const kept = new Map();

  const outer = /** @type {HTMLElement} */ (root.closest(".ck-shell") ?? root);
  const note = () => /** @type {HTMLInputElement | null} */ (root.querySelector(".ck-noting input"));
  const finder = () => /** @type {HTMLInputElement | null} */ (root.querySelector(".ck-find input"));

  /** What was looked for has been found, or was for another turn. */
  const forget = () => {
    const box = finder();
    if (box) box.value = query = "";
  };

  const noted = () => {
    const box = note();
    const text = box?.value.trim();
    if (box) box.value = "";
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

  /** @param {string} id */
  const actionOf = (id) => /** @type {Action} */ (view.action[id]);

  /** @param {Pick<Group, "id" | "whys" | "own">} group @param {string} id @param {boolean} explicit @param {Call} [call] who is asked, if not whose budget it is */
  const press = (group, id, explicit, call) => {
    if (!create) {
      coming?.then(() => press(group, id, explicit, call));
      return;
    }
    const name = call?.name ?? view.name ?? "";
    const again = open?.group === group.id && open.action === id;
    drop();
    if (again) {
      draw();
      return;
    }
    const action = call ? { id, title: view.calls?.title ?? id, needs: [id] } : actionOf(id);
    const why = group.whys?.[group.own?.[id] ?? 0];
    if (why) say(`${action.title}: ${plain(why)}`);
    const key = `${name}/${id}`;
    /** @type {Open} */
    const mine = { group: group.id, action: id, name, shown: false, form: { template: () => nothing } };
    open = mine;
    mine.form = create(
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
        given: "params" in action ? action.params : {},
        params: { ...kept.get(key), ...("params" in action ? action.params : {}) },
        keep: (params) => kept.set(key, params),
        say,
        opened: () => {
          open = mine;
          mine.shown = true;
          draw();
          // The person opened it, so the focus goes along, unless it is elsewhere by now.
          const from = focusIn(root);
          const asks = /** @type {HTMLElement[]} */ ([...root.querySelectorAll(".ck-targets :is(button, input)")]);
          const first = asks.find((each) => !each.closest("details:not([open])"));
          if (!why && (from === buttonOf(mine.group, mine.action) || (from && from === finder()))) first?.focus();
        },
        closed: (by) => {
          if (open === mine) open = undefined;
          if (by === "sent") forget();
          keepFocus(root, draw, () => buttonOf(mine.group, mine.action));
          if (call && by === "sent") askNext(call);
        },
      },
      `${prefix}-form`,
      draw,
    );
    draw();
  };

  const calls = () => Object.entries(view.calls?.rows ?? {});

  /** Whoever is asked next has said nothing yet. @param {Call} last */
  const askNext = (last) => {
    const [id, next] = calls().find(([, call]) => !call.said && call.name !== last.name) ?? [];
    if (!id || !next || !view.calls) return;
    const group = `of:${id}`;
    buttonOf(group, view.calls.action)?.focus();
    press({ id: group }, view.calls.action, false, next);
  };

  /** Everybody who is asked in this step, a row each, and the form of one. @param {RollCall} asked */
  const rollCall = ({ action, title }) =>
    html`<div class="ck-doing" role="list" aria-label=${title}>${repeat(
      calls(),
      ([id]) => id,
      ([id, call]) => {
        const group = `of:${id}`;
        const form = open?.group === group && open.shown ? open : undefined;
        return html`<div class="ck-cost" role="listitem" data-group=${group}><div class="ck-cost-h">${side(call.side)} ${call.name}</div>
          <div class="ck-acts"><button type="button" class="ck-act" data-action=${action} aria-expanded=${Boolean(form)}
            aria-label="${title}: ${call.name}" @click=${() => press({ id: group }, action, false, call)}>${
            call.said || title
          }</button></div>${repeat(form ? [form.form] : [], (each) => each, (each) => each.template())}</div>`;
      },
    )}</div>`;

  /** The actions of a group that what is looked for stands in: by their words, or by what they cost. @param {Group} group */
  const wanted = (group) =>
    group.actions.filter((id) => {
      const { title, extra, names, cost } = actionOf(id);
      return [title, extra, names, cost, group.whys ? "" : group.title].join(" ").toLowerCase().includes(query);
    });

  const shown = () => [...view.groups, ...view.folds].flatMap((id) => view.group[id] ?? []);

  const hits = () => shown().flatMap((group) => wanted(group).map((id) => /** @type {const} */ ([group, id])));

  /** The buttons of a group, and the form of one. @param {Group} group */
  const acts = (group) => {
    const form = open?.group === group.id && open.shown ? open : undefined;
    const [[of, first] = []] = query ? hits() : [];
    return html`<div class="ck-acts">${repeat(
      wanted(group),
      (id) => id,
      (id) => {
        const action = actionOf(id);
        const isOpen = form?.action === id;
        const why = idOf(group, group.own?.[id] ?? 0);
        const beside = [group.whys ? "" : action.cost, action.extra].filter(Boolean).join(" · ");
        const label = html`${group.whys ? icon("slash") : nothing}${action.title}${beside
          ? html`<span class="x" aria-hidden="true">${beside}</span>`
          : nothing}`;
        if (view.players) return html`<span class="ck-act is-flat">${label}</span>`;
        return html`<button type="button" class="ck-act ${of === group && first === id ? "is-first" : ""}" data-action=${id}
          aria-disabled=${group.whys ? "true" : nothing}
          aria-describedby=${group.whys ? `${why} ${why}-rule` : nothing}
          aria-expanded=${action.needs?.length || isOpen ? isOpen : nothing} aria-controls=${isOpen ? `${prefix}-form` : nothing}
          @click=${(/** @type {MouseEvent} */ event) => press(group, id, event.shiftKey)}>${label}</button>`;
      },
    )}</div>${repeat(form ? [form.form] : [], (each) => each, (each) => each.template())}`;
  };

  /** What can be done for one cost. @param {Group} group */
  const cost = (group) =>
    html`<div class="ck-cost" role="group" aria-label=${group.title} data-group=${group.id} ?hidden=${!wanted(group).length}>
      <div class="ck-cost-h">${group.title}${group.small ? html`<small>${group.small}</small>` : nothing}</div>${acts(group)}
    </div>`;

  /** What is refused, as a line that opens. @param {Group} group */
  const fold = (group) => {
    const whys = group.whys ?? [];
    const several = whys.length > 1;
    const [why] = several ? [["can't be done now."]] : whys;
    const isOpen = Boolean(query) || unfolded.has(group.id);
    const turn = () => {
      if (!unfolded.delete(group.id)) unfolded.add(group.id);
      draw();
    };
    return html`<div class="ck-fold" role="group" aria-label=${group.title} data-group=${group.id} ?hidden=${!wanted(group).length}>
      <div class="row"><button type="button" aria-expanded=${isOpen} @click=${turn}>${icon("slash")}<span><b>${group.title}${several ? "" : ":"}</b>
        <span id=${several ? nothing : idOf(group, 0)}>${rich(why?.filter((part) => typeof part === "string"))}</span></span></button
        ><span id=${several ? nothing : `${idOf(group, 0)}-rule`}>${rich(why?.filter((part) => typeof part !== "string"))}</span></div>
      ${isOpen ? [acts(group), several ? whys.map((parts, index) => html`<p class="ck-why" id=${idOf(group, index)}>${items(parts)}</p>`) : nothing] : nothing}
    </div>`;
  };

  const find = () => {
    /** @param {KeyboardEvent} event */
    const onKey = (event) => {
      const box = /** @type {HTMLInputElement} */ (event.target);
      const [hit] = query ? hits() : [];
      if (event.key === "Enter" && hit) press(...hit, event.shiftKey);
      else if (event.key === "Escape" && query) box.value = query = "";
      else if (event.key === "Escape") outer.querySelector(/** @type {"button"} */ (".ck-ctl .is-main"))?.focus();
      else return;
      event.preventDefault();
      event.stopPropagation();
      draw();
    };
    const onInput = (/** @type {any} */ { target }) => {
      query = target.value.trim().toLowerCase();
      draw();
    };
    const count = shown().reduce((sum, { actions }) => sum + actions.length, 0);
    return html`<div class="ck-field ck-find"><input placeholder="Find an action" aria-label="Find an action" aria-keyshortcuts="/"
      @keydown=${onKey} @input=${onInput} /><span class="ck-label" aria-live="off">${query ? `${hits().length} of ` : ""}${count} actions</span></div>`;
  };

  const draw = () => {
    // Where nobody acts, what was shown last stays in the view, unseen.
    const [groups, folds] = view.name == null ? [[], []] : [view.groups, view.folds];
    const hasAny = groups.length + folds.length > 0;
    render(
      html`<section class="ck-budget" role="group" aria-label="Action budget: ${view.name ?? "nobody"}" aria-busy=${view.busy ? "true" : nothing}>
        <div class="ck-cap"><h4>${view.name ?? view.calls?.title ?? "No turn is running"}</h4><span class="ck-label">${view.calls ? `${calls().filter(([, { said }]) => said).length} of ${calls().length}` : view.caption}</span></div>
        ${hasAny ? html`<div class="ck-slots">${view.slots.map(slot)}</div>${(view.progress ?? []).map(progress)}` : nothing}
        ${hasAny && !view.players ? find() : nothing}
        <div class="ck-doing">${repeat(
          groups.flatMap((id) => view.group[id] ?? []),
          ({ id }) => id,
          cost,
        )}${folds.length ? html`<h5 class="ck-cap">Not now</h5>` : nothing}${repeat(
          folds.flatMap((id) => view.group[id] ?? []),
          ({ id }) => id,
          fold,
        )}</div>
        ${view.calls ? rollCall(view.calls) : nothing}
        ${view.players || !hasAny
          ? view.name == null && !view.players && !view.calls
            ? html`<p class="ck-why">Pick somebody on the ladder to see their actions.</p>`
            : nothing
          : html`<div class="ck-noting"><label class="ck-field">Note<input placeholder="for the log" /></label>
            <span class="ck-label">Shift+Enter: with options</span></div>`}</section>`,
      root,
    );
  };

  watchRules(root, port.ask, say, signal);
  outer.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "/" || !finder() || /** @type {HTMLElement} */ (event.target).closest("input, select")) return;
      event.preventDefault();
      finder()?.focus();
    },
    { signal },
  );
  return (next) => {
    const last = open;
    if (view && next.name !== view.name) forget();
    // A form about somebody else, or an action that is gone, is no longer the question.
    const isListed = open && [...next.groups, ...next.folds].includes(open.group) && next.group[open.group]?.actions.includes(open.action);
    const isAsked = Object.entries(next.calls?.rows ?? {}).some(([id, { name }]) => open?.name === name && open?.group === `of:${id}`);
    if (!isAsked && (open?.name !== next.name || !isListed)) drop();
    view = next;
    if (!view.players) coming ??= bring().then((brought) => void (create = brought.createForm));
    keepFocus(root, draw, () => (last && buttonOf(last.group, last.action)) ?? finder());
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
