import { nothing, render } from "lit-html";
import { guard } from "lit-html/directives/guard.js";
import { repeat } from "lit-html/directives/repeat.js";

import { pips, vitalsOf } from "../shared/amount.js";
import { clock } from "../shared/clock.js";
import { focusIn, keepFocus } from "../shared/focus.js";
import { whenLaid } from "../shared/laid.js";
import { icon, isGone, markOf, token } from "../shared/marks.js";
import { middle } from "../shared/name.js";
import { claim, once } from "../shared/press.js";
import { plain, rich } from "../shared/rich.js";
import { reveal } from "../shared/reveal.js";
import { voice } from "../shared/speech.js";
import { listen, tell } from "../shared/tell.js";
import { html, tr } from "../shared/tongue.js";
import { vital } from "../shared/vital.js";
import { folded, kindsOf, people, summed } from "./kinds.js";
import { placeBehind, placeText, rungAbove, tabStop } from "./order.js";
import { cells, strip, tens } from "./strips.js";

/** @import { Port } from "../shared/port.js" */
/** @import { create, Sheet } from "../sheet/sheet.js" */
/** @import { Kind } from "./kinds.js" */
/** @import { Act, Cells, LadderData, Parts, Row, Ticks } from "../shared/types.js" */

/** How many are asked for at once from a rung: the first answer, and to let it go. */
const ANSWERS = 2;
/** A rung's own buttons: Tab goes on into them. */
const OWN = ".is-own";
/** What is pressed for itself, not for its rung. */
const PRESSED = "button, form, label";
/** Longer words of a rung are told by more than their first letters, or not at all; one so short whole. */
const SHORT = 8;
/** Words that end with a number, or with a few that follow it; and those in which one stands. */
const ENDS = /^(.*?)(\s[+\u2212-]?\d.{0,14})$/su;
const HOLDS = /^(.*)(\s[+\u2212-]?\d\S*)(.*)$/su;
/** So far the pointer moves before a press becomes a drag. */
const DRAG_FROM = 5;

/**
 * Shows who acts when. Answers with a function that takes the next state.
 *
 * @param {HTMLElement} root
 * @param {Port} port
 * @param {{part: boolean, signal: AbortSignal, sheet?: typeof create, unfolded?: Set<string>}} place `part`: it stands in
 *   another widget, which shows the clock; `sheet`: makes what the GM does on rungs; `unfolded`: the kinds that are open
 * @returns {(view: LadderData) => void}
 */
