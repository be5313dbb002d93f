/**
 * The page of a seat: a connection to the table, and the widgets of a notebook on it, fetched by their addresses. It shows
 * what it was sent, and sends what was asked for.
 */
import { nothing, render } from "lit-html";

import { connect } from "../shared/adapter.js";
import { bringDraft, draftAt } from "../shared/draft.js";
import { element } from "../shared/element.js";
import { playing } from "../shared/sitter.js";
import { tell } from "../shared/tell.js";
import { html, speakIn, tr } from "../shared/tongue.js";
import { heedWrong } from "../shared/wrong.js";
import { createBell, stayOn } from "./bell.js";
import { createLine, NEWS } from "./line.js";
import { check, layOut, openingOf } from "./mine.js";
import { createModels } from "./models.js";
import { ageOf, wordsFor } from "./words.js";

/** @import { Host } from "../shared/port.js" */
/** @import { State } from "./line.js" */
/** @import { Part } from "./models.js" */

const page = /** @type {HTMLElement} */ (document.getElementById("seat"));
const said = page.appendChild(element("div"));
const fight = page.appendChild(element("div"));
fight.className = "seat-fight";
/** Who sits where, and a pause: on the GM's page, below the fight. */
const table = page.appendChild(element("div"));
table.className = "seat-table";
const { signal } = new AbortController();
speakIn(JSON.parse(document.getElementById("tongue")?.textContent || "null") ?? undefined);

/** @type {State} */
let state = "connecting";
/** What the GM is to confirm. */
let about = "";
/** Whom they play. @type {string[]} */
let plays = [];
/** Whether it is the GM's page. */
let leads = false;
/** Whether it is the table's screen. */
let looks = false;
/** What became of something that was done before, until something else is. */
let told = "";
/** Whether they have taken back what they let go last. */
let isBack = false;
/** Whether what they did last is done, and nothing has come since: the GM goes on with what is not shown. */
let isDone = false;
/** Whether something has come since the last thing was sent. */
let isShown = false;
/** When something was heard last. */
let heard = 0;
/** The table, once its scripts are there: what comes meanwhile waits for them, for nobody else would take it. @type {Promise<ReturnType<typeof createModels>> | undefined} */
let shown;

/** The button that was tapped last, until what it has sent is answered. @type {HTMLElement | null | undefined} */
let tapped;
/** Those whose tap has no answer yet, by its number. @type {Map<number, HTMLElement>} */
const marked = new Map();
fight.addEventListener("click", ({ target }) => (tapped = /** @type {Element} */ (target).closest("button")), { capture: true });

/** Whether a tap waits for longer than it takes to be answered. */
let isSlow = false;
/** After so many milliseconds it is said too that one waits. */
const SLOW = 400;

/** Shows at once that a tap was taken, and for as long as it waits. @param {HTMLElement} button @param {number} id */
function mark(button, id) {
  marked.set(id, button);
  button.dataset.sent = "";
  setTimeout(() => {
    if (!line.has(id)) return;
    isSlow = true;
    draw();
  }, SLOW);
}

/** What was answered is marked no more; what an answer sends in its turn is still the tap's. */
function unmark() {
  for (const [id, button] of marked) if (!line.has(id)) marked.delete(id) && delete button.dataset.sent;
  for (const button of marked.values()) button.dataset.sent = "";
  if (marked.size) return;
  tapped = undefined;
  if (isSlow) {
    isSlow = false;
    draw();
  }
}

/** @param {string} url */
const load = async (url) => (await import(new URL(url, document.baseURI).href)).default;

/** @param {string} url */
const dress = (url) =>
  new Promise((resolve) => {
    const link = element("link");
    link.rel = "stylesheet";
    link.href = url;
    link.onload = link.onerror = resolve;
    document.head.append(link);
  });

/**
 * Tells whoever looks elsewhere that it is their turn, or that they are asked or hit: by the page's title, a buzz and, for
 * whoever wants one, a sound.
 *
 * @param {import("../shared/port.js").Model} tracker
 * @param {string} title
 * @param {() => void} ring
 */
