import { nothing, render } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";

import { pips } from "../shared/amount.js";
import { ownPrefix } from "../shared/element.js";
import { focusIn, keepFocus } from "../shared/focus.js";
import { whenLaid } from "../shared/laid.js";
import { icon, side } from "../shared/marks.js";
import { middle } from "../shared/name.js";
import { heedOnce, once } from "../shared/press.js";
import { standing } from "../shared/reveal.js";
import { isWord, plain, rich, section } from "../shared/rich.js";
import { watchRules } from "../shared/rules.js";
import { voice } from "../shared/speech.js";
import { hear, listen, tell } from "../shared/tell.js";
import { html, tr } from "../shared/tongue.js";

/** @import { createForm, Form } from "../form/form.js" */
/** @import { createFinder } from "./find.js" */
/** @import { Port } from "../shared/port.js" */
/** @import { Action, BudgetData, Call, Group, Parts, Progress, Reaction, RollCall, Slot } from "../shared/types.js" */

/** More pips than this are told by their number alone. */
const MOST_PIPS = 8;
/** More pips than this are small. */
const MOST_WIDE = 3;
/** So many answers stand beside each other; the others fold away. */
const MOST_ANSWERS = 6;
/** Where no more than this can be done, all of it stands in the open, first. */
const FEW = 3;
/** What stays where it is, whatever is spent. */
const STAYS = ["attacks", "usual"];
/** A finger rests on nothing that could move up under it: what is spent makes room for what can be done. */
const IS_TOUCHED = matchMedia("(pointer: coarse)").matches;

/**
 * What somebody else puts on the desk in the place of the actions: what it is called, a word about it, what is left to
 * spend if it is about somebody (true if that stays), the element, and what is called when another thing takes its place. Without an element it
 * is taken away.
 * @typedef {{at: string, title?: string, note?: string, slots?: Slot[] | true, el?: HTMLElement, left?: () => void}} Panel
 *
 * What somebody may do out of turn, as their rung has it.
 * Behind one that goes `back`, whoever acts is shown again.
 * @typedef {{name: string, action: string, title?: string, params?: Record<string, unknown>, needs?: boolean, back?: boolean, moment?: number}} Wish
 */

/**
 * Shows what is left to spend and, below it on the desk, the one thing that is being done: what may be done, the form of
 * an action, the answer to a window, or what another part puts there. Answers with a function that takes the next state.
 *
 * @param {HTMLElement} root
 * @param {Port} port
 * @param {{part: boolean, signal: AbortSignal, form?: typeof createForm, finder?: typeof createFinder}} place `form` makes what asks
 *   for what an action still needs, `finder` what looks for one
 * @returns {(view: BudgetData) => void}
 */
