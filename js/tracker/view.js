import { noChange, nothing, render } from "lit-html";

import { clock } from "../shared/clock.js";
import { element, ownPrefix } from "../shared/element.js";
import { focusIn, keepFocus } from "../shared/focus.js";
import { isKey } from "../shared/letter.js";
import { icon, token } from "../shared/marks.js";
import { claim, heedOnce, isPlain, once } from "../shared/press.js";
import { plain } from "../shared/rich.js";
import { voice } from "../shared/speech.js";
import { hear, listen, tell } from "../shared/tell.js";
import { html } from "../shared/tongue.js";
import { createResult, requestOf } from "./result.js";
import { won } from "./won.js";

/** @import { Intent, Port, Refusal } from "../shared/port.js" */
/** @import { TrackerData } from "../shared/types.js" */

/** @type {Record<string, [string, string, string]>} */
const STEPS = {
  undo: ["Undo", "Control+Z", "U"],
  redo: ["Redo", "Control+Shift+Z", "Shift+U"],
};
/** Where the dice of the start are asked for. */
const ROLLED = {
  ...{ text: ["Roll for initiative, and type what each has rolled."], mark: icon("bang", "l"), kind: "is-stop" },
  sub: ["The next field comes by itself. R rolls one for you."],
};
/** Calls that may ask for faces rolled at the table. */
const ROLLING = ["start", "end_turn", "next_round", "join", "take", "bring", "resolve"];

/**
 * What the budget lends: the form by which an action asks what it needs, and the words behind rule marks.
 *
 * @typedef {object} Lent
 * @property {(el: HTMLElement, wanted: any) => (() => void) | undefined} ask
 * @property {(root: HTMLElement, say: (text: string) => void, signal: AbortSignal) => void} rules
 *
 * @typedef {object} Place
 * @property {AbortSignal} signal
 * @property {(places: Record<string, HTMLElement>) => void} compose shows the ladder, budget, log and map in their places
 * @property {Promise<Lent>} lent
 * @property {Partial<Record<"setup" | "more", (desk: Desk) => Late>> & {moment?: typeof import("../more/moment.js").createMoment, after?: typeof import("./after.js").after}} late
 *   what makes the set-up, More, what is made of a past moment, and what follows the end
 * @property {Keys} keys
 * @property {Keys} folds whether those of one kind fold on the ladder
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
 * @property {(intent: Intent, at?: string, refused?: (why: Refusal) => void) => void} send
 * @property {(intent: Intent, title: string, at?: string, refused?: (why: Refusal) => void) => void} call asks for dice first where they are rolled at the table
 * @property {(title: unknown, press: () => void, options?: ButtonOptions) => unknown} button
 * @property {Port["ask"]} ask
 * @property {(refusal: Refusal) => void} refuse says why not, where everything is said
 * @property {(text: string) => void} say
 * @property {() => void} draw
 * @property {(selector: string) => HTMLElement | null} find
 * @property {Keys} keys
 * @property {Keys} folds
 * @property {() => import("./after.js").Seen} seen whose page is saved
 * @property {() => void} damage opens where damage is dealt
 * @property {() => void} card opens the sheet of whoever acts
 * @property {(done?: boolean) => void} close closes More, and gives the focus back
 * @property {() => string | undefined} [whom] who is chosen: by their card, or on the ladder out of turn
 * @property {(what: string) => void} [make] opens where something is made of this moment, if it can be
 *
 * What is made when it is wanted.
 * @typedef {object} Late
 * @property {() => unknown} draw
 * @property {(event: DragEvent | ClipboardEvent) => void} [heed] takes a file that is dropped, or rows that are pasted
 * @property {() => void} done called when what was sent has come to something
 * @property {(part: string, who?: string) => void} [go] opens one of its parts, about somebody
 * @property {(event: KeyboardEvent) => void} [out] takes one step out of it
 * @property {() => unknown} [head] stands in the header, where else it says whose turn it is
 * @property {() => import("./result.js").Shown | undefined} [word] stands where else the last result does
 *
 * @typedef {{kind?: string, name?: string, keys?: string, letter?: string, capped?: boolean, barred?: boolean, why?: string, open?: boolean, each?: boolean}} ButtonOptions
 */