function watch(tracker, title, ring) {
  /** What was told last; what stands there as the page opens is read. @type {string | undefined} */
  let last;
  let lastCall = "";
  let lastMoment = "";
  /** What they were hit for, once they have tapped it away. @type {string | undefined} */
  let read;
  fight.addEventListener("click", ({ target }) => {
    if (!(/** @type {Element} */ (target).closest(".ck-hurt"))) return;
    read = /** @type {import("../shared/types.js").TrackerData} */ (tracker.get("view")).hurt;
    look();
  });
  const look = () => {
    const { turn, hurt = "" } = /** @type {import("../shared/types.js").TrackerData} */ (tracker.get("view"));
    if (read !== hurt) read = undefined;
    fight.classList.toggle("is-read", read !== undefined);
    const isMine = ["now", "asked"].includes(turn.mine ?? "");
    const call = isMine ? turn.title : "";
    const news = [call, hurt === read ? "" : hurt].filter(Boolean).join(". ");
    // A rule's words lie over what is asked now.
    const moment = `${turn.mine} ${turn.title}`;
    if (moment !== lastMoment) for (const open of document.querySelectorAll(":popover-open")) /** @type {HTMLElement} */ (open).hidePopover();
    lastMoment = moment;
    document.title = [news, title].filter(Boolean).join(" · ");
    // A browser lets only those buzz who have been touched.
    const isNew = last !== undefined;
    if (isNew && news && news !== last && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(200);
    if (isNew && call && call !== lastCall) {
      ring();
      if (!document.activeElement?.matches("input, textarea, select")) scrollTo(0, 0);
    }
    last = news;
    lastCall = call;
  };
  tracker.on("change:view", look);
  look();
}

/** Opens again what was filled in before the page was loaded anew, if it may still be done. @param {HTMLElement} el @param {import("../shared/types.js").BudgetData} view */
function reopen(el, view) {
  const of = bringDraft()?.of;
  const opening = of && openingOf(view, of);
  if (opening) tell(el.querySelector(".ck-in"), opening, { ...of, params: of.given, needs: true });
}

/** @param {any} welcome */
async function open({ seat, ...whole }) {
  const made = createModels(whole, (content) => {
    if (content.id != null) isShown = false;
    if (content.kind === "pass" || content.kind === "undo") isBack = content.kind === "undo";
    const isTap = content.id != null && Boolean(tapped?.isConnected);
    const isSent = line.send(content, isTap);
    if (isSent && isTap) mark(/** @type {HTMLElement} */ (tapped), /** @type {number} */ (content.id));
    draw();
    return isSent;
  }, (moment) => draftAt(seat.role === "seat" ? `${seat.name} ${moment}` : ""));
  const { models } = made;
  const bell = createBell();
  watch(models.tracker, tr(`${seat.name}: at the table`), bell.ring);
  stayOn();
  const isScreen = seat.role === "screen";
  page.classList.add(`is-${seat.role}`);
  const parts = /** @type {Part[]} */ (["ladder", "budget", "log", "map", "tracker"]);
  await dress(`assets/${isScreen ? "screen" : "tracker"}.css`);
  if (isScreen) {
    (await load("assets/screen.js")).render({ models, el: fight, signal });
    return made;
  }
  const widgets = Object.fromEntries(await Promise.all(parts.map(async (part) => [part, await load(`assets/${part}.js`)])));
  const exports = Object.fromEntries(parts.map((part) => [part, widgets[part].initialize({ model: models[part] })]));
  const { send } = connect(models.tracker);
  const act = (/** @type {import("../shared/port.js").Intent} */ content) => send(content, ({ reason }) => recount(reason));
  /** @type {(part: Part, el: HTMLElement) => HTMLElement} */
  const placeOf = seat.role === "seat" ? layOut(models, seat.name, () => plays, act, bell, () => isBack) : (_, el) => el;
  /** @type {Host} */
  const host = {
    getWidget: async (ref) => ({
      exports: exports[ref],
      render: async ({ el, ...place }) => {
        const at = placeOf(/** @type {Part} */ (ref), el);
        widgets[ref].render({ model: models[/** @type {Part} */ (ref)], signal, host, ...place, el: at });
        if (ref === "budget") reopen(at, /** @type {import("../shared/types.js").BudgetData} */ (models.budget.get("view")));
      },
    }),
  };
  widgets.tracker.render({ model: models.tracker, el: fight, signal, host });
  return made;
}

said.addEventListener("invalid", heedWrong, { capture: true });

/** @param {SubmitEvent} event */
const pair = (event) => {
  event.preventDefault();
  line.pair(String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("code")));
};

/** @param {string} words */
function recount(words) {
  if (words === told) return;
  told = words;
  draw();
}