export function createBudget(root, port, { part, signal, form: create, finder }) {
  const say = voice(root, part);
  const prefix = ownPrefix();
  /** @type {BudgetData} */
  let view;
  /** The action that asks for something, by its key, and whose it is. @typedef {{key: string, name: string, title: string, turns: number, call?: boolean, shown: boolean, form?: Form}} Open */
  /** @type {Open | undefined} */
  let open;
  /** What was asked of those whose budget is not shown now, as they left it; it holds until their turn is over.
   * @type {Map<string, Open>} */
  const aside = new Map();
  /** The answer that is worked out: in which window, whose, which of theirs. @type {{window: string, name: string, key: string, picked?: boolean, form?: Form} | undefined} */
  let answering;
  /** What a rung wants that is not shown yet. @type {Wish | undefined} */
  let wish;
  /** Whether the form that was laid aside for an answer comes back, and the focus with it. */
  let returns = false;
  /** @type {Panel | undefined} */
  let panel;
  /** What scrolls back to where the desk stood before that. @type {(() => void) | undefined} */
  let stood;
  /** What was shown last of the present. @type {BudgetData | undefined} */
  let present;
  /** The folded lines that are open. @type {Set<string>} */
  const unfolded = new Set();

  const outer = /** @type {HTMLElement} */ (root.closest(".ck-shell") ?? root);
  /** @param {string} selector */
  const find = (selector) => /** @type {HTMLElement | null} */ (root.querySelector(selector));
  const sought = () => find(".ck-find input");
  /** Where letters are shortcuts, if what had the focus is gone. */
  const top = () => find("h4");
  /** Where a hand rests when something is done, if this stands in a tracker. */
  const rest = () => /** @type {HTMLElement | null} */ (outer.querySelector(".ck-res"));
  /** @param {string} key */
  const buttonOf = (key) => find(`[data-key="${CSS.escape(key)}"]`);
  /** @param {string} key */
  const actionOf = (key) => /** @type {Action} */ (view.action[key]);
  const hasZone = () => Boolean(outer.querySelector(".ck-res"));
  /** Where the form in sight is filled in next. */
  const fill = () => {
    find(".ck-work")?.scrollIntoView({ block: "nearest" });
    formNow()?.start();
  };
  /** Nothing is done unseen: what stands in the place of the actions gives way. */
  const front = () => tell(root, "ck-front");
  /** Whether somebody types something here, or is asked how much a hit takes. */
  const types = () => {
    const on = /** @type {HTMLInputElement | null} */ (focusIn(outer));
    return Boolean(on?.matches("[data-owed]") || (on?.matches("input:not([type=checkbox], [type=range]), select, textarea") && on.value));
  };

  /** Says why not. @param {{reason: string}} refusal */
  const no = ({ reason }) => say(reason);
  /** The same where everything is said, if this stands in a tracker. @param {import("../shared/port.js").Refusal} refusal */
  const bar = ({ reason, rule }) => tell(root, "ck-refused", { reason, rule }) || say(reason);
  /** Shows whoever's turn it is again. */
  const goBack = () => port.send({ kind: "look", name: null }, no);

  /** What is answered on the desk, if it is not just told who may. */
  const asks = () => (view.asked?.soft ? undefined : view.asked);
  /** The form that is in sight, if one is. */
  const formNow = () => (view.past || panel ? undefined : asks() ? answering?.form : open?.shown ? open.form : undefined);
  let aimed = '{"names":[]}';
  let asked = "";
  /** Says whom the form in sight is aimed at, and what it asks that is answered elsewhere. */
  const aim = () => {
    const question = formNow()?.question();
    const words = question ? plain([...question.text, ...question.sub]) : "";
    if (words !== asked) tell(root, "ck-question", (asked = words) ? question : undefined);
    const form = formNow();
    const at = { names: form?.aims() ?? [], many: form?.isMany() };
    if (JSON.stringify(at) === aimed) return;
    aimed = JSON.stringify(at);
    tell(root, "ck-aim", at);
  };

  /** Another turn begins folded, and is read from its top. */
  const beginTurn = () => {
    search?.clear();
    unfolded.clear();
    whenLaid(() => {
      for (const each of [find(".ck-desk"), root.closest(".ck-parts")]) each?.scrollTo(0, 0);
    });
  };

  /** Closes what is open, or about to open. */
  const drop = () => {
    if (open?.form) open.form.dropped = true;
    open = undefined;
  };

  /** What every form is given. @param {(by: "sent" | "escape") => void} closed */
  const wants = (closed) => ({ table: view.dice === "table", final: view.seat || view.task, calm: view.seat, noted: true, zoned: hasZone(), say, changed: aim, closed });

  /**
   * Does an action, or opens the form that asks for what it needs.
   *
   * @param {string} key
   * @param {{explicit?: boolean, why?: Parts, call?: Call, override?: boolean, params?: Record<string, unknown>, back?: boolean, moment?: number}} [how] `call`: who is asked, if not whose budget it is
   */
  const press = (key, { explicit, why, call, override, params, back, moment } = {}) => {
    const name = call?.name ?? view.name ?? "";
    const again = open?.key === key && !override;
    // Who presses faster than Python answers closes nothing: one row after another is asked by itself, and keys come twice.
    if (again && !open?.shown) return;
    returns = false;
    drop();
    if (again || !create) return draw();
    const action = call && view.calls ? { id: view.calls.action, title: view.calls.title, needs: true } : actionOf(key);
    const given = params ?? ("params" in action ? action.params : {});
    /** @type {Open} */
    const mine = { key, name, title: action.title, turns: view.turns, call: Boolean(call), shown: false };
    open = mine;
    const from = focusIn(outer);
    const scrollBack = standing(find(".ck-desk"), outer);
    mine.form = create(
      port,
      {
        ...{ name, action: action.id, title: action.title, why, override, given, params: given, moment },
        ...{ act: view.group.attacks?.actions.includes(key) ? "Attack" : undefined, explicit, among: mine.call, direct: !explicit && !action.needs && !override && !view.seat },
        opened: () => {
          mine.shown = true;
          if (aside.get(name) === mine) return;
          open = mine;
          draw();
          // The person opened it, so the focus goes along, unless it is elsewhere by now.
          const now = focusIn(outer);
          if (!now || now === from || now === buttonOf(key) || now === sought()) fill();
        },
        ...wants((by) => {
          if (open === mine) open = undefined;
          const isElsewhere = !focusIn(root) && !focusIn(rest() ?? root);
          // In the filter the next letter would be typed.
          const stays = by === "escape" || !mine.shown;
          const rests = stays || isElsewhere ? undefined : rest();
          if (by === "sent") search?.clear();
          rests?.focus({ preventScroll: true });
          draw();
          scrollBack();
          if (back) {
            returns = true;
            goBack();
          }
          if (isElsewhere && focusIn(outer)) return;
          if (!rests) ((stays ? undefined : rest()) ?? buttonOf(key) ?? rest() ?? top())?.focus({ preventScroll: true });
          if (call && by === "sent") askNext(call);
        }),
      },
      `${prefix}-form`,
    );
    draw();
  };

  /** Says why an action can't be done now; the GM may allow it. @param {string} key @param {Parts} why */
  const refuse = (key, why) => {
    const { title } = actionOf(key);
    const words = plain(why.filter((part) => typeof part === "string"));
    const reason = words.toLowerCase().startsWith(title.toLowerCase()) ? words : `${title}: ${words}`;
    const rule = why.map((part) => (typeof part === "object" ? part.rule : undefined)).find(Boolean);
    const allow = view.seat || view.task ? undefined : () => press(key, { override: true, explicit: false });
    if (tell(root, "ck-refused", { reason, rule, allow })) return;
    say(reason === words ? plain(why) : `${title}: ${plain(why)}`);
    press(key, { why });
  };

  const calls = () => Object.entries(view.calls?.rows ?? {});
  /** Whose budget a form stands in; none in the table of those who are asked. @param {Open} each */
  const homeOf = (each) => (each.call ? null : each.name);
  /** Whose budget is shown: what a delta says is null is not there any more. */
  const whose = () => view.name ?? null;
  /** Whether it is still the question. @param {Open} each */
  const fits = (each) =>
    each.turns === view.turns && homeOf(each) === whose() && (whose() !== null || calls().some(([id, { name }]) => each.name === name && each.key === `of:${id}`));

  /** Lays a form aside that is about somebody else, and takes up what was asked of whoever is shown. */
  const settle = () => {
    if (open && !fits(open)) {
      aside.set(open.name, open);
      open = undefined;
    }
    for (const [name, each] of aside) {
      if (homeOf(each) !== whose()) continue;
      aside.delete(name);
      if (!open && fits(each)) open = each;
      else if (each.form) each.form.dropped = true;
    }
    if (open && homeOf(open) !== null && !view.action[open.key]) drop();
  };

  // ── what is asked in a window ──

  /** @param {Action} answer */
  const keyOf = ({ id, params }) => `answer:${id}:${params?.weapon ?? ""}`;

  /** Works an answer out. @param {Reaction} asked @param {Action} answer @param {boolean} [isWished] */
  const reply = (asked, answer, isWished) => {
    const name = view.name ?? "";
    if (answering?.form) answering.form.dropped = true;
    /** @type {NonNullable<typeof answering>} */
    const mine = { window: asked.window, name, key: keyOf(answer) };
    answering = mine;
    mine.form = create?.(
      port,
      {
        ...{ name, action: answer.id, title: answer.title, given: answer.params, params: answer.params ?? {}, always: true },
        // A seat's stands in the last row of its page; what must be answered can't be let go.
        beside: asked.must || view.seat ? nothing : passes(),
        opened: () => {
          if (answering !== mine) return;
          draw();
          if ((isWished || focusIn(outer)) && !types()) fill();
        },
        ...wants((by) => {
          if (focusIn(root) || focusIn(rest() ?? root) || by === "escape" || !focusIn(outer)) (rest() ?? top())?.focus({ preventScroll: true });
          draw();
        }),
      },
      `${prefix}-answer`,
    );
  };

  const passes = () => html`<button type="button" class="ck-btn is-pass" aria-keyshortcuts="L" @click=${once(pass)}>Let it go<kbd class="ck-k" aria-hidden="true">L</kbd></button>`;

  const pass = () => {
    if (!tell(root, "ck-pass", { name: view.name })) port.send({ kind: "pass", name: view.name }, no);
  };

  /** Keeps to what is asked now, and to what a rung wants. */
  const attend = () => {
    const wanted = wish && wish.name === view.name ? wish : undefined;
    if (wanted) wish = undefined;
    /** Of several alike the one with the same weapon. @param {Action} each */
    const isMeant = ({ id, params }) => id === wanted?.action && params?.weapon === wanted.params?.weapon;
    const { asked } = view;
    if (view.past) return;
    if (!asked?.answers.length) {
      if (answering?.form) answering.form.dropped = true;
      answering = undefined;
      if (wanted && view.action[wanted.action]) press(Object.keys(view.action).find((key) => isMeant(actionOf(key))) ?? wanted.action, wanted);
      return;
    }
    const keys = asked.answers.map(keyOf);
    const same = answering?.window === asked.window && answering.name === view.name && (asked.aside && !answering.key ? true : keys.includes(answering.key));
    if (same && !wanted?.action) {
      answering?.form?.look();
      if (wanted) fill();
      return;
    }
    if (!same) leave();
    const answer = asked.answers.find(isMeant) ?? asked.answers.find(({ id }) => id === wanted?.action) ?? (asked.aside ? undefined : asked.answers[0]);
    if (answer) reply(asked, answer, Boolean(wanted));
    else if (!same) {
      // Whoever nothing is aimed at chooses for themselves.
      if (answering?.form) answering.form.dropped = true;
      answering = { window: asked.window, name: view.name ?? "", key: "" };
    }
  };

  /** @param {Reaction} asked */
  const reaction = (asked) => {
    const { about, answers, choices = [], then, rest, others, notes, text, aside } = asked;
    /** @param {Action} answer */
    const pick = (answer) => html`<button type="button" class="ck-pick" data-key=${keyOf(answer)} aria-pressed=${answering?.key === keyOf(answer)} @click=${() => {
      reply(asked, answer, true);
      /** @type {NonNullable<typeof answering>} */ (answering).picked = true;
      draw();
    }}>${answer.title}${answer.brief ? nothing : html`<small aria-hidden="true">${answer.extra ?? answer.cost}</small>`}</button>${answer.brief ? html`<span>${answer.brief}</span>` : nothing}`;
    /** @param {Action[]} some */
    const picks = (some) => html`<div class="ck-row ${some.some(({ brief }) => brief) ? "is-told" : ""}" role="group" aria-label="With">${some.map(pick)}</div>`;
    /** Answers stand on the rungs, and here where there are none. @param {string} name @param {string} words @param {string} does */
    const next = (name, words, does) => html`<button type="button" class="ck-btn" aria-label="${words}: ${name}" @click=${once(() => tell(root, does, { name }))}>${words}</button>`;
    /** @param {typeof then} some @param {string} [kind] */
    const list = (some, kind = "") =>
      html`<ol class="ck-list" role="list">${some.map((other) => html`<li>${side(other.side)}<b>${other.name}</b><small>${other.text}</small><span class="a ${kind}">${next(other.name, "React", "ck-answer")}${asked.must ? nothing : next(other.name, "Let go", "ck-pass")}</span></li>`)}</ol>`;
    const [first, more] = [answers.slice(0, MOST_ANSWERS), answers.slice(MOST_ANSWERS)];
    const all = () => [picks(first), more.length ? fold("answers", html`<b>${more.length} more</b>`, () => picks(more)) : nothing];
    return html`<div role="group" aria-label=${answers.length ? `${view.name} reacts: ${about}` : choices.length ? `The GM decides: ${about}` : `May react: ${about}`} data-window=${asked.window}>
      ${text && (then.length || !hasZone()) ? html`<p class="ck-words">${text}</p>` : nothing}
      ${aside && !view.seat && !answering?.form ? html`<div class="ck-row">${passes()}</div>` : nothing}
      ${aside && view.seat && !answering?.form ? fold(`aside:${asked.window}`, html`<b>React</b> all the same`, all) : answers.length > 1 || aside ? all() : nothing}
      ${answering?.form?.el ?? nothing}
      ${choices.length && !hasZone()
        ? html`<div class="ck-row">${choices.map(([choice, title], index) => html`<button type="button" class="ck-btn ${index ? "" : "is-main"}" @click=${once(() => port.send({ kind: "resolve", answer: choice }, no))}>${title}</button>`)}</div>`
        : nothing}</div>
      ${then.length ? [html`<h5 class="is-next">${asked.soft ? "May react" : "Then, in any order"}</h5>`, list(then, "is-rail")] : nothing}
      ${others ? fold(`rest:${asked.window}`, html`<b>${others > 1 ? `${others} others` : "1 other"}</b> may react too`, () => list(rest)) : nothing}
      ${notes.map((parts) => html`<div class="ck-fold">${icon("slash")}<span class="t">${rich(parts.filter((each) => typeof each === "string"))}</span>${section(parts, plain(parts))}</div>`)}`;
  };

  // ── everybody is asked ──

  /** Whoever is asked next has said nothing yet. @param {Call} last */
  const askNext = (last) => {
    const [id, next] = calls().find(([, call]) => !call.said && call.name !== last.name) ?? [];
    if (!id || !next) return;
    buttonOf(`of:${id}`)?.focus();
    press(`of:${id}`, { call: next });
  };

  /** Everybody who is asked in this step, a row each, and the form of one. @param {RollCall} asked */
  const rollCall = ({ title }) =>
    html`<ul class="ck-list" role="list" aria-label=${title}>${repeat(
      calls(),
      ([id]) => id,
      ([id, call]) => {
        const key = `of:${id}`;
        const form = formIn(key);
        const words = call.said ? "Change" : title;
        return html`<li>${side(call.side)}<b>${call.name}</b><small>${call.said}</small><span class="a">${view.players ? nothing : html`<button type="button" class="ck-btn is-mini" data-key=${key} aria-expanded=${Boolean(form)}
          aria-label="${words}: ${call.name}" @click=${() => press(key, { call })}>${words}</button>`}</span></li>${form ? html`<li class="is-form">${form.el}</li>` : nothing}`;
      },
    )}</ul>`;

  // ── what may be done ──

  /** The open form of an action; in the past it is out of sight. @param {string} key */
  const formIn = (key) => (!view.past && open?.shown && open.key === key ? open.form : undefined);

  /** @param {string} key @param {Parts} [why] why it can't be done now @param {number} [number] the figure that does the same */
  const act = (key, why, number) => {
    const { id, title, extra, cost, needs, uses, urgent } = actionOf(key);
    const [count = 0, whole = 0] = uses ?? [];
    const left = uses ? `${count} of ${whole} left` : "";
    const beside = [extra, left].filter(Boolean).join(" · ");
    const few = whole && whole <= MOST_PIPS ? pips(whole, count, 0, true) : nothing;
    const label = html`<span class="n">${title}</span>${beside ? html`<span class="x" aria-hidden="true">${beside} ${few}</span>` : nothing}${
      cost ? html`<span class="x ck-end" aria-hidden="true">${cost}</span>` : nothing
    }${number ? html`<kbd class="ck-k" aria-hidden="true">${number}</kbd>` : nothing}`;
    if (view.players) return html`<span class="ck-act is-flat ${why ? "is-off" : ""}">${label}</span>`;
    const form = formIn(key);
    return html`<button type="button" class=${urgent ? "ck-act is-urgent" : "ck-act"} data-key=${key} data-action=${id} aria-disabled=${why ? "true" : nothing}
      aria-keyshortcuts=${number ?? nothing} aria-describedby=${why ? `${prefix}-${key.replace(/\W/g, "-")}` : nothing} aria-description=${(!why && left) || nothing}
      aria-expanded=${needs || form ? Boolean(form) : nothing} aria-controls=${form ? `${prefix}-form` : nothing}
      @click=${once((event) => (why && !form ? refuse(key, why) : press(key, { explicit: event.shiftKey })))}>${label}</button>${
        why ? html`<span class="ck-sr" id="${prefix}-${key.replace(/\W/g, "-")}">${plain(why)}</span>` : nothing
      }${form?.el ?? nothing}`;
  };

  /** Why an action is refused, in whatever line it stands. @param {Group | undefined} group @param {string} key */
  const whyOf = (group, key) => group?.whys?.[group.own?.[key] ?? 0] ?? (view.action[key]?.off == null ? undefined : view.whys[/** @type {number} */ (view.action[key]?.off)]);

  /** What costs the same, or stays in its place. @param {Group} group */
  const listed = (group) =>
    html`<div class=${group.id === "attacks" ? "ck-attacks" : "ck-usual"} role="group" aria-label=${group.title} data-group=${group.id}>${repeat(
      group.actions,
      (key) => key,
      (key, index) => act(key, whyOf(group, key), group.id === "attacks" && index < 3 && root !== outer ? index + 1 : undefined),
    )}</div>`;

  /** A line that opens. @param {string} id @param {unknown} words @param {() => unknown} inner @param {unknown} [mark] */
  const fold = (id, words, inner, mark) => {
    const isOpen = unfolded.has(id);
    const turn = () => {
      if (!unfolded.delete(id)) unfolded.add(id);
      // The line of all that can't be done now gives way to a line for each reason.
      keepFocus(root, draw, () => find("h5 + .ck-fold > button"));
    };
    return html`<div class="ck-fold"><button type="button" aria-expanded=${isOpen} @click=${turn}>${icon("chevron")}<span class="t">${words}</span></button>${mark ?? nothing}</div>${isOpen ? inner() : nothing}`;
  };

  const groupsOf = (/** @type {string[]} */ ids) => ids.flatMap((id) => view.group[id] ?? []);

  /** Where nothing can be done now, a line for each reason, below what made room; one line while a form is open. @param {Group[]} late */
  const notNow = (late) => {
    const folds = groupsOf(view.folds);
    if (!folds.length && !late.length) return nothing;
    const each = (/** @type {Group} */ group) => {
      const reasons = new Set(group.whys?.map((why) => plain(why.filter((part) => typeof part === "string"))));
      const several = reasons.size > 1;
      const [said = ""] = several ? [tr("can't be done now")] : reasons;
      // "5 actions need a standard action", but "Stand up: Mara is not prone."
      const words = several ? ` ${said}` : group.actions.length > 1 && /^Needs /.test(said) ? ` n${said.slice(1).replace("eeds", "eed")}` : `: ${said}`;
      const all = (group.whys ?? []).flat();
      return fold(group.id, html`<b>${group.title}</b>${words}`, () => listed(group), section(all, `${group.title}${words}`));
    };
    if (!formNow() || unfolded.has("not now")) return [html`<h5>Not now</h5>`, late.map(listed), folds.map(each)];
    const count = [...late, ...folds].reduce((sum, { actions }) => sum + actions.length, 0);
    return fold("not now", html`<b>${count} not now</b>`, () => nothing, section(folds.flatMap(({ whys }) => (whys ?? []).flat()), `${count} not now`));
  };

  /** How many actions can be done now. */
  const possible = () => groupsOf(view.groups).flatMap(({ actions }) => actions.filter((key) => view.action[key]?.off == null)).length;

  /** What is done from a rung, or allowed by the GM, though it can't be done here: with its form it stands first. */
  const allowed = () => {
    const key = open?.shown && !view.past ? open.key : "";
    const group = groupsOf(view.folds).find(({ id, actions: keys }) => keys.includes(key) && !(unfolded.has("not now") && unfolded.has(id)));
    return group ? html`<div class="ck-usual" role="group" aria-label="Now">${act(key, whyOf(group, key))}</div>` : nothing;
  };

  const actions = () => {
    const minds = view.about ?? [];
    const about = minds.length
      ? html`<div class="ck-about"><p>${rich(minds.filter(isWord))}</p>${section(minds, plain(minds.slice(0, 1)))}</div>`
      : nothing;
    const can = view.players ? nothing : search?.field(possible());
    const found = view.players ? undefined : search?.found();
    if (found) return [about, can, found];
    const rest = groupsOf(view.groups.filter((id) => !STAYS.includes(id)));
    const count = rest.reduce((sum, { actions: keys }) => sum + keys.length, 0);
    const inside = () => rest.map((group) => html`${isAlone ? nothing : html`<h6 class="ck-cost">${group.title}${group.small ? html` <small>${group.small}</small>` : nothing}</h6>`}${listed(group)}`);
    const keys = new Set(rest.flatMap((group) => group.actions));
    const few = possible() <= FEW;
    const isOpen = open?.shown && keys.has(open.key);
    // Over its form nothing else would stand below a heading, and the form says what it is.
    const isAlone = isOpen && count === 1 && formNow();
    if (isOpen) unfolded.add("more");
    // Attacks of which none can be done stand behind what can, where nothing keeps its place.
    const isLate = (/** @type {string} */ id, /** @type {string} */ key) =>
      IS_TOUCHED ? view.action[key]?.off != null && open?.key !== key : id === "attacks" && id === view.groups.at(-1);
    const [early, late] = [false, true].map((is) =>
      groupsOf(view.groups.filter((id) => STAYS.includes(id)))
        .map((group) => ({ ...group, actions: group.actions.filter((key) => isLate(group.id, key) === is) }))
        .filter((group) => group.actions.length),
    );
    const staying = (/** @type {Group[] | undefined} */ groups = []) => repeat(groups, ({ id }) => id, (group) => html`<h5>${group.title}</h5>${listed(group)}`);
    return [
      about,
      can,
      allowed(),
      count && few ? [isAlone ? nothing : html`<h5>Now</h5>`, inside()] : nothing,
      staying(early),
      count && !few ? fold("more", html`<b>${count} more</b> ${view.name} can do now`, inside) : nothing,
      IS_TOUCHED ? nothing : staying(late),
      notNow(IS_TOUCHED && late ? late : []),
    ];
  };

  const draw = () => {
    // Where nobody acts, what was shown last stays in the view, unseen.
    const hasAny = view.name != null && view.groups.length + view.folds.length > 0;
    const shown = view.past ? undefined : panel;
    const desk = () => {
      if (shown) return shown.el;
      // What whoever acts can do lies behind a line: it lets the others' answers pass.
      const soft = view.asked?.soft ? fold(`soft:${view.asked.window}`, html`<b>${view.name}</b> plays on; then nobody reacts`, actions) : nothing;
      if (view.asked && !view.past) return [reaction(view.asked), soft];
      if (hasAny) return actions();
      if (view.calls) return rollCall(view.calls);
      return view.name == null && !view.players ? html`<p class="ck-words">Pick somebody on the ladder to see their actions.</p>` : nothing;
    };
    const said = calls().filter(([, call]) => call.said).length;
    const { back: called } = view;
    // Whoever is asked what they will do has spent nothing: no line waits for it above them.
    const slots = shown && shown.slots !== true ? shown.slots : hasAny || view.asked ? view.slots : view.calls ? undefined : [];
    render(
      html`<section class="ck-budget" role="group" aria-label="Action budget: ${view.name ?? "nobody"}" aria-busy=${view.busy ? "true" : nothing}>
        <div class="ck-cap"><h4 tabindex="-1">${middle(shown?.title ? tr(shown.title) : (view.name ?? tr(view.calls?.title ?? "It's nobody's turn")))}</h4>${
          called && !shown ? html`<button type="button" class="ck-btn is-back" @click=${goBack}>Back to ${middle(called)}</button>` : nothing
        }<span class="ck-end">${shown ? shown.note : (view.calls && !view.past ? `${said} of ${calls().length}` : view.caption)}</span></div>
        ${slots ? html`<div class="ck-slots">${slots.map(slot)}</div>` : nothing}
        <div class="ck-desk">${hasAny && !shown ? (view.progress ?? []).map(progress) : nothing}${desk()}${
          view.coming && !shown ? [html`<h5 class="is-next">On their way</h5>`, html`<ol class="ck-list" role="list">${view.coming.map((each) => html`<li>${side(each.side)}<b>${each.name}</b><small title=${each.said}>${each.said}</small></li>`)}</ol>`] : nothing
        }</div></section>`,
      root,
    );
    aim();
  };

  const search = finder?.({
    ...{ outer, view: () => view, act, say, draw, rest },
    all: () => groupsOf([...view.groups, ...view.folds]).flatMap((group) => group.actions.map((key) => [key, whyOf(group, key), group.whys || STAYS.includes(group.id) ? "" : group.title])),
    take: (key, why, explicit) => (why ? refuse(key, why) : press(key, { explicit })),
    note: (text) => port.send({ kind: "trigger", by: [view.name], to: [], text }, bar),
  });

  // ── what others of the stage say ──

  /** Another thing takes the place of what somebody else has put on the desk. */
  const leave = () => {
    const last = panel;
    panel = undefined;
    last?.left?.();
  };

  /** @template T @param {string} name @param {(detail: T) => unknown} act */
  const heed = (name, act) => hear(outer, name, act, signal);
  heed("ck-desk", (/** @type {Panel} */ next) => {
    if (!next.el && panel?.at !== next.at) return;
    if (panel?.at !== next.at) leave();
    if (next.el && !panel) stood = standing(find(".ck-desk"), outer);
    panel = next.el ? next : undefined;
    keepFocus(root, draw, () => rest() ?? top());
    if (!panel) stood?.();
    if (next.el) whenLaid(() => find(".ck-desk")?.scrollTo(0, 0));
  });
  heed("ck-pick", (/** @type {{name: string | string[]}} */ { name }) => formNow()?.aimAt(name) ?? false);
  // While everybody is asked, a rung leads to what is asked of its own; once that is open, to all they can do.
  heed("ck-call", (/** @type {{name: string}} */ { name }) => {
    const [id, call] = (panel || view.players ? [] : calls()).find(([, each]) => each.name === name) ?? [];
    const key = `of:${id}`;
    if (!call || open?.key === key) return false;
    buttonOf(key)?.focus();
    press(key, { call });
    return true;
  });
  heed("ck-leave", () => {
    const form = formNow();
    // Of whoever acts, and is not the one who is shown.
    const laid = view.back == null ? undefined : aside.get(view.back);
    const tells = (/** @type {string} */ reason) => tell(root, "ck-refused", { reason, rule: "" });
    const dice = (/** @type {string | undefined} */ title, /** @type {string | null | undefined} */ name) => `${title}: ${name}'s dice aren't sent yet; send them, or cancel.`;
    if (laid?.form?.isThrown()) {
      goBack();
      return tells(dice(laid.title, laid.name));
    }
    // What was tapped and is still asked about is not overtaken.
    if (open && !open.shown && !open.call) return tells(`${open.title} isn't done yet: do this once it is.`);
    const asked = asks();
    if (!form || !(form.isTouched() || form.isThrown() || (asked && answering?.picked))) return false;
    const { title = "This answer" } = (asked ? asked.answers.find((each) => keyOf(each) === answering?.key) : open && view.action[open.key]) ?? {};
    const { name } = view;
    fill();
    return tells(!asked ? (form.isThrown() ? dice(title, name) : `${title}: ${name}'s choice isn't sent yet; send it, or cancel.`) : `${title}: ${name}'s answer isn't sent yet; send it, or let it go.`);
  });
  // What happened somewhere else may count for what is asked here.
  heed("ck-look", () => (asks() ? answering : open)?.form?.look());
  heed("ck-next", (/** @type {boolean | null} */ stays) => {
    if (formNow()) front();
    if (!stays) formNow()?.next();
    fill();
  });
  heed("ck-answer", (/** @type {Wish} */ wanted) => {
    const { name, action, params = {}, needs } = wanted;
    front();
    if (action && !needs && view.dice !== "table") {
      port.send({ kind: "do", name, action, params }, bar);
      return;
    }
    leave();
    wish = { ...wanted, moment: port.moment() };
    if (view.name !== name) port.send({ kind: "look", name }, no);
    else {
      attend();
      draw();
    }
  });

  watchRules(root, port.ask, say, signal);
  heedOnce(root, signal);
  // Where nothing else is left by it, what is looked for is.
  listen(root, "keydown", signal, (event) => {
    if (event.key !== "Escape" || !search?.clear()) return;
    event.stopPropagation();
    draw();
    (rest() ?? sought())?.focus();
  });
  listen(outer, "keydown", signal, (event) => {
    if (event.key !== "/" || event.target.closest("input:not([type=checkbox],[type=radio],[type=range]),select,textarea")) return;
    // Where nothing is looked for, it leads to what everybody is asked.
    const [id] = calls().find(([, { said }]) => !said) ?? [];
    const to = sought() ?? buttonOf(`of:${id}`);
    if (!to && !search) return;
    event.preventDefault();
    if (!to) return say("Nothing to look for now.");
    front();
    if (!sought() && formNow()) fill();
    else to.focus();
  });
  return (next) => {
    const last = open;
    const isNew = view?.name !== next.name;
    say("");
    view = next;
    if (!next.past) {
      if (present && (next.name !== present.name || next.turns !== present.turns)) beginTurn();
      present = next;
      settle();
      open?.form?.look();
      attend();
    }
    keepFocus(root, draw, () => (isNew && rest()) || ((last && buttonOf(last.key)) ?? top()));
    if (returns && formNow()) {
      returns = false;
      if (!types()) fill();
    }
  };
}

/** @param {Slot} slot */
const slot = ({ title, total = 0, left = 0, off = 0, unlimited }) =>
  unlimited != null
    ? html`<div class="ck-slot"><span class="n">${title}</span><span class="v"><span aria-hidden="true">∞</span
        ><span class="ck-sr">no limit</span><span>${unlimited}</span></span></div>`
    : html`<div class="ck-slot ${left ? "" : "is-out"}" role="meter" aria-label=${title} aria-valuemin="0" aria-valuenow=${left}
        aria-valuemax=${total} aria-valuetext="${left} of ${total} left"><span class="n">${title}</span><span class="v">${
          total > MOST_PIPS ? nothing : pips(total, left, off, total > MOST_WIDE)
        }<span>${left}/${total}</span></span></div>`;

/** @param {Progress} progress */
const progress = ({ title, done, total, text }) =>
  html`<div class="ck-prog"><b>${title}</b><span class="m" role="progressbar" aria-label=${title} aria-valuemin="0"
      aria-valuenow=${done} aria-valuemax=${total} aria-valuetext="${done} of ${total} done"><span class="ck-bar" .style="--v:${done / total}"></span>${done}/${total}</span>
    <small>${rich(text)}</small></div>`;