export function createLadder(root, port, { part, signal, sheet: make, unfolded = new Set() }) {
  const say = voice(root, part);
  const outer = /** @type {HTMLElement} */ (root.closest(".ck-shell") ?? root);
  /** @type {LadderData} */
  let view;
  /** @type {string | undefined} */
  let stop;
  /** What is being put elsewhere: by keys (an index into the legal places) or by the pointer.
   * @type {{id: string, key?: number, at?: string, y: number, from: number, middles?: number[], moved?: boolean} | undefined} */
  let moving;

  /** What stands on the ladder, from its top: a rung by its id, or the key of a kind. @type {string[]} */
  let shown = [];
  /** What the GM does on rungs; only where there is a GM. @type {Sheet | undefined} */
  let sheet;
  /** Where each rung was when all was laid out last. @type {Map<Element, number>} */
  let tops = new Map();
  /** A drag ends with a click that is none. */
  let dragged = false;

  /** @param {string | undefined} id */
  const rungOf = (id) => /** @type {HTMLElement | undefined} */ (list()?.children[shown.indexOf(id ?? "")]);
  /** Goes back to a part of a rung, or to the rung; of who has been folded, to where Tab comes in.
   * @param {string | undefined} id @param {string} part */
  const back = (id, part) => /** @type {HTMLElement | null | undefined} */ (rungOf(id)?.querySelector(part) ?? rungOf(id) ?? rungOf(stop))?.focus();
  const mayDelay = () => !view.players && view.delay;
  const list = () => root.querySelector(/** @type {"ol"} */ (".ck-ladder"));

  /** @param {EventTarget | null} target */
  const idOf = (target) => {
    const rung = /** @type {HTMLElement} */ (target).closest("li");
    return rung ? shown[[...(list()?.children ?? [])].indexOf(rung)] : undefined;
  };

  /** @param {{reason: string}} refusal */
  const refuse = ({ reason }) => say(reason);

  /** Whom an open form aims at. @type {Set<string>} */
  let aimed = new Set();
  /** Whether the whole ladder is shown where there is room for a rail only. */
  let isAll = false;

  /** @param {string} id */
  const look = (id) => {
    const name = view.rows[id]?.name;
    if (name === undefined) unfold(id);
    else if (!tell(root, "ck-pick", { name }) && !tell(root, "ck-call", { name })) {
      port.send({ kind: "look", name }, refuse);
      giveWay();
    }
  };

  /** Where the whole ladder stands over the desk, it gives way to what comes there. */
  const giveWay = () => {
    if (!isAll) return;
    isAll = false;
    keepFocus(root, draw, () => rungOf(stop));
  };

  /** @param {string} key of a kind */
  const unfold = (key) => {
    if (!unfolded.delete(key)) unfolded.add(key);
    keepFocus(root, draw, () => rungOf(key));
  };

  const putBack = () => {
    moving = undefined;
    draw();
  };

  /** @param {[string, number | null]} place */
  const delayTo = ([, count]) => {
    const name = view.delay?.name;
    moving = undefined;
    draw();
    port.send({ kind: "do", name, action: "delay", params: count == null ? {} : { count } }, refuse);
  };

  /** @param {number} step */
  const choose = (step) => {
    const places = view.delay?.places ?? [];
    const id = view.current ?? "";
    if (!places.length) {
      say(plain(view.delay?.reason) || "Nobody is left to delay behind.");
      return;
    }
    const key = moving?.key === undefined ? 0 : Math.min(places.length - 1, Math.max(0, moving.key + step));
    const place = /** @type {[string, number | null]} */ (places[key]);
    moving = { id, key, at: place[0], y: 0, from: 0 };
    draw();
    rungOf(place[0])?.scrollIntoView({ block: "nearest" });
    say(`Delay ${placeText(view, place)}. Enter delays, Escape cancels.`);
  };

  /** @param {KeyboardEvent} event */
  const onKey = (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    const id = idOf(target);
    const rung = rungOf(id);
    // What is typed is the form's.
    if (!rung || id === undefined || target.closest("form, input")) return;
    const index = shown.indexOf(id);
    const mayMove = mayDelay() && id === view.current;
    /** @type {HTMLElement[]} */
    const inRung = [rung, .../** @type {NodeListOf<HTMLElement>} */ (rung.querySelectorAll("button:not([hidden])"))];
    const within = inRung.indexOf(target);
    /** @param {HTMLElement | Element | undefined} to */
    const go = (to) => () => /** @type {HTMLElement | undefined} */ (to)?.focus();
    /** @type {Record<string, (() => void) | undefined>} */
    const keys = moving
      ? {
          ArrowDown: () => choose(1),
          ArrowUp: () => choose(-1),
          Escape: () => {
            putBack();
            say("Cancelled.");
          },
          Enter: () => {
            const place = placeBehind(view.delay, moving?.at);
            if (place) delayTo(place);
          },
        }
      : event.altKey
        ? { ArrowDown: mayMove ? () => choose(0) : undefined }
        : {
            ArrowDown: go(rungOf(shown[index + 1])),
            ArrowUp: go(rungOf(shown[index - 1])),
            Home: go(rungOf(shown[0])),
            End: go(rungOf(shown.at(-1))),
            ArrowRight: go(inRung[within + 1]),
            ArrowLeft: go(inRung[within - 1]),
            Enter: within ? undefined : () => look(id),
          };
    const act = event.ctrlKey || event.metaKey ? undefined : keys[event.key];
    if (!act) return;
    claim(event);
    act();
  };

  /** @param {FocusEvent} event */
  const onFocus = ({ target }) => setStop(idOf(target) ?? stop);

  /** @param {PointerEvent} event */
  const onDown = (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    const rung = target.closest("li");
    dragged = false;
    // A finger that moves scrolls the page, unless it starts on the score.
    const holds = event.pointerType !== "touch" || target.closest(".ck-score");
    const id = view.current;
    if (!mayDelay() || !id || rung !== rungOf(id) || !holds || event.button || target.closest(PRESSED)) return;
    moving = { id, y: event.clientY, from: event.clientY };
  };

  /** @param {PointerEvent} event */
  const onMove = (event) => {
    if (!moving || moving.key !== undefined) return;
    const { id, from } = moving;
    if (!moving.middles) {
      if (Math.abs(event.clientY - from) < DRAG_FROM) return;
      const rungs = [...(list()?.children ?? [])];
      // Taken once: the gap that opens must not move what it is measured by.
      moving.middles = rungs.map((each) => {
        const { top, height } = each.getBoundingClientRect();
        return top + height / 2;
      });
      rungOf(id)?.setPointerCapture(event.pointerId);
    }
    const above = rungAbove(moving.middles, event.clientY);
    const own = shown.indexOf(id);
    const at = above === own || above === own - 1 ? undefined : (shown[above] ?? "");
    moving = { ...moving, y: event.clientY, at };
    draw();
  };

  const onUp = () => {
    if (!moving || moving.key !== undefined) return;
    const { middles, at } = moving;
    dragged = Boolean(middles);
    const place = placeBehind(view.delay, at);
    if (middles && place) delayTo(place);
    else if (middles) {
      if (at !== undefined) say(plain(view.delay?.reason));
      putBack();
    } else moving = undefined;
  };

  /** @param {MouseEvent} event */
  const onClick = (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    const id = idOf(target);
    if (id && !dragged && !target.closest(PRESSED)) look(id);
  };

  /** @param {string | undefined} id */
  const setStop = (id) => {
    for (const each of list()?.querySelectorAll(`:scope > [tabindex="0"], ${OWN}[tabindex="0"]`) ?? []) each.setAttribute("tabindex", "-1");
    stop = id;
    const rung = rungOf(id);
    for (const each of rung ? [rung, ...rung.querySelectorAll(OWN)] : []) each.setAttribute("tabindex", "0");
  };

  /** What somebody may do out of turn, where their state stands else. @param {string} id @param {Act[]} acts */
  const answers = (id, acts) =>
    acts.slice(0, ANSWERS).map(
      (act) =>
        html`<button type="button" class="ck-btn is-mini is-own ${act.id === "pass" ? "is-pass" : ""}" tabindex="-1" @click=${once(() => sheet?.press(id, act))}>${act.title}</button>`,
    );

  /** Words in a rung, which give way before the dice or the number in them. @param {Parts} parts */
  const words = (parts) => {
    const last = parts.at(-1);
    const die = parts.findIndex((part) => typeof part === "object" && part.die !== undefined);
    const text = typeof last === "string" ? last.trimEnd() : "";
    const [, before = "", number = "", behind = ""] = ENDS.exec(text) ?? HOLDS.exec(text) ?? [];
    const [head, end] = die > 0 ? [parts.slice(0, die), parts.slice(die)] : number ? [[...parts.slice(0, -1), before], [number]] : [parts, []];
    return html`<span class="w"><span class="hz ${plain(head).length > SHORT ? "is-long" : end.length ? "" : "is-whole"}"><span class="h">${rich(head)}</span>${end.length ? html`<span class="z">${rich(end)}</span>` : nothing}${behind ? html`<span class="h">${behind}</span>` : nothing}</span></span>`;
  };

  /** A condition, whose name gives way before its number, and how long it lasts. @param {Parts} parts */
  const condition = ([part, ...lasts]) => {
    const [, head, end] = /^(.*?)(\s+\d+)?$/su.exec(String(/** @type {import("../shared/types.js").Mark} */ (part).chip)) ?? [];
    return html`<span><span class="ck-chip"><span class="h">${head}</span><span class="z">${end?.replace(/^\s/, "\u00a0") ?? nothing}</span></span>${lasts.map(lasting)}</span>`;
  };

  /** What is said of somebody, all of it in the title: the chips, and the words. Its rules are in the log and on the card.
   * @param {Parts[] | undefined} sub @returns {[unknown, unknown[], string]} */
  const told = (sub = []) => {
    const lines = sub.map((parts) => parts.filter((part) => (typeof part === "string" ? part !== " " : !part.rule)));
    const isChip = (/** @type {Parts} */ [part]) => typeof part === "object" && part.chip;
    const title = lines.map((line) => line.map((part) => plain([part])).join(" ")).join("; ");
    const chips = lines.filter(isChip).map(condition);
    const opens = (/** @type {Event} */ { target }) => /** @type {HTMLElement} */ (/** @type {Element} */ (target).closest("li")?.querySelector(".ck-name-of"))?.click();
    const unseen = html`<button type="button" class="ck-unseen" tabindex="-1" hidden title=${title} @click=${opens}></button>`;
    return [chips.length ? [html`<span class="ck-chips" title=${title}>${chips}</span>`, chips.length > 1 ? unseen : nothing] : nothing, lines.filter((line) => !isChip(line)).map(words), title];
  };

  /**
   * @param {string} id
   * @param {Row} row
   * @param {Cells | undefined} grid
   * @param {Ticks | undefined} ticks
   * @param {string} tie
   */
  const rung = (id, row, grid, ticks, tie) => {
    const isNow = id === view.current;
    // What one does, and who is aimed at, stands on the rung of their own.
    const isAimed = !row.again && aimed.has(row.name);
    const word = tr(row.word ?? view.words?.[row.status] ?? row.status);
    const acts = row.acts && view.acts && sheet ? answers(id, row.acts) : undefined;
    const deals = sheet?.answers(id, row);
    const held = moving?.middles && moving.id === id;
    const place = moving?.at === id ? placeBehind(view.delay, id) : undefined;
    // What is dragged says where it would stand, or why it cannot.
    const to = held && moving?.at !== undefined ? [placeBehind(view.delay, moving.at)] : undefined;
    const bar = row.again ? undefined : ticks?.bars.find(({ name }) => name === row.name);
    const [chips, lines, all] = told(row.sub);
    const phases = grid && row.cells ? cells(row.cells, grid.now) : undefined;
    const isAsked = Boolean(deals ?? acts);
    const at = row.at ? html`<small class="ck-at">${row.at}</small>` : nothing;
    const beside = [
      // Where answers stand, the place is beside them.
      isAsked ? at : nothing,
      row.pips ? html`${pips(row.pips.total, row.pips.left, row.pips.off, true)}<span>${row.pips.text}</span>` : nothing,
      phases ?? nothing,
      bar ? tens(bar, ticks?.now) : nothing,
      // Beside four phases there is no room for them.
      phases ? nothing : chips,
      ...lines,
    ].filter((each) => each !== nothing);
    const classes = [
      "ck-rung",
      isNow && "is-now",
      (row.status === "acted" || row.idle) && "is-acted",
      isGone(row) && "is-out",
      row.again && "is-again",
      isAimed && "ck-target",
      !isNow && row.name === view.selected && "is-look",
      tie && `ck-tie is-${tie}`,
      held && "is-drag",
      row.away && "is-away",
    ];
    return html`<li
      class=${classes.filter(Boolean).join(" ")}
      aria-label=${typeof row.label === "string" ? row.label : row.label.join(isAimed ? tr(`target, ${word}`) : word)}
      aria-current=${isNow ? "true" : nothing}
      aria-keyshortcuts=${isNow && mayDelay() ? "Alt+ArrowDown" : nothing}
      data-status=${row.status}
      data-gap=${place ? placeText(view, place) : nothing}
      .style=${held && moving ? `transform:translateY(${moving.y - moving.from}px)` : nothing}
      tabindex="-1"
    >
      <span class="ck-score ${/...|%/.test(row.score) ? "sm" : ""}">${row.score}</span>
      ${token(view.sides[row.side]?.mark, row.initials, row.portrait, row.veil)}
      <span class="ck-who"><span class="ck-named">${sheet?.name(id, row) ?? middle(row.name)}${row.away ? html`<small class="ck-away">offline</small>` : nothing}${phases ? chips : nothing}</span>${
        to
          ? html`<span class="ck-sub">${words(to[0] ? [placeText(view, to[0])] : (view.delay?.reason ?? []).filter((each) => typeof each === "string"))}</span>`
          : beside.length
            ? html`<span class="ck-sub" title=${all}>${beside}</span>`
            : nothing
      }</span>
      ${sheet?.vital(id, row, row.lost) ?? html`<span class="ck-vital ${vitalsOf(row).length > 1 ? "is-three" : ""}">${vital(vitalsOf(row), row.lost, row.temporary)}</span>`}
      <span class="ck-state ${isAsked ? "is-ans" : ""}">${
        deals ?? acts ?? [isAimed ? [tr("target"), icon("target")] : [word, markOf(row)], at]
      }</span>${acts ? html`<span class="ck-bang" title="May react" aria-hidden="true">!</span>` : nothing}
    </li>`;
  };

  /** Those of one kind who have nothing to say now, on one rung. @param {Kind} kind */
  const foldOf = ({ key, name, ids, folded: within }) => {
    const isOpen = unfolded.has(key);
    const first = /** @type {Row} */ (view.rows[ids[0] ?? ""]);
    const of = isOpen ? ids : within;
    const { score, scores, words: sum } = summed(view.rows, of);
    const length = people(view.rows, of);
    const side = view.sides[first.side];
    const label = `${name}, ${length} ${isOpen ? "of a kind" : "folded"}${scores ? `, initiative ${scores}` : ""}, ${side?.name ?? ""}${sum && `; ${sum}`}`;
    return html`<li class="ck-rung ck-kind" aria-label=${label} tabindex="-1">
      <span class="ck-score ${/...|%/.test(score) ? "sm" : ""}">${isOpen ? "" : score}</span>${token(side?.mark, first.initials.replace(/\d+$/, ""), first.portrait)}
      <span class="ck-who"><button type="button" class="ck-name-of is-own" tabindex="-1" aria-expanded=${isOpen} aria-label="${name}: ${length} of a kind" @click=${() => unfold(key)}>${middle(name)}</button>${sum ? html`<span class="ck-sub">${words([sum])}</span>` : nothing}</span>
      <span class="ck-vital"></span><span class="ck-state">${length} ${isOpen ? "of a kind" : "folded"}${icon("chevron")}</span>
    </li>`;
  };

  /** How many conditions of a rung have no room. @param {Element} unseen */
  const cut = ({ previousElementSibling: chips }) => {
    const { bottom, right } = /** @type {Element} */ (chips).getBoundingClientRect();
    return [.../** @type {Element} */ (chips).children].map((each) => each.getBoundingClientRect()).filter(({ top, left }) => top >= bottom || left + 8 >= right).length;
  };

  /** Says so, once all is laid out; the word itself takes room. */
  const countCut = () => {
    const all = [...root.querySelectorAll(/** @type {"button"} */ (".ck-unseen"))];
    for (const each of all) each.hidden = true;
    const lacking = all.filter(cut);
    for (const each of lacking) each.hidden = false;
    for (const [index, number] of lacking.map(cut).entries()) /** @type {Element} */ (lacking[index]).textContent = `+${number}`;
  };

  /** Whether who comes next in the order does on the ladder too. @param {string} id @param {1 | -1} step */
  const isBeside = (id, step) => view.order[view.order.indexOf(id) + step] === shown[shown.indexOf(id) + step];

  const draw = () => {
    // A place to put somebody, and who is to be damaged, are chosen among all.
    const isFlat = outer.classList.contains("is-flat") || moving?.key !== undefined || Boolean(sheet?.note);
    const kinds = isFlat ? new Map() : kindsOf(view, (id, row) => id === view.current || row.name === view.selected || aimed.has(row.name));
    const lines = folded(view.order.filter((id) => view.rows[id]), kinds.values(), (key) => unfolded.has(key));
    shown = lines.map((line) => (typeof line === "string" ? line : line.key));
    const grid = /** @type {Cells | undefined} */ (view.strips?.find(({ type }) => type === "cells"));
    const ticks = /** @type {Ticks | undefined} */ (view.strips?.find(({ type }) => type === "ticks"));
    const had = focusIn(root);
    const several = view.vitals?.length > 1;
    // In some rules one person has several places. Whoever is out has no turn.
    const people = view.order.map((id) => view.rows[id]);
    /** @param {(Row | undefined)[]} rows */
    const count = (rows) => new Set(rows.map((row) => row?.name)).size;
    const many = `${count(people.filter((row) => row && !isGone(row)))} in the fight`;
    const toggle = () => {
      isAll = !isAll;
      draw();
    };
    render(
      html`${part ? nothing : html`<header class="ck-head">${clock(view.clock)}</header>`}${guard([view.strips, view.sides], () => strip(view.strips, view.sides))}
        <div class="ck-lie"><section class="ck-order ${isAll ? "is-all" : ""}">
          <div class="ck-cap"><h4>Initiative</h4><span class="ck-end ${several && !view.note && !sheet?.note ? "is-over" : ""}" title=${view.score}>${
            sheet?.note || (view.note ?? (several ? view.vitals.map(([id]) => tr(id)).join(" · ") : many))
          }</span></div>
          <ol
            class="ck-ladder"
            role="list"
            aria-label="Initiative ladder"
            @keydown=${onKey}
            @focusin=${onFocus}
            @pointerdown=${onDown}
            @pointermove=${onMove}
            @pointerup=${onUp}
            @pointercancel=${putBack}
            @click=${onClick}
          >
            ${repeat(
              lines,
              (line) => (typeof line === "string" ? line : line.key),
              (id) => {
                if (typeof id !== "string") return foldOf(id);
                const row = /** @type {Row} */ (view.rows[id]);
                const involved = moving && (moving.id === id || moving.at === id) ? moving : undefined;
                const isNow = id === view.current;
                // No bracket leads to somebody who is folded.
                const tie = kinds.size && !isBeside(id, row.tie === "top" ? 1 : -1) ? "" : row.tie;
                const of = [row, tie, view.acts, sheet?.turn, view.words, isNow, row.name === view.selected, aimed.has(row.name), grid, ticks, view.sides, isNow && view.delay, view.players, involved];
                return guard(of, () => rung(id, row, grid, ticks, tie));
              },
            )}
          </ol>
          <button type="button" class="ck-btn ck-all" aria-expanded=${isAll} @click=${toggle}>${isAll ? "Fewer" : `All ${count(people)}`}${icon("fold")}</button>
        </section></div>${sheet?.opened()}`,
      root,
    );
    const here = /** @type {HTMLElement | null} */ (root.querySelector(".ck-strip > .is-now"));
    const line = here?.parentElement;
    if (line) whenLaid(() => (line.scrollLeft = here.offsetLeft + here.offsetWidth > line.clientWidth ? here.offsetLeft - line.clientWidth / 3 : 0));
    setStop(tabStop(shown, had ? stop : undefined, view.current));
    whenLaid(countCut);
  };

  listen(outer, "ck-fold", signal, () => draw());
  listen(outer, "focusin", signal, ({ target }) => target.closest(".ck-budget") && giveWay());
  /** What stands on the desk: who opens the ladder again meanwhile, to tick more, keeps it. @type {string | undefined} */
  let onDesk;
  listen(outer, "ck-desk", signal, ({ detail: { at, el } }) => {
    const isNew = el && at !== onDesk;
    if (el || at === onDesk) onDesk = el && at;
    if (isNew) giveWay();
  });
  listen(outer, "ck-aim", signal, ({ detail }) => {
    aimed = new Set(detail.names);
    draw();
  });
  return (next) => {
    const before = view;
    if (moving && next.current !== moving.id) moving = undefined;
    view = next;
    // Another fight begins as this one did.
    if (before?.acts && !next.acts) isAll = false;
    say("");
    sheet?.come();
    if (next.acts) sheet ??= make?.({ root, port, part, say, view: () => view, draw, idOf, back, signal });
    keepFocus(root, draw, () => rungOf(stop));
    whenLaid(() => {
      tops = slide(list(), before?.order === next.order ? undefined : tops);
      const to = comesNext(next);
      if (!before || comesNext(before) !== to) reveal(list(), rungOf(to));
    });
  };
}