function draw() {
  const typed = [...fight.querySelectorAll("input:not([type=radio], [type=checkbox], [type=range]), textarea")].some((box) => /** @type {HTMLInputElement} */ (box).value);
  const [title, text] = wordsFor(state, about, line.waits(), { leads, typed, looks, done: isDone, slow: isSlow }) ?? [];
  const isLost = state === "lost" || state === "barred";
  const isShut = ["revoked", "unknown", "code", "mistyped", "crowded"].includes(state);
  // Greyed, not gone: what is typed stays. A seat that was closed shows nothing any more.
  fight.classList.toggle("is-old", isLost);
  fight.hidden = isShut;
  // What can't be done now looks so. While the GM has something to confirm, or has paused, nothing can be asked; while
  // they are busy a tap waits, unless the next moment is not theirs any more.
  const isHeld = state === "asking" || (state === "paused" && !leads) || (state === "busy" && isDone && !leads);
  fight.classList.toggle("is-held", isHeld || state === "busy");
  for (const part of fight.querySelectorAll(".ck-desk, .ck-ctl, .ck-res > .a")) /** @type {HTMLElement} */ (part).inert = isHeld;
  render(
    html`<div role="status">${title ? html`<section class="seat-said ${["busy", "open"].includes(state) ? "is-brief" : ""}"><h1>${title}</h1><p>${text}</p></section>` : nothing}</div>
      ${state === "asking" ? html`<button type="button" class="seat-btn is-bare" @click=${() => line.send({ kind: "withdraw" })}>Take it back</button>` : nothing}
      ${state === "paused" && leads ? html`<button type="button" class="seat-btn" @click=${() => choose("paused", false)}>Go on</button>` : nothing}
      ${isLost && heard ? html`<p class="seat-age">${ageOf((Date.now() - heard) / 1000)}</p>` : nothing}
      ${told && !isShut ? html`<p class="seat-age" role="status">${told}</p>` : nothing}
      ${isLost ? html`<button type="button" class="seat-btn" @click=${line.start}>Try now</button>` : nothing}
      ${state === "crowded" ? html`<button type="button" class="seat-btn" @click=${line.again}>Sit here again</button>` : nothing}
      ${
        ["code", "mistyped", "unknown"].includes(state)
          ? html`<form class="seat-code" @submit=${pair}>
              <label>Code <input name="code" required pattern=".*\\S.*" autocomplete="off" autocapitalize="characters" spellcheck="false" /></label>
              <button class="seat-btn">Take my seat</button>
            </form>`
          : nothing
      }`,
    said,
  );
  shown?.then(({ models }) => atTable(leads ? models.tracker.get("view") : {}));
}

/** Chooses something for all seats, as the room's list does. @param {string} what @param {boolean} on */
const choose = (what, on) => line.send(/** @type {any} */ ({ kind: "choose", what, on }));

/** @param {Partial<Pick<import("../shared/types.js").TrackerData, "sits" | "chosen">>} view */
const atTable = ({ sits, chosen }) =>
  render(
    sits && !fight.hidden
      ? html`<details class="seat-fold"><summary><b>At the table</b><span>${sits.filter(({ here }) => here).length} of ${sits.length} here</span></summary>
          <ul>${sits.map(({ name, plays: whom, here, word }) => html`<li><b>${name}</b> ${playing(whom)} <small class=${here ? "" : "is-off"}>${word}</small></li>`)}</ul>${check("Seats roll their own dice", Boolean(chosen?.throws), (on) => choose("throws", on))}${check("Ask me before a seat does anything", Boolean(chosen?.asks), (on) => choose("asks", on))}${state === "paused" ? nothing : html`<button type="button" class="seat-btn is-bare" @click=${() => choose("paused", true)}>Pause the table</button>`}</details>`
      : nothing,
    table,
  );

const line = createLine({
  open: () => {
    const url = new URL("wire", document.baseURI);
    url.protocol = url.protocol.replace("http", "ws");
    url.hash = "";
    return new WebSocket(url);
  },
  token: () => location.hash.slice(1),
  page: `${Date.now()}-${Math.random()}`,
  keep: (token) => history.replaceState(null, "", `#${token}`),
  hear: (message) => {
    heard = Date.now();
    if (NEWS.includes(message.kind)) isShown = true;
    if (message.acted) isDone = !isShown;
    else if (isShown) isDone = false;
    if (message.kind === "welcome") {
      plays = message.seat.plays;
      leads = message.seat.role === "gm";
      looks = message.seat.role === "screen";
    }
    if (message.kind !== "welcome") shown?.then(({ hear }) => hear(message));
    else if (shown) shown.then(({ show }) => show(message));
    else shown = open(message);
    draw();
    setTimeout(unmark);
  },
  show: (next, asked) => {
    about = asked;
    state = next;
    draw();
  },
  tell: recount,
  wait: (then, milliseconds) => setTimeout(then, milliseconds),
});

// A browser says nothing of a connection that has died in a sleep, or with its network: the page asks.
for (const name of ["online", "offline", "pageshow"]) addEventListener(name, line.wake);
document.addEventListener("visibilitychange", () => document.hidden || line.wake());
// Another link to the same address is another seat, though a browser takes it for a place on this page.
addEventListener("hashchange", () => location.reload());
setInterval(() => {
  line.tick();
  draw();
}, 1000);
draw();
line.start();
