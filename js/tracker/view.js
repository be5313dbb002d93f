import { html, noChange, nothing, render, svg } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";

import { clock } from "../shared/clock.js";
import { enter, focusIn, keepFocus } from "../shared/focus.js";
import { icon, side } from "../shared/marks.js";
import { items, plain } from "../shared/rich.js";
import { voice } from "../shared/speech.js";

/** @import { Intent, Port } from "../shared/port.js" */
/** @import { Answer, Asked, Parts, TrackerData, Window } from "../shared/types.js" */

/** @type {Record<string, [string, string, string, unknown]>} */
const STEPS = {
  undo: ["Undo", "Control+Z", "U", svg`<path d="M4 1.5L1.5 4 4 6.5M1.5 4H7a3.2 3.2 0 010 6.5H4"/>`],
  redo: ["Redo", "Control+Shift+Z", "Shift+U", svg`<path d="M8 1.5L10.5 4 8 6.5M10.5 4H5a3.2 3.2 0 000 6.5h3"/>`],
};
/** What the last call came to, to be heard. @param {Parts[] | undefined} lines */
const resultOf = (lines) => (lines ?? []).map(plain).join(" ");
/** More answers than this are not all shown at once. */
const MOST_ACTS = 6;
/** Calls that may ask for faces rolled at the table. */
const ROLLING = ["start", "end_turn", "next_round", "join", "take", "resolve"];

/**
 * What the budget lends: the form by which an action asks what it needs, and the words behind rule marks.
 *
 * @typedef {object} Lent
 * @property {(el: HTMLElement, wanted: object) => () => void} ask
 * @property {(root: HTMLElement, say: (text: string) => void, signal: AbortSignal) => void} rules
 *
 * @typedef {object} Place
 * @property {AbortSignal} signal
 * @property {(places: Record<string, HTMLElement>) => void} compose shows the ladder, budget and log in their places
 * @property {Promise<Lent>} lent
 * @property {Partial<Record<"setup" | "more", (desk: Desk) => Late>>} late what makes the set-up, and More
 * @property {Keys} keys
 *
 * Whether letters are shortcuts: kept in the browser, with the widget.
 * @typedef {object} Keys
 * @property {() => boolean} on
 * @property {(on: boolean) => void} turn
 *
 * What the tracker lends to the set-up, and to More.
 * @typedef {object} Desk
 * @property {string} prefix for ids, unique on the page
 * @property {() => TrackerData} view
 * @property {(intent: Intent, at?: string, refused?: () => void) => void} send
 * @property {(intent: Intent, title: string, at?: string, refused?: () => void) => void} call asks for dice first where they are rolled at the table
 * @property {(title: unknown, press: () => void, options?: ButtonOptions) => unknown} button
 * @property {Port["ask"]} ask
 * @property {(at: string) => unknown} refusal what was refused there
 * @property {(text: string) => void} say
 * @property {() => void} draw
 * @property {(selector: string) => HTMLElement | null} find
 * @property {Keys} keys
 * @property {() => void} damage opens where damage is dealt
 * @property {() => void} close closes More, and gives the focus back
 *
 * What is made when it is wanted.
 * @typedef {object} Late
 * @property {() => unknown} draw
 * @property {() => void} done called when what was sent has come to something
 * @property {(part: string) => void} [go] opens one of its parts
 *
 * @typedef {{kind?: string, name?: string, keys?: string, letter?: string, capped?: boolean, barred?: boolean, why?: string, open?: boolean}} ButtonOptions
 */

/**
 * Shows the turn's controls around a ladder, a budget and a log. Answers with a function that takes the next state.
 *
 * @param {HTMLElement} root
 * @param {Port} port
 * @param {Place} place
 * @returns {(view: TrackerData) => void}
 */
