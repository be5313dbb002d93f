import { html, nothing, render } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";

import { pips } from "../shared/amount.js";
import { enter, focusIn, keepFocus } from "../shared/focus.js";
import { icon, side } from "../shared/marks.js";
import { items, plain, rich } from "../shared/rich.js";
import { watchRules } from "../shared/rules.js";
import { voice } from "../shared/speech.js";

/** @import { createForm, Form } from "../form/form.js" */
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
   * @typedef {{group: string, action: string, name: string, turns: number, why: boolean, shown: boolean, form?: Form}} Open */
  /** @type {Open | undefined} */
  let open;
  /** What was asked of those whose budget is not shown now, as they left it; it holds until their turn is over.
   * @type {Map<string, Open>} */
  const aside = new Map();
  /** What was shown last of the present. @type {BudgetData | undefined} */
  let present;
  /** @type {typeof createForm | undefined} */
  let create;
  /** @type {Promise<void> | undefined} */
  let coming;
  /** The folded groups that are open. @type {Set<string>} */
  const unfolded = new Set();
  /** What is looked for among the actions. */
  let query = "";
  /** What is noted for the log. */
  let noting = "";

  const outer = /** @type {HTMLElement} */ (root.closest(".ck-shell") ?? root);
  const finder = () => /** @type {HTMLInputElement | null} */ (root.querySelector(".ck-find input"));

  /** Where letters are shortcuts, if what had the focus is gone. */
  const top = () => root.querySelector(/** @type {"h4"} */ ("h4"));

  const goOn = () => outer.querySelector(/** @type {"button"} */ (".ck-ctl .is-main"));

  /** What was looked for has been found, or was for another turn. */
  const forget = () => {
    query = "";
  };

  /** Another turn begins folded, and is read from its top. */
  const beginTurn = () => {
    forget();
    unfolded.clear();
    root.querySelector(".ck-budget")?.scrollTo(0, 0);
  };

  const nothingFound = () => `No action matches \u201c${query.trim()}\u201d.`;

  const noted = () => {
    const text = noting.trim();
    noting = "";
    return text ? { note: text } : {};
  };

  const onNote = (/** @type {any} */ { target }) => {
    noting = target.value;
    draw();
  };

  /** @param {string} group @param {string} action */
  const buttonOf = (group, action) =>
    /** @type {HTMLElement | null} */ (root.querySelector(`[data-group="${CSS.escape(group)}"] [data-action="${CSS.escape(action)}"]`));

  /** @param {Group} group @param {number | null | undefined} index */
  const idOf = ({ id }, index) => `${prefix}-${id.replace(/\W/g, "-")}-${index}`;

  /** Closes what is open, or about to open. */
  const drop = () => {
    if (open?.form) open.form.dropped = true;
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
    const action = call ? { id, title: view.calls?.title ?? id, needs: true } : actionOf(id);
    const why = group.whys?.[group.own?.[id] ?? 0];
    if (why) say(`${action.title}: ${plain(why)}`);
    /** @type {Open} */
    const mine = { group: group.id, action: id, name, turns: view.turns, why: Boolean(why), shown: false };
    open = mine;
    mine.form = create(
      port,
      {
        name,
        action: action.id,
        title: action.title,
        why,
        table: view.dice === "table",
        final: view.seat,
        explicit,
        direct: !explicit && !action.needs,
        more: noted,
        unsent: ({ note }) => {
          noting ||= String(note ?? "");
          draw();
        },
        given: "params" in action ? action.params : {},
        params: "params" in action ? action.params : {},
        say,
        opened: () => {
          mine.shown = true;
          if (aside.get(name) === mine) return;
          open = mine;
          draw();
          // The person opened it, so the focus goes along, unless it is elsewhere by now.
          const from = focusIn(root);
          if (!why && (from === buttonOf(mine.group, mine.action) || (from && from === finder()))) enter(root.querySelector(".ck-targets"));
        },
        closed: (by) => {
          if (open === mine) open = undefined;
          const isFound = by === "sent" && focusIn(root) === finder();
          if (by === "sent") forget();
          keepFocus(root, draw, () => buttonOf(mine.group, mine.action));
          // In the filter the next letter would be typed.
          if (isFound) (buttonOf(mine.group, mine.action) ?? top())?.focus();
          if (call && by === "sent") askNext(call);
        },
      },
      `${prefix}-form`,
    );
    draw();
  };

  const calls = () => Object.entries(view.calls?.rows ?? {});

  /** Whose budget a form stands in; none in the table of those who are asked. @param {Open} each */
  const homeOf = (each) => (each.group.startsWith("of:") ? null : each.name);

  /** Whether it is still the question. @param {Open} each */
  const fits = (each) =>
    each.turns === view.turns &&
    homeOf(each) === view.name &&
    (view.name !== null || calls().some(([id, { name }]) => each.name === name && each.group === `of:${id}`));

  /** Lays a form aside that is about somebody else, takes up what was asked of whoever is shown, and finds its group. */
  const settle = () => {
    if (open && !fits(open)) {
      aside.set(open.name, open);
      open = undefined;
    }
    for (const [name, each] of aside) {
      if (homeOf(each) !== view.name) continue;
      aside.delete(name);
      if (!open && fits(each)) open = each;
      else if (each.form) each.form.dropped = true;
    }
    const mine = open;
    const holds = (/** @type {string} */ id) => view.group[id]?.actions.includes(mine?.action ?? "");
    if (mine && homeOf(mine) !== null && !(view.groups.includes(mine.group) && holds(mine.group))) {
      mine.group = [...view.groups, ...(mine.why ? view.folds : [])].find(holds) ?? mine.group;
    }
  };

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
        const form = formIn(group, action);
        return html`<div class="ck-cost" role="listitem" data-group=${group}><div class="ck-cost-h">${side(call.side)} ${call.name}</div>
          <div class="ck-acts"><button type="button" class="ck-act" data-action=${action} aria-expanded=${Boolean(form)}
            aria-label="${title}: ${call.name}" @click=${() => press({ id: group }, action, false, call)}>${
            call.said || title
          }</button></div>${form?.form?.el ?? nothing}</div>`;
      },
    )}</div>`;

  /** The actions of a group that what is looked for stands in: by their words, or by what they cost. @param {Group} group */
  const wanted = (group) => {
    const words = sought();
    return group.actions.filter((id) => {
      const { title, extra, names, cost } = actionOf(id);
      return [title, extra, names, cost, group.whys ? "" : group.title].join(" ").toLowerCase().includes(words);
    });
  };

  const shown = () => [...view.groups, ...view.folds].flatMap((id) => view.group[id] ?? []);

  /** What is looked for; where nothing can be done there is no box for it. */
  const sought = () => (view.players ? "" : query.trim().toLowerCase());

  const hits = () => shown().flatMap((group) => wanted(group).map((id) => /** @type {const} */ ([group, id])));

  /** The open form of an action in its group; in the past it is out of sight. @param {string} group @param {string} action */
  const formIn = (group, action) => (!view.past && open?.shown && open.group === group && open.action === action ? open : undefined);

  /** The buttons of a group, and the form of one. @param {Group} group */
  const acts = (group) => {
    const form = group.actions.map((id) => formIn(group.id, id)).find(Boolean);
    const [[of, first] = []] = sought() ? hits() : [];
    return html`<div class="ck-acts">${repeat(
      wanted(group),
      (id) => id,
      (id) => {
        const action = actionOf(id);
        const isOpen = form?.action === id;
        const why = idOf(group, group.own?.[id] ?? 0);
        const [left = 0, total = 0] = action.uses ?? [];
        const uses = action.uses ? `${left} of ${total} left` : "";
        const beside = [group.whys ? "" : action.cost, action.extra, uses].filter(Boolean).join(" · ");
        const label = html`${group.whys ? icon("slash") : nothing}${action.title}${beside
          ? html`<span class="x" aria-hidden="true">${beside} ${total && total <= MOST_PIPS ? pips(total, left, 0, true) : nothing}</span>`
          : nothing}`;
        if (view.players) return html`<span class="ck-act is-flat">${label}</span>`;
        const number = group.id === "attacks" && root !== outer ? wanted(group).indexOf(id) + 1 : 0;
        return html`<button type="button" class="ck-act ${of === group && first === id ? "is-first" : ""}" data-action=${id}
          aria-disabled=${group.whys ? "true" : nothing} aria-keyshortcuts=${number && number < 4 ? number : nothing}
          aria-describedby=${group.whys ? `${why} ${why}-rule` : nothing} aria-description=${uses && !group.whys ? uses : nothing}
          aria-expanded=${action.needs || isOpen ? isOpen : nothing} aria-controls=${isOpen ? `${prefix}-form` : nothing}
          @click=${(/** @type {MouseEvent} */ event) => press(group, id, event.shiftKey)}>${label}</button>`;
      },
    )}</div>${form?.form?.el ?? nothing}`;
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
    const isOpen = Boolean(sought()) || unfolded.has(group.id);
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
      const [hit] = sought() ? hits() : [];
      if (event.key === "Enter" && hit) press(...hit, event.shiftKey);
      else if (event.key === "Enter" && sought()) say(nothingFound());
      else if (event.key === "Escape" && query) query = "";
      else if (event.key === "Escape") goOn()?.focus();
      else return;
      event.preventDefault();
      event.stopPropagation();
      draw();
    };
    const onInput = (/** @type {any} */ { target }) => {
      query = target.value;
      draw();
    };
    const count = shown().reduce((sum, { actions }) => sum + actions.length, 0);
    return html`<div class="ck-field ck-find"><input placeholder="Find an action" aria-label="Find an action" aria-keyshortcuts="/"
      @keydown=${onKey} .value=${query} @input=${onInput} /><span class="ck-label" aria-live="off">${sought() ? `${hits().length} of ` : ""}${count} action${count === 1 ? "" : "s"}</span></div>${
      sought() && !hits().length ? html`<p class="ck-why">${nothingFound()}</p>` : nothing}`;
  };

  const draw = () => {
    // Where nobody acts, what was shown last stays in the view, unseen.
    const [groups, folds] = view.name == null ? [[], []] : [view.groups, view.folds];
    const hasAny = groups.length + folds.length > 0;
    render(
      html`<section class="ck-budget" role="group" aria-label="Action budget: ${view.name ?? "nobody"}" aria-busy=${view.busy ? "true" : nothing}>
        <div class="ck-cap"><h4 tabindex="-1">${view.name ?? view.calls?.title ?? "It's nobody's turn"}</h4><span class="ck-label">${view.calls ? `${calls().filter(([, { said }]) => said).length} of ${calls().length}` : view.caption}</span></div>
        ${hasAny ? html`<div class="ck-slots">${view.slots.map(slot)}</div>${(view.progress ?? []).map(progress)}` : nothing}
        ${hasAny && !view.players ? find() : nothing}
        <div class="ck-doing">${repeat(
          groups.flatMap((id) => view.group[id] ?? []),
          ({ id }) => id,
          cost,
        )}${folds.length ? html`<h5 class="ck-cap" ?hidden=${!folds.some((id) => view.group[id] && wanted(view.group[id]).length)}>Not now</h5>` : nothing}${repeat(
          folds.flatMap((id) => view.group[id] ?? []),
          ({ id }) => id,
          fold,
        )}</div>
        ${view.calls ? rollCall(view.calls) : nothing}
        ${view.players || !hasAny
          ? view.name == null && !view.players && !view.calls
            ? html`<p class="ck-why">Pick somebody on the ladder to see their actions.</p>`
            : nothing
          : html`<div class="ck-noting"><label class="ck-field">Note<input placeholder="for the log" .value=${noting} @input=${onNote} /></label>
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
    const isNew = view?.name !== next.name;
    const isBack = view?.past && !next.past;
    say("");
    view = next;
    if (!next.past) {
      if (present && (next.name !== present.name || next.turns !== present.turns)) beginTurn();
      present = next;
      const was = open;
      settle();
      if (isBack || open !== was) open?.form?.look();
    }
    if (!view.players) coming ??= bring().then((brought) => void (create = brought.createForm));
    keepFocus(root, draw, () => (isNew && goOn()) || ((last && buttonOf(last.group, last.action)) ?? top()));
    // Whose turn it is now sees what comes first; and so does whoever is led back to the top.
    if (isNew || focusIn(root) === top()) /** @type {Element} */ (root.querySelector(".ck-budget")).scrollTop = 0;
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
      aria-valuenow=${done} aria-valuemax=${total} aria-valuetext="${done} of ${total}"><span class="ck-bar" .style="--v:${done};--f:${total}"></span>${done}/${total}</span>
    <small>${items(text)}</small></div>`;