/** Whose turn it is; between turns, who has yet to say or do something. @param {LadderData} view */
const comesNext = ({ current, order, rows }) =>
  current ??
  order.find((id) => {
    const row = rows[id];
    return row && !isGone(row) && !row.again && row.status !== "acted" && row.mark !== "check";
  });

/** How long something lasts: the first word is not missed where there is little room, and the name of whose turn it is gives way. @param {Parts[number]} part */
const lasting = (part) => {
  const [, first, rest, whose] = /^(for |until )?(.*?)(: .*)?$/u.exec(String(part).trimEnd()) ?? [];
  return html`<small>${first ? html`<span class="f">${first}</span>` : nothing}${rest}</small>${whose ? html`<small class="h">${whose}</small>` : nothing}`;
};

/**
 * Rungs that change places slide there, once. Answers with where each is, for the next time.
 *
 * @param {Element | null} list
 * @param {Map<Element, number> | undefined} before where each was; nothing if the order is as it was
 */
function slide(list, before) {
  /** @type {Map<Element, number>} */
  const tops = new Map();
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return tops;
  for (const rung of /** @type {Iterable<HTMLElement>} */ (list?.children ?? [])) tops.set(rung, rung.offsetTop);
  for (const [rung, top] of before ? tops : []) {
    const by = (before?.get(rung) ?? top) - top;
    if (by) rung.animate([{ transform: `translateY(${by}px)` }, { transform: "none" }], 180);
  }
  return tops;
}