export function createTracker(root, port, { signal, compose, lent, late: made, keys }) {
  const speak = voice(root, false);
  /** What was said last, by the tracker or a part of it. */
  let spoken = "";
  /** @type {import("../shared/speech.js").Say} */
  const say = (text, by) => {
    spoken = text || spoken;
    speak(text, by);
  };
  const prefix = `ck${Math.random().toString(36).slice(2)}`;
  /** @type {TrackerData} */
  let view;
  /** Which part of More is open. @type {string | undefined} */
  let more;
  /** What had the focus when More was opened. @type {HTMLElement | null} */
  let opener = null;
  /** What Python refused, and where it was asked for. @type {{at: string, parts: Parts} | undefined} */
  let late;
  /** Who lets a window's offer pass; it closes when nobody is left. @type {Set<string>} */
  const passed = new Set();
  /** The person has just done something here, so a window that opens next is theirs. */
  let acted = false;
  /** What was made so far: the set-up, and More. @type {Partial<Record<"setup" | "more", Late>>} */
  const brought = {};
  /** Where the focus was before a window took it. @type {HTMLElement | null} */
  let before = null;
  /** The budget's form, where it is open in a place of the tracker's, in an element that keeps what is typed while it is
   * out of sight. @type {{at: string, meant: string, el: HTMLElement, close: () => void} | undefined} */
  let asking;
  /** Faces typed for calls of the table's own and not used yet, by call. @type {Record<string, Record<string, string[]>>} */
  const faces = {};
  /** @type {Lent["ask"] | undefined} */
  let ask;
  /** What the present was when it was shown last. @type {string | undefined} */
  let stage;
  /** When the faces were typed that are kept. */
  let thrown = "";

  /** @param {string} selector */
  const find = (selector) => /** @type {HTMLElement | null} */ (root.querySelector(selector));
  /** @param {string} selector */
  const all = (selector) => /** @type {HTMLElement[]} */ ([...root.querySelectorAll(selector)]);

  /** @param {Intent} intent @param {string} [at] where its refusal is shown @param {() => void} [refused] */
  const send = (intent, at = "head", refused) => {
    if (late) {
      late = undefined;
      draw();
    }
    port.send(intent, ({ reason, rule }) => bar({ at, parts: rule ? [`${reason} `, { rule }] : [reason] }, refused));
  };

  /** Says why not, where it was asked for. @param {{at: string, parts: Parts}} why @param {() => void} [refused] */
  const bar = (why, refused) => {
    acted = false;
    refused?.();
    late = why;
    say(plain(why.parts));
    draw();
  };

  /**
   * Opens the budget's form in a place of the tracker's; what needs nothing goes straight on.
   *
   * @param {string} at
   * @param {{meant?: string, [argument: string]: unknown}} wanted
   */
  const askIn = (at, wanted) => {
    const opener = focusIn(root);
    const wasOpen = asking?.at === at;
    shut();
    if (wasOpen) return;
    const el = document.createElement("div");
    const mine = { at, meant: wanted.meant ?? "", el, close: () => {} };
    const put = () => {
      if (asking === mine) return;
      shut();
      asking = mine;
      draw();
    };
    put();
    mine.close =
      ask?.(el, {
        table: view.dice === "table",
        final: view.seat,
        say,
        opened: () => {
          put();
          if (opener && focusIn(root) === opener) enter(el);
        },
        closed: () => {
          if (asking === mine) asking = undefined;
          draw();
          if (!focusIn(root)) opener?.focus();
        },
        ...wanted,
      }) ?? mine.close;
  };

  const shut = () => {
    asking?.close();
    asking = undefined;
  };

  /** Where a form is asked for, and the form if it is open there. @param {string} at @param {string} kind */
  const askedIn = (at, kind) => html`<div class=${kind} data-ask=${at}>${asking?.at === at ? asking.el : nothing}</div>`;

  /**
   * Makes a call of the table's own; with table dice it asks for the faces first.
   *
   * @param {Intent} intent
   * @param {string} title
   * @param {string} [at]
   * @param {() => void} [refused]
   */
  const call = (intent, title, at = "head", refused) => {
    const { kind, ...params } = intent;
    const meant = JSON.stringify(intent);
    if (asking?.at === "call" && asking.meant !== meant) shut();
    const open = asking?.at === "call" && asking.el.querySelector("form");
    if (view.dice !== "table" || !ROLLING.includes(kind) || !ask) send(intent, at, refused);
    else if (open) open.requestSubmit();
    else {
      const typed = (faces[meant] ??= {});
      const go = (/** @type {any} */ { params: given, rolls }) => {
        delete faces[meant];
        send({ kind, ...given, ...(rolls && { rolls }) }, at, () => {
          faces[meant] = typed;
          refused?.();
        });
      };
      const barred = (/** @type {Parts} */ parts) => {
        asking = undefined;
        bar({ at, parts }, refused);
      };
      askIn("call", { name: null, action: kind, title, params, typed, meant, send: go, barred });
    }
  };

  /** @param {Window} window @param {Asked} row */
  const keyOf = (window, row) => `${window.id}/${row.who}`;

  /** @param {Window} window @param {Asked} row */
  const letPass = (window, row) => {
    passed.add(keyOf(window, row));
    if (window.rows.every((each) => each.waits || passed.has(keyOf(window, each)))) {
      call({ kind: "resolve" }, "Carry on");
      return;
    }
    say(`${row.who} lets it go.`);
    draw();
    find(".ck-react .ck-btn")?.focus();
  };

  /** @param {"undo" | "redo"} kind */
  const step = (kind) => {
    if (view[kind]?.allowed) send({ kind });
    else say(nameOf(kind));
  };

  /** @param {"undo" | "redo"} kind */
  const nameOf = (kind) => view[kind]?.title || `Nothing to ${kind}.`;

  /** @param {string} at */
  const refusal = (at) => (late?.at === at ? html`<p class="ck-why">${icon("slash")}${items(late.parts)}</p>` : nothing);

  /** The letter that does the same, for the eye. @param {string} [letter] */
  const keyCap = (letter) => (letter && keys.on() ? html`<kbd class="ck-k" aria-hidden="true">${letter}</kbd>` : nothing);

  /**
   * A button; if it may not be pressed, or that needs a word, `why` says so.
   *
   * @param {unknown} title
   * @param {() => void} press
   * @param {ButtonOptions} [options]
   */
  const button = (title, press, { kind = "", name, keys: other, letter, capped, barred, why, open } = {}) => {
    const id = why && `${prefix}-${(name ?? String(title)).replace(/\W+/g, "-")}`;
    return html`<button type="button" class="ck-btn ${kind}" aria-label=${(!capped && name) || nothing} aria-keyshortcuts=${[keys.on() && letter, other].filter(Boolean).join(" ") || nothing}
      aria-disabled=${barred ? "true" : nothing} aria-describedby=${id ?? nothing} aria-expanded=${open ?? nothing}
      title=${(name && why) ?? nothing} @click=${() => (barred ? say(why ?? "") : press())}>${title}${capped ? keyCap(letter) : nothing}</button
      >${why ? html`<span class="ck-sr" id=${id}>${why}</span>` : nothing}`;
  };

  const start = () => {
    const surprised = all('[name="surprised"]:checked').map((box) => /** @type {HTMLInputElement} */ (box).value);
    call({ kind: "start", ...(surprised.length ? { surprised } : {}) }, "Start");
  };

  const goOn = () => {
    const [window] = view.windows ?? [];
    const { end } = view;
    if (view.mode === "setup") {
      const why = view.setup?.combatants?.length ? undefined : "Add at least one combatant.";
      return button("Start", start, { kind: "is-main", barred: Boolean(why), why });
    }
    if (view.mode === "over") {
      const party = view.setup?.party;
      const clear = () => send({ kind: "clear", side: party });
      const kept = party ? button("Clear the foes", clear, { name: `Clear the foes, keep ${party}` }) : nothing;
      return [kept, button("Run it again", () => send({ kind: "restart" }), { kind: "is-main" })];
    }
    if (window && !window.soft && !view.seat) {
      const must = window.rows.find((row) => row.must || row.choices?.length);
      const why = must ? `${must.who} must answer first.` : "Nobody else reacts; play carries on.";
      return button("Carry on", () => call({ kind: "resolve" }, "Carry on"), { kind: "is-wide", letter: "N", capped: true, barred: Boolean(must), why });
    }
    if (!end) return nothing;
    const why = end.allowed ? undefined : plain(end.reason);
    return button(end.label, () => call({ kind: "end_turn" }, end.label), { kind: "is-main", letter: "N", capped: true, barred: !end.allowed, why });
  };

  /** @param {string} part of More, or the menu of all */
  const openMore = (part) => {
    if (view.seat) return;
    if (!more) opener = focusIn(root);
    more = part;
    want("more");
    brought.more?.go?.(part);
  };

  const close = () => {
    const to = opener?.isConnected ? opener : find(".ck-ctl > .ck-btn");
    more = undefined;
    delete brought.more;
    draw();
    to?.focus();
  };

  const controls = () => {
    const toggle = () => (more ? close() : openMore("menu"));
    return html`<div class="ck-ctl" role="group" aria-label="Turn controls">
      ${view.seat ? nothing : button("More", toggle, { open: Boolean(more), letter: "M" })}${goOn()}
    </div>`;
  };

  const steps = () =>
    html`<div class="ck-undo" role="group" aria-label="Undo and redo">${/** @type {const} */ (["undo", "redo"]).map((kind) => {
      if (view.seat && kind === "redo") return nothing;
      const [name, keys, letter, path] = /** @type {[string, string, string, unknown]} */ (STEPS[kind]);
      const capped = kind === "undo";
      const drawing = html`<svg class="ck-i" viewBox="0 0 12 12" aria-hidden="true">${path}</svg>${capped ? (view.seat ? "Take back" : name) : nothing}`;
      const barred = !view[kind]?.allowed;
      return button(drawing, () => step(kind), { kind: "is-icon", name, keys, letter, capped, barred, why: nameOf(kind) });
    })}</div>`;

  /** @param {Window} window @param {Asked} row */
  const offer = (window, row) => {
    const key = keyOf(window, row);
    const { who, must, actions = [], choices: answers = [] } = row;
    // Of many answers none is the likely one, and those after the first few fold away.
    const few = actions.length > MOST_ACTS ? 4 : MOST_ACTS;
    const kind = actions.length > 2 ? "" : "is-main";
    /** @param {Answer} answer */
    const act = ({ id, title, needs }) =>
      button(title, () => askIn(key, { name: who, action: id, title, noted: true, direct: !needs }), { kind });
    const isPassed = passed.has(key);
    const acts = !view.players && view.mode !== "past" && !row.waits;
    const mark = row.side == null ? row.side : (view.sides?.[row.side]?.mark ?? row.side);
    return html`<div class="row">
      <div class="who"><span class="ck-who">${side(mark)}<b>${row.text}</b></span><span class="ck-sub">${items(row.sub)}</span></div>
      ${!acts || isPassed
        ? html`<span class="ck-quiet">${isPassed ? "lets it go" : `waiting for ${who}`}</span>`
        : html`<div class="ck-pair">${answers.map((answer) =>
            button(String(answer), () => send({ kind: "resolve", answer }, key)),
          )}${actions.slice(0, few).map(act)}${must || answers.length ? nothing : button("Let it go", () => letPass(window, row), { kind: "is-pass", letter: "L", capped: true })}${
            actions.length > few
              ? html`<details><summary>${actions.length - few} more</summary><div class="ck-pair">${actions.slice(few).map(act)}</div></details>`
              : nothing
          }</div>`}
      ${askedIn(key, "ck-asked")}${refusal(key)}
    </div>`;
  };

  /** Who may use what they keep ready as soon as the table sees what it waits for. @param {Asked} row */
  const ready = ({ who, side: of, text, actions = [] }) => {
    const at = `ready/${who}`;
    const mark = of == null ? of : (view.sides?.[of]?.mark ?? of);
    return html`<div class="ck-ready"><span class="ck-who">${side(mark)}<span>${text}</span></span>${actions.map(({ id, title, needs, params, sends }) =>
      button(title, () => (sends ? send(sends, at) : askIn(at, { name: who, action: id, title, params, noted: true, direct: !needs })), { name: `${title}: ${who}` }),
    )}${askedIn(at, "ck-asked")}${refusal(at)}</div>`;
  };

  /** @param {Window} window */
  const reaction = (window) =>
    html`<section class="ck-react" data-window=${window.id} role="group"
      aria-label="${window.question ? "Question" : "Reaction window"}: ${window.title}">
      <h4>${icon(window.question ? "bang" : "pause")}<span>${window.title}</span></h4>
      ${repeat(window.rows, (row) => keyOf(window, row), (row) => offer(window, row))}
      ${(window.notes ?? []).map((parts) => html`<div class="row"><span class="ck-sub">${icon("slash")}${items(parts)}</span></div>`)}
    </section>`;

  /**
   * Makes what is not on the stage from the first.
   *
   * @param {"setup" | "more"} name
   */
  const want = (name) => {
    brought[name] ??= made[name]?.({
      ...{ prefix, view: () => view, ask: port.ask, send, call, button, refusal, say, draw, find },
      ...{ keys, damage, close },
    });
    draw();
  };

  /** How long the turn has taken; it goes on by itself. */
  const timer = Object.assign(document.createElement("span"), { className: "ck-timer", role: "timer", ariaLabel: "This turn" });
  const tick = () => {
    const seconds = Math.max(0, Math.floor((Date.now() - (view?.timer ?? 0)) / 1000));
    timer.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  };
  const clockwork = setInterval(() => view?.timer && tick(), 1000);
  signal.addEventListener("abort", () => clearInterval(clockwork));

  const draw = () => {
    const { mode, players, turn, windows = [], result = [] } = view;
    const isSetup = mode === "setup";
    const isPast = mode === "past";
    const controlled = !players && !isPast;
    // What is filled in stands as it was when one comes back from the past.
    const form = (/** @type {unknown} */ drawn) => html`<div class="ck-form-of" ?hidden=${isPast}>${isPast ? noChange : drawn}</div>`;
    root.classList.toggle("is-past", isPast);
    render(
      html`<header class="ck-head">${clock(isSetup ? { label: "New fight" } : view.clock)}
        <div class="ck-turn">${turn?.title ? html`<b>${turn.title}</b>` : nothing}<span>${turn?.sub}${view.timer ? [turn?.sub ? " · " : "", timer] : nothing}</span></div>
        ${controlled ? controls() : nothing}</header>
        <div class="ck-news">${repeat(windows.filter(({ rows }) => rows.length), ({ id }) => id, reaction)}${refusal("head")}${isPast ? nothing : askedIn("call", "")}
          ${mode === "play" || mode === "over" ? html`<p class="ck-result">${result.map((parts) => html`<span>${items(parts)}</span>`)}</p>` : nothing}
          ${isPast ? nothing : repeat(view.ready ?? [], ({ text }) => text, ready)}</div>
        ${controlled && !isSetup ? steps() : nothing}
        <div class="ck-cols" ?hidden=${isSetup && !players}>
        <div data-ck-part="ladder"></div><div data-ck-part="budget"></div><div data-ck-part="log"></div>
        </div>
        ${form(controlled && more ? brought.more?.draw() : nothing)}${form(isSetup && !players ? brought.setup?.draw() : nothing)}`,
      root,
    );
  };

  /** Lets the ladder hear of a wish, from its rung if that has the focus; says whether it did something. @param {string} name */
  const tell = (name) => {
    const ladder = find('[data-ck-part="ladder"] .ck-in');
    const on = focusIn(root);
    const at = ladder?.contains(on) ? on : ladder;
    return Boolean(at) && !at?.dispatchEvent(new CustomEvent(name, { bubbles: true, cancelable: true }));
  };

  const damage = () => void (tell("ck-damage") || say("Nobody can be damaged or healed here."));

  /** An own attack; where its form is open already, its target. @param {number} index */
  const attack = (index) => {
    const act = more ? undefined : all('[data-group="attacks"] [data-action]')[index];
    if (act?.ariaExpanded === "true") toTarget();
    else {
      act?.focus();
      act?.click();
    }
  };

  const toTarget = () => {
    const targets = more ? [] : all(".ck-targets .ck-act").filter((each) => !each.closest("details:not([open])"));
    (targets.find((each) => each.ariaPressed === "true") ?? targets[0])?.focus();
  };

  /** What letters do; each as the button that it stands for would. @type {Record<string, () => void>} */
  const LETTERS = {
    n: () => (view.mode === "play" ? find(".ck-ctl > :is(.is-main, .is-wide)")?.click() : say("It's nobody's turn.")),
    u: () => step("undo"),
    U: () => step("redo"),
    m: () => (more ? close() : openMore("menu")),
    "?": () => (more === "shortcuts" ? close() : openMore("shortcuts")),
    d: damage,
    c: () => void (tell("ck-card") || say("No card to open here.")),
    1: () => attack(0),
    2: () => attack(1),
    3: () => attack(2),
    t: toTarget,
    l: () => (find(".ck-react .row:focus-within .is-pass") ?? find(".ck-react .is-pass"))?.click(),
  };
  /** Keys of the line of time, which count in the past too: events and rounds on or back. @type {Record<string, [number, number]>} */
  const TRAVEL = { "[": [-1, 0], "]": [1, 0], "{": [0, -1], "}": [0, 1] };

  /**
   * Puts away what belongs to another state of the fight than the one that has come.
   *
   * @param {boolean} isBack from the past, where nothing is put away: it has come to nothing
   */
  const come = (isBack) => {
    const { mode, windows = [], ready: kept = [], turn, clock: at } = view;
    if (mode !== stage) {
      more = undefined;
      delete brought.setup;
    }
    stage = mode;
    const moment = [turn?.title, at?.label].join();
    if (moment !== thrown) for (const kind of Object.keys(faces)) delete faces[kind];
    thrown = moment;
    const known = windows.flatMap((window) => window.rows.map((row) => keyOf(window, row)));
    known.push(...kept.map(({ who }) => `ready/${who}`));
    if (asking && asking.at !== "call" && !known.includes(asking.at)) shut();
    if (isBack) return;
    brought.setup?.done();
    brought.more?.done();
  };

  const openWindows = () => all(".ck-react").map((each) => each.dataset.window);

  /**
   * Draws the next state and minds the focus: a window takes it if the person's own act opened it, and gives it back;
   * else it stays where it is.
   */
  const drawMinded = () => {
    const known = openWindows();
    const from = find(".ck-react:focus-within") ? before : focusIn(root);
    const first = () => find(".ck-react .ck-btn");
    keepFocus(root, draw, () => first() ?? (before?.isConnected ? before : find(".ck-ctl > .ck-btn:last-of-type") ?? find("[type=range]")));
    if (acted && openWindows().some((id) => !known.includes(id))) {
      before = from;
      first()?.focus();
    }
    acted = false;
  };

  /** @param {KeyboardEvent} event */
  const onKey = (event) => {
    const { key, shiftKey } = event;
    // Some keyboards have brackets on a third level, which looks like Ctrl and Alt.
    const third = event.getModifierState("AltGraph");
    if (view.players || (event.altKey && !third)) return;
    const commands = (event.ctrlKey || event.metaKey) && !third;
    const by = keys.on() && !commands && TRAVEL[key];
    if (by && !isField(event)) {
      event.preventDefault();
      event.stopPropagation();
      find('[data-ck-part="log"] .ck-in')?.dispatchEvent(new CustomEvent("ck-travel", { detail: by }));
      return;
    }
    const letter = shiftKey ? key.toUpperCase() : key.toLowerCase();
    const act = commands
      ? key.toLowerCase() === "z" && view.mode !== "past" && (() => step(shiftKey ? "redo" : "undo"))
      : keys.on() && !event.repeat && LETTERS[letter];
    // What is typed has an undo of its own; a die takes figures alone.
    if (!act || (isField(event) && !(letter === "t" && isDie(event)))) return;
    event.preventDefault();
    event.stopPropagation();
    if (view.mode === "past") say("This is the past: go back to now first.");
    else act();
  };

  const outer = /** @type {HTMLElement} */ (root.parentElement);
  root.classList.add("ck-shell");
  outer.addEventListener("keydown", onKey, { signal });
  // The menu is out of the way as soon as something else is pressed.
  outer.addEventListener(
    "pointerdown",
    ({ target }) => find(".ck-more.is-list") && !(/** @type {Element} */ (target).closest(".ck-more, .ck-ctl")) && close(),
    { signal },
  );
  // The switch is for the letters of the parts as well.
  const isOfParts = (/** @type {KeyboardEvent} */ event) => (isDie(event) ? /^r$/i : /^[/h]$/i).test(event.key) && (isDie(event) || !isField(event));
  outer.addEventListener("keydown", (event) => !keys.on() && isOfParts(event) && event.stopPropagation(), { signal, capture: true });
  outer.addEventListener("ck-say", (event) => say(.../** @type {[string, unknown]} */ (/** @type {CustomEvent} */ (event).detail)), { signal });
  outer.addEventListener("ck-acted", () => (acted = true), { signal });
  lent.then((budget) => {
    ask = budget.ask;
    budget.rules(root, say, signal);
  });

  return (next) => {
    const { announce: announced, result: known } = view ?? {};
    const wasPast = view?.mode === "past";
    if (next.windows !== view?.windows && next.mode !== "past" && !wasPast) passed.clear();
    view = next;
    tick();
    late = undefined;
    if (next.mode !== "past") come(wasPast);
    if (next.mode === "setup" && !next.players && !brought.setup) want("setup");
    drawMinded();
    compose(Object.fromEntries(all("[data-ck-part]").map((el) => [el.dataset.ckPart, el])));
    const told = resultOf(next.result);
    if (next.announce && next.announce !== announced) say(next.announce);
    else if (known && told && told !== resultOf(known)) say(told);
    else if (![next.announce, told].includes(spoken)) say("");
  };
}

/** @param {Event} event */
const isDie = ({ target }) => /** @type {HTMLElement} */ (target).matches(".ck-face");

/** Whether a key is typed into something. @param {Event} event */
const isField = ({ target }) =>
  Boolean(/** @type {HTMLElement} */ (target).closest('input:not([type="checkbox"], [type="radio"], [type="range"]), select, textarea'));