/**
 * Shows the turn's controls around a ladder, a budget and a log. Answers with a function that takes the next state.
 *
 * @param {HTMLElement} root
 * @param {Port} port
 * @param {Place} place
 * @returns {(view: TrackerData) => void}
 */
export function createTracker(root, port, { signal, compose, lent, late: made, keys, folds }) {
  const speak = voice(root, false);
  /** What was said last, by the tracker or a part of it. */
  let spoken = "";
  /** @type {import("../shared/speech.js").Say} */
  const say = (text, by, lang) => {
    spoken = text || spoken;
    speak(text, by, lang);
  };
  const prefix = ownPrefix();
  /** @type {TrackerData} */
  let view;
  /** Which part of More is open. @type {string | undefined} */
  let more;
  /** What had the focus when More was opened. @type {HTMLElement | null} */
  let opener = null;
  /** What Python refused last, until something else is done. @type {(Refusal & {allow?: () => void}) | undefined} */
  let refused;
  /** What a form asks that only the table can say. @type {import("../form/form.js").Question | undefined} */
  let question;
  /** What was made so far: the set-up, and More. @type {Partial<Record<"setup" | "more", Late>>} */
  const brought = {};
  /** The form that asks for the dice of a call of the table's own, in an element that keeps what is typed while it is out of
   * sight; it is `over` what asked for it where that covers the desk. @type {{meant: string, el: HTMLElement, close: () => void, over?: boolean} | undefined} */
  let asking;
  /** Faces typed for calls of the table's own and not used yet, by call. @type {Record<string, Record<string, string[]>>} */
  const faces = {};
  /** @type {Lent["ask"] | undefined} */
  let ask;
  /** What the present was when it was shown last. @type {string | undefined} */
  let stage;
  /** When the faces were typed that are kept. */
  let thrown = "";
  /** Whether there is nobody to send anything to. */
  let isCut = false;
  /** Whose card is open. @type {string | undefined} */
  let carded;
  /** What is over the actions where there is room for one thing. @type {"log" | ""} */
  let over = "";
  /** Whose page is saved, once the fight is over. @type {import("./after.js").Seen} */
  let seen = {};

  /** What is made of the moment that is looked at, if it is open. @type {ReturnType<typeof import("../more/moment.js").createMoment> | undefined} */
  let moment;

  /** @param {string} selector */
  const find = (selector) => /** @type {HTMLElement | null} */ (root.querySelector(selector));
  /** @param {string} selector */
  const all = (selector) => /** @type {HTMLElement[]} */ ([...root.querySelectorAll(selector)]);
  /** @param {string} name @param {unknown} [detail] */
  const shout = (name, detail) => tell(find(".ck-budget, .ck-order"), name, detail);
  const main = () => find(".ck-ctl .is-main");
  /** Whether it has just come in the place of another that somebody meant to press. */
  const isNew = () => getComputedStyle(main() ?? root).pointerEvents === "none";
  /** Where a hand rests when something is done: letters count there, and Enter and Space do nothing. */
  const rest = () => find(".ck-res")?.focus();

  /** @param {Intent} intent @param {string} [_] @param {(why: Refusal) => void} [told] */
  const send = (intent, _, told) => {
    if (refused) {
      refused = undefined;
      draw();
    }
    port.send(intent, (refusal) => bar(refusal, told));
  };

  /** Says why not, where everything is said. @param {Refusal & {allow?: () => void}} why @param {(why: Refusal) => void} [told] may word it as the form does */
  const bar = (why, told) => {
    told?.(why);
    refused = why.reason ? why : undefined;
    if (why.reason) say(why.reason);
    draw();
  };

  const shut = () => {
    const { close, el } = asking ?? {};
    asking = undefined;
    close?.();
    if (el) shout("ck-desk", { at: "call" });
  };

  /**
   * Makes a call of the table's own; with table dice it asks for the faces first.
   *
   * @param {Intent} intent
   * @param {string} title
   * @param {string} [at]
   * @param {(why: Refusal) => void} [told]
   */
  const call = (intent, title, at, told) => {
    const { kind, ...params } = intent;
    const meant = JSON.stringify(intent);
    if (asking && asking.meant !== meant) shut();
    const rolls = view.mode === "setup" ? kind === "start" : ROLLING.includes(kind);
    if (view.dice !== "table" || !rolls || !ask) return send(intent, at, told);
    const open = asking?.el.querySelector("form");
    if (open) {
      // What is empty is not rolled unasked.
      const empty = /** @type {HTMLElement | undefined} */ ([.../** @type {NodeListOf<HTMLInputElement>} */ (open.querySelectorAll(".ck-face"))].find((each) => !each.value));
      return empty ? empty.focus() : open.requestSubmit(open.querySelector("[type=submit]"));
    }
    const opener = focusIn(root);
    const typed = (faces[meant] ??= {});
    const el = element("div");
    /** @type {NonNullable<typeof asking>} */
    const mine = { meant, el, close: () => {} };
    asking = mine;
    const go = (/** @type {any} */ { params: given, ...rest }) => {
      delete faces[meant];
      send({ kind, ...given, ...rest }, at, (why) => {
        faces[meant] = typed;
        told?.(why);
      });
    };
    const close = ask(el, {
      ...{ name: null, action: kind, title, params, typed, table: true, final: view.seat || view.task, say, send: go },
      barred: (/** @type {import("../shared/types.js").Parts} */ parts) => {
        asking = undefined;
        bar({ reason: plain(parts) }, told);
      },
      opened: () => {
        if (asking !== mine) return;
        mine.over = view.mode === "setup" || Boolean(more);
        if (mine.over || !shout("ck-desk", { at: "call", title, el, left: () => (asking = undefined) })) draw();
        /** @type {HTMLElement | undefined} */ ([...el.querySelectorAll("input")].find((each) => !each.value))?.focus();
      },
      closed: (/** @type {"sent" | "escape"} */ by) => {
        if (asking === mine) shut();
        draw();
        if (focusIn(root)) return;
        if (by === "escape" && opener?.isConnected) opener.focus();
        else rest();
      },
    });
    mine.close = close ?? mine.close;
    return undefined;
  };

  /** Lets an offer pass; where that is the last one, dice may be asked for first. @param {string} who */
  const letPass = (who) => {
    const [window] = view.windows ?? [];
    const others = window?.rows.some((row) => row.who !== who && !row.passed) || window?.more;
    if (view.seat || others) send({ kind: "pass", name: who });
    else call({ kind: "resolve" }, "Carry on");
  };

  /** @param {"undo" | "redo"} kind */
  const step = (kind) => {
    if (view[kind]?.allowed) send({ kind });
    else say(nameOf(kind));
  };

  /** @param {"undo" | "redo"} kind */
  const nameOf = (kind) => view[kind]?.title || `Nothing to ${kind}.`;

  /** The letter that does the same, for the eye. @param {string} [letter] */
  const keyCap = (letter) => (letter && keys.on() ? html`<kbd class="ck-k" aria-hidden="true">${letter}</kbd>` : nothing);

  /**
   * A button; if it may not be pressed, or that needs a word, `why` says so. What does the same at `each` press counts every tap.
   *
   * @param {unknown} title
   * @param {() => void} press
   * @param {ButtonOptions} [options]
   */
  const button = (title, press, { kind = "", name, keys: other, letter, capped, barred, why, open, each } = {}) => {
    const act = () => (barred ? say(why ?? "") : press());
    const id = why && `${prefix}-${(name ?? String(title)).replace(/\W+/g, "-")}`;
    return html`<button type="button" class="ck-btn ${kind}" aria-label=${(!capped && name) || nothing} aria-keyshortcuts=${[keys.on() && letter, other].filter(Boolean).join(" ") || nothing}
      aria-disabled=${barred ? "true" : nothing} aria-describedby=${id ?? nothing} aria-expanded=${open ?? nothing}
      title=${(name && why) ?? nothing} @click=${each ? act : once(act)}>${title}${capped ? keyCap(letter) : nothing}</button
      >${why ? html`<span class="ck-sr" id=${id}>${why}</span>` : nothing}`;
  };

  const start = () => {
    const typed = /** @type {HTMLInputElement | null} */ (find('.ck-hand > form > * > [name="name"]'))?.value.trim();
    if (typed) return bar({ reason: `${typed} is typed, and not in yet: Add them, or clear the name.`, rule: "" });
    const surprised = all('[name="surprised"]:checked').map((box) => /** @type {HTMLInputElement} */ (box).value);
    call({ kind: "start", ...(surprised.length ? { surprised } : {}) }, "Start");
  };

  /** What the key N does. */
  const goOn = () => {
    const [window] = view.windows ?? [];
    const { end } = view;
    if (view.mode === "setup") {
      const why = view.setup?.combatants?.length ? undefined : "Add at least one combatant.";
      return button("Start", start, { kind: "is-main", letter: "N", capped: true, barred: Boolean(why), why });
    }
    if (view.mode === "over") return button("Save web page", savePage, { kind: "is-main", letter: "S", capped: true });
    const { actions: [word] = [] } = (!refused && !question && requestOf(view)) || {};
    if (word?.sends) return button(word.title, () => send(/** @type {Intent} */ (word.sends)), { kind: "is-main is-new", letter: "N", capped: true });
    if (window && !view.seat) {
      const must = window.rows.find((row) => row.must || row.choices?.length);
      const first = must && (must.who === "GM" ? "The GM must answer this first." : `${must.who} must answer first.`);
      if (window.shared) return button("Let mine go", () => shout("ck-leave") || send({ kind: "pass" }), { kind: "is-main", letter: "N", capped: true, barred: Boolean(must), why: first ?? "Players may still react." });
      const why = first ?? (window.held ? "Players may still react." : "Nobody else reacts; play carries on.");
      // An answer that is filled in is not dropped unasked, nor dice that are typed.
      return button("Carry on", () => shout("ck-leave") || call({ kind: "resolve" }, "Carry on"), { kind: window.held ? "is-main is-held" : "is-main", letter: "N", capped: true, barred: Boolean(must), why });
    }
    const mine = view.seat ? window?.rows.find((row) => !row.waits && !row.choices && !row.must) : undefined;
    if (mine) {
      // Whoever is aimed at has something better to do than that.
      const kind = view.turn?.mine === "may" ? "is-main is-pass" : "is-pass";
      return button(mine.lets ?? "Let it go", () => send({ kind: "pass", name: mine.who }), { kind, letter: "L", capped: true });
    }
    if (!end) return nothing;
    const why = end.allowed ? undefined : plain(end.reason);
    // What would be passed over is said first.
    const first = refused?.reason === end.first ? "" : end.first;
    const go = () => shout("ck-leave") || (first ? bar({ reason: first, rule: "" }) : call({ kind: "end_turn" }, end.label));
    return button(end.label, go, { kind: first ? "is-main is-held" : "is-main", letter: "N", capped: true, barred: !end.allowed, why });
  };

  /** @param {import("./after.js").Seen} whose */
  const see = (whose) => {
    seen = whose;
    draw();
  };

  const savePage = () => {
    want("more");
    brought.more?.go?.("page");
  };

  /** The letter saves nothing unasked: it leads to the button that does. */
  const askSave = () => {
    openMore("menu");
    find(".ck-more .is-page")?.focus();
  };

  /** @param {string} part of More, or the menu of all @param {string} [who] whom it is about */
  const openMore = (part, who) => {
    if (view.seat) return;
    if (!more) opener = focusIn(root);
    more = part;
    want("more");
    brought.more?.go?.(part, who);
  };

  /** @param {boolean} [done] what was wanted of it is done */
  const close = (done) => {
    const on = focusIn(root);
    more = undefined;
    delete brought.more;
    if (asking?.over) shut();
    draw();
    // A card that is open still has the keys.
    const to = done ? (find("form[tabindex]") ?? find(".ck-res")) : opener?.isConnected ? opener : find(".ck-ctl > .is-more");
    // Who has gone elsewhere in the meantime stays there.
    if (!on?.isConnected || on.matches(".ck-ctl > .is-more")) to?.focus();
  };

  /** The list of More gives way to whatever else is done. */
  const putAway = () => {
    if (find(".ck-more.is-list")) close();
  };

  const steps = () =>
    html`<div class="ck-undo" role="group" aria-label="Undo and redo">${/** @type {const} */ (["undo", "redo"]).map((kind) => {
      if (view.seat && kind === "redo") return nothing;
      const [name, keys, letter] = /** @type {[string, string, string]} */ (STEPS[kind]);
      const capped = kind === "undo";
      const drawing = html`${icon(kind)}${capped ? (view.seat ? "Take back" : name) : nothing}`;
      const barred = !view[kind]?.allowed;
      return button(drawing, () => step(kind), { kind: capped ? "is-bare" : "is-bare is-icon", name, keys, letter, capped, barred, each: true, why: nameOf(kind) });
    })}</div>`;

  /** More, pressed: its list, unless that is open already. */
  const toggle = () => (find(".ck-more.is-list") ? close() : openMore("menu"));

  const shutMoment = () => {
    moment = undefined;
    draw();
    find(".ck-ctl > .is-more")?.focus();
  };

  /** @param {string} [what] */
  const openMoment = (what) => {
    moment = made.moment?.(desk(), shutMoment, what);
    draw();
    find(".is-moment .ck-btn")?.focus();
  };

  const toggleMoment = () => (moment ? shutMoment() : openMoment());

  /** Of the moment something can be made. */
  const isMade = () => !view.players && !view.task && Boolean(made.moment);

  const log = () => {
    over = over ? "" : "log";
    draw();
  };

  const controls = () =>
    html`<div class="ck-ctl" role="group" aria-label="Turn controls">
      ${steps()}${view.mode === "play" ? button("Log", log, { kind: "is-log", open: over === "log" }) : nothing}${
        view.seat ? nothing : button("More", toggle, { kind: "is-more", open: Boolean(more), letter: "M" })
      }${goOn()}
    </div>`;

  /**
   * Makes what is not on the stage from the first.
   *
   * @param {"setup" | "more"} name
   */
  const want = (name) => {
    brought[name] ??= made[name]?.(desk());
    draw();
  };

  /** What is lent to what is made later. @returns {Desk} */
  const desk = () => ({
    ...{ prefix, view: () => view, ask: port.ask, refuse: bar, send, call, button, say, draw, find },
    ...{ keys, damage, card, close, whom: () => carded ?? view.gm?.chosen, make: isMade() ? openMoment : undefined, folds: { on: folds.on, turn: fold }, seen: () => seen },
  });

  /** @param {boolean} on */
  const fold = (on) => {
    folds.turn(on);
    draw();
    shout("ck-fold");
  };

  /** How long the turn has taken; it goes on by itself. */
  const timer = element("span", { className: "ck-timer", role: "timer", ariaLabel: "This turn" });
  const tick = () => {
    const seconds = Math.max(0, Math.floor((Date.now() - (view?.timer ?? 0)) / 1000));
    timer.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  };
  const clockwork = setInterval(() => view?.timer && tick(), 1000);
  signal.addEventListener("abort", () => clearInterval(clockwork));

  const whose = () => {
    const { who, title, sub: words, mine = "" } = view.turn ?? {};
    const small = html`<small title=${words ?? nothing}>${view.hurt ? html`<b class="ck-hurt">${view.hurt}</b> ` : nothing}${words}${view.timer ? [words ? " · " : "", timer] : nothing}</small>`;
    return html`<div class="ck-turn ${mine && `is-${mine}`} ${title?.[20] ? "is-long" : ""}">${who ? token(who.side, who.initials, who.portrait, who.veil) : nothing}<div>${title ? html`<b title=${title}>${title}</b>` : nothing}${small}</div></div>`;
  };

  const { told, show: result } = createResult({ button, send, say, seek: (seq) => port.send({ kind: "at", seq }, bar), rest });

  /** What stands in the zone of itself, to be heard. */
  const telling = () => told(view, { word: brought.setup?.word?.() });

  const draw = () => {
    if (!view) return;
    const { mode, players } = view;
    const isSetup = mode === "setup";
    const isPast = mode === "past";
    const controlled = !players && !isPast;
    // What is filled in stands as it was when one comes back from the past.
    const form = (/** @type {unknown} */ drawn) => html`<div class="ck-form-of" ?hidden=${isPast}>${isPast ? noChange : drawn}</div>`;
    root.classList.toggle("is-past", isPast);
    root.classList.toggle("is-cut", isCut);
    root.classList.toggle("is-mute", !keys.on());
    root.classList.toggle("is-flat", !folds.on());
    // In the past it is what one goes by.
    root.classList.toggle("is-log", isPast || over === "log");
    const isBare = (isSetup || mode === "over") && !players;
    const ended = mode === "over" && view.card;
    const isRolled = isSetup && asking;
    const word = isRolled ? ROLLED : isSetup ? brought.setup?.word?.() : more ? undefined : brought.more?.word?.();
    render(
      html`<header class="ck-head">${clock(isSetup ? { label: isRolled ? "Initiative" : "New fight" } : view.clock)}${(isSetup && !isRolled && brought.setup?.head?.()) || whose()}
        ${controlled ? controls() : isPast && isMade() ? html`<div class="ck-ctl" role="group" aria-label="This moment">${button("More", toggleMoment, { kind: "is-more", open: Boolean(moment), letter: "M" })}</div>` : nothing}</header>
        ${result(view, { isCut, refused, question, word })}
        <div class="ck-parts ${isSetup && isBare ? "is-set" : ""}" ?hidden=${isBare && !isSetup}>${ended && players ? won(ended) : nothing}<div data-ck-part="ladder"></div><div data-ck-part="map"></div><div data-ck-part="budget"></div><div data-ck-part="log"></div></div>
        ${ended && !players ? won(ended, view.task ? nothing : made.after?.(view, button, send, seen, see)) : nothing}
        ${moment?.draw()}${form(controlled && more ? brought.more?.draw() : nothing)}${form(isSetup && !players ? brought.setup?.draw() : nothing)}
        ${form(asking?.over ? html`<div class="ck-over ck-call">${asking.el}</div>` : nothing)}`,
      root,
    );
    // What lies under something else is neither gone to by Tab nor read out.
    for (const part of all("[data-ck-part]")) part.inert = Boolean(find(".ck-call, .ck-more.is-panel") ?? (part.dataset.ckPart === "budget" && find(".ck-more.is-form")));
  };

  /** Lets the ladder hear of a wish, from its rung if that has the focus; says whether it did something. @param {string} name */
  const wish = (name) => {
    const ladder = find('[data-ck-part="ladder"] .ck-in');
    const on = focusIn(root);
    return tell(ladder?.contains(on) ? on : ladder, name);
  };

  const damage = () => void (wish("ck-damage") || say("Nobody can be damaged or healed here."));
  const card = () => void (wish("ck-card") || say("No card to open here."));

  /** An own attack; where its form is open already, it leads back into it, and whoever is chosen stays. @param {number} index */
  const attack = (index) => {
    const act = more ? undefined : all('[data-group="attacks"] [data-action]')[index];
    if (act?.ariaExpanded === "true") tell(root, "ck-next", true);
    else {
      tell(act, "ck-front");
      act?.focus();
      act?.click();
    }
  };

  const toTarget = () => {
    if (!more) tell(root, "ck-next");
  };

  /** Goes to what only the table can say, if something is asked in the zone: it is not passed over by a letter. */
  const toAsked = () => {
    const box = find(".ck-res .ck-asked :is(input, button), .ck-res.is-asked .a > :is(label, button)");
    (box?.querySelector("input") ?? box)?.focus();
    if (box) say(box.matches("[data-owed]") ? "Say how much first." : told(view, { question }));
    return Boolean(box);
  };

  const letGo = () => {
    const pass = find(".ck-rung:focus-within .is-pass") ?? find(".ck-desk .is-pass") ?? find(".is-pass");
    if (pass) pass.click();
    else if (!toAsked()) say("Nothing to let go.");
  };

  /** What letters do; each as the button that it stands for would. @type {Record<string, () => void>} */
  const LETTERS = {
    n: () => (view.mode === "over" ? say("The fight is over.") : toAsked() || isNew() || main()?.click()),
    u: () => step("undo"),
    U: () => step("redo"),
    m: toggle,
    s: askSave,
    "?": () => (more === "shortcuts" ? close() : openMore("shortcuts")),
    d: damage,
    c: card,
    1: () => attack(0),
    2: () => attack(1),
    3: () => attack(2),
    t: toTarget,
    l: letGo,
    a: () => find(".ck-work .is-guard")?.click(),
    g: () => send({ kind: "map" }),
  };
  /** Keys of the line of time, which count in the past too: events and rounds on or back. @type {Record<string, [number, number]>} */
  const TRAVEL = { "[": [-1, 0], "]": [1, 0], "{": [0, -1], "}": [0, 1] };

  /**
   * Puts away what belongs to another state of the fight than the one that has come.
   *
   * @param {boolean} isBack from the past, where nothing is put away: it has come to nothing
   */
  const come = (isBack) => {
    const { mode, turn, clock: at } = view;
    if (mode !== stage) {
      more = undefined;
      over = "";
      seen = {};
      delete brought.setup;
      if (asking?.over) shut();
    }
    stage = mode;
    const moment = [turn?.title, at?.label].join();
    if (moment !== thrown) for (const kind of Object.keys(faces)) delete faces[kind];
    thrown = moment;
    if (isBack) return;
    // What seats roll meanwhile is typed no more.
    if (mode === "setup") asking?.el.dispatchEvent(new Event("ck-look"));
    brought.setup?.done();
    brought.more?.done();
  };

  /** @param {KeyboardEvent} event */
  const onKey = (event) => {
    const { key, shiftKey } = event;
    if ((key === "Enter" || key === " ") && /** @type {Element} */ (event.target).matches(".ck-res, .ck-shell")) {
      claim(event);
      return;
    }
    // Some keyboards have brackets on a third level, which looks like Ctrl and Alt.
    const third = event.getModifierState("AltGraph");
    if (view.players || isCut || (event.altKey && !third)) return;
    const leaves = key === "Escape";
    if (leaves && more && view.mode !== "past") return brought.more?.out?.(event);
    const commands = (event.ctrlKey || event.metaKey) && !third;
    const by = keys.on() && !commands && TRAVEL[key];
    if (by && !isField(event)) {
      claim(event);
      tell(find('[data-ck-part="log"] .ck-in'), "ck-travel", by);
      return;
    }
    if (leaves && (over || view.mode === "past") && !find(":popover-open")) {
      claim(event);
      if (over) {
        find(".ck-ctl .is-log")?.focus();
        log();
      } else if (moment) shutMoment();
      else port.send({ kind: "at", seq: null }, bar);
      return;
    }
    const letter = shiftKey ? key.toUpperCase() : key.toLowerCase();
    const act = commands
      ? key.toLowerCase() === "z" && view.mode !== "past" && (() => step(shiftKey ? "redo" : "undo"))
      : keys.on() && !event.repeat && LETTERS[letter];
    // What is typed has an undo of its own; where there is a map, it hears its letter itself.
    if (!act || (isField(event) && !isKey(event)) || (letter === "g" && find(".ck-map"))) return;
    claim(event);
    if (act === toggle && view.mode === "past" && isMade()) toggleMoment();
    else if (view.mode === "past") say("This is the past: go back to now first.");
    else {
      if (act !== toggle) putAway();
      act();
    }
  };

  const outer = /** @type {HTMLElement} */ (root.parentElement);
  root.classList.add("ck-shell");
  // A click beside everything lets letters count.
  root.tabIndex = -1;
  heedOnce(outer, signal);
  listen(outer, "keydown", signal, onKey);
  // A page that says so is nothing but this: there letters count wherever nothing else has the focus.
  const alone = /** @param {KeyboardEvent} event */ (event) => {
    const { key, target } = event;
    const to = target === document.body && root.closest("[data-ck-page]") && /^\S$/.test(key) && isPlain(event) && find(".ck-res");
    if (!to) return;
    to.focus();
    if (!to.dispatchEvent(new KeyboardEvent("keydown", event))) event.preventDefault();
  };
  listen(document, "keydown", signal, alone);
  // Who presses beside it means something else: a notebook may leave the focus here, and no letter is to take a turn then.
  const beside = /** @param {Event} event */ ({ target }) => !outer.contains(/** @type {Node} */ (target)) && focusIn(root)?.blur();
  listen(document, "pointerdown", signal, beside, true);
  // The menu is out of the way as soon as something else is pressed.
  listen(outer, "click", signal, ({ target }) => !target.closest(".ck-more, .ck-ctl > .is-more") && putAway(), true);
  for (const name of ["dragover", "drop", "paste"]) {
    listen(outer, name, signal, (event) => !isCut && (view.mode === "setup" ? brought.setup : brought.more)?.heed?.(event));
  }
  // The switch is for the letters of the parts as well.
  const isOfParts = (/** @type {KeyboardEvent} */ event) => (/^r$/i.test(event.key) ? /** @type {Element} */ (event.target).matches(".ck-face") : /^[/gh]$/i.test(event.key) && !isField(event));
  listen(outer, "keydown", signal, (event) => !keys.on() && isOfParts(event) && event.stopPropagation(), true);
  listen(outer, "ck-say", signal, ({ detail: [text, by, lang] }) => say(text, by, lang));
  /** @param {string} name @param {(detail: any) => void} heed */
  const on = (name, heed) => hear(outer, name, (detail) => void heed(detail), signal);
  on("ck-pass", ({ name }) => letPass(name));
  // The log gives way to what is put on the desk under it.
  listen(outer, "ck-desk", signal, ({ detail: { at, el, title } }) => {
    if (at === "card") carded = el && title;
    if (!over || !el) return;
    over = "";
    draw();
  });
  on("ck-front", () => {
    if (over) log();
  });
  on("ck-form", ({ part, name }) => openMore(part, name));
  on("ck-refused", (refusal) => bar(refusal ?? {}));
  on("ck-question", (asked) => {
    question = asked ?? undefined;
    draw();
    if (question) say(told(view, { question }));
  });
  on("ck-cut", () => {
    isCut = true;
    refused = undefined;
    draw();
    say(told(view, { isCut }));
  });
  lent.then((budget) => {
    ask = budget.ask;
    budget.rules(root, say, signal);
  });

  return (next) => {
    const { announce: announced } = view ?? {};
    const turn = view?.turn?.title;
    const known = view && telling();
    const wasPast = view?.mode === "past";
    if (next.mode !== view?.mode || next.past?.at !== view?.past?.at) moment = undefined;
    view = next;
    tick();
    refused = undefined;
    if (next.mode !== "past") come(wasPast);
    const setsUp = next.mode === "setup" && !next.players && !brought.setup;
    const goesOn = view.turn?.title !== turn;
    // Where a player says how much, whoever leads goes on meanwhile.
    const isOwed = (view.owed || (view.result?.owed && !view.result.owed.seat)) && !find("[data-owed]");
    const did = focusIn(root) === main() ? main()?.textContent : undefined;
    keepFocus(root, () => (setsUp ? want("setup") : draw()), () => find(".ck-res"));
    // Far down on the card of the last fight, the next one is begun above.
    if (setsUp && known != null) root.scrollIntoView({ block: "nearest" });
    // Whose turn it is now has other buttons in the same places, and the main button may do another thing: none of them is
    // to be pressed by what was meant for the last.
    if ((goesOn && focusIn(root)?.closest(".ck-budget, .ck-state, .ck-vital")) || (did !== undefined && main()?.textContent !== did)) rest();
    if (isOwed && focusIn(root) && !isField({ target: focusIn(root) })) find("[data-owed]")?.focus();
    compose(Object.fromEntries(all("[data-ck-part]").map((el) => [el.dataset.ckPart, el])));
    const news = telling();
    if (next.announce && next.announce !== announced) say(next.announce);
    else if (known != null && news && news !== known) say(news);
    else if (![next.announce, news].includes(spoken)) say("");
  };
}

/** Whether a key is typed into something. @param {Pick<Event, "target">} event */
const isField = ({ target }) =>
  Boolean(/** @type {HTMLElement} */ (target).closest("input:not([type=checkbox],[type=radio],[type=range]),select,textarea"));
