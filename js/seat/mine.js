/** How a player's page is laid out: who they play and what those can do come first; the rest is folded beneath. */
import { nothing, render } from "lit-html";

import { minus, vitalsOf } from "../shared/amount.js";
import { element } from "../shared/element.js";
import { icon, side } from "../shared/marks.js";
import { isWord, plain, rich, section } from "../shared/rich.js";
import { playing } from "../shared/sitter.js";
import { die, html, joined, tr } from "../shared/tongue.js";
import { kept } from "./kept.js";

/** @import { BudgetData, FirstDie, LadderData, Sitter, TrackerData } from "../shared/types.js" */
/** @import { Part, createModels } from "./models.js" */

/** Whether what is aimed at others is let go without a tap. */
const LETS = "combatkit-lets-go";
/** Under which it is kept whether the map is open. */
const GROUND = "combatkit-map";

/** So many of those who come next are named while the ladder is folded. */
const NEXT = 3;

/** Who comes next in this round. @param {Pick<LadderData, "order" | "rows" | "current">} view @param {string} [then] whose turn comes first */
export const nextOf = ({ order, rows, current }, then) => {
  const coming = order.slice(order.indexOf(current ?? "") + 1).flatMap((id) => rows[id] ?? []);
  // Not every rung has a turn, and who gets up late has one whose rung the order has passed.
  const after = coming.slice(coming.findIndex(({ name }) => name === then) + 1);
  return [...new Set([...(then ? [then] : []), ...after.filter(({ status }) => status !== "out").map(({ name }) => name)])].slice(0, NEXT);
};

/**
 * Lets go what is aimed at others, for whoever wants that: once for each whom they play, and anew where it is asked anew
 * (somebody took an answer back, or the GM has started again), but not what they have taken back themselves.
 *
 * @param {(content: {kind: string, name: string}) => unknown} send
 * @param {() => boolean} isBack whether they have taken back what they let go last
 */
export const createLetting = (send, isBack) => {
  /** Which window each has let go last, and whether that is on its way. @type {Record<string, {id: string, isSent: boolean}>} */
  const gone = {};
  return (/** @type {boolean} */ lets, /** @type {Pick<TrackerData, "windows">} */ { windows: [window] }) => {
    const { id = "", rows = [] } = window ?? {};
    for (const { who, aside } of rows) {
      const last = gone[who];
      if (last && !aside) last.isSent = false;
      if (!lets || !aside || (last?.id === id && (last.isSent || isBack()))) continue;
      gone[who] = { id, isSent: true };
      send({ kind: "pass", name: who });
    }
  };
};

/**
 * Which event opens the form again of what was filled in before the page was loaded anew; none, if that can't be done now.
 *
 * @param {Pick<BudgetData, "name" | "asked" | "action" | "folds" | "group" | "calls">} view
 * @param {import("../shared/draft.js").Of} of
 */
export const openingOf = ({ name, asked, action, folds, group, calls }, of) => {
  if (name == null && calls) return calls.action === of.action && Object.values(calls.rows).some((call) => call?.name === of.name) ? "ck-call" : "";
  const isRefused = folds.some((id) => group[id]?.actions.includes(of.action)) || action[of.action]?.off != null;
  const may = asked?.answers.length ? asked.answers.some(({ id }) => id === of.action) : action[of.action] && !isRefused;
  return name === of.name && may ? "ck-answer" : "";
};

/** A box that is ticked or not. @param {string} words @param {boolean} on @param {(on: boolean) => void} turn */
export const check = (words, on, turn) =>
  html`<label class="ck-check seat-check"><input type="checkbox" .checked=${on} @change=${(/** @type {{target: HTMLInputElement}} */ { target }) => turn(target.checked)} />${words}</label>`;

/** @param {string} title */
const foldOf = (title) => {
  const fold = element("details");
  fold.className = "seat-fold";
  const summary = fold.appendChild(element("summary"));
  const named = summary.appendChild(element("b"));
  named.textContent = tr(title);
  const beside = summary.appendChild(element("span"));
  return { fold, summary, named, beside, place: fold.appendChild(element("div")) };
};

/** What is said of somebody, in one line: on a rung how long something lasts stands beside it, here behind it. @param {import("../shared/types.js").Parts} parts */
export const spaced = (parts) => parts.filter(isWord).flatMap((part) => (typeof part === "object" && "chip" in part ? [part, " "] : [part]));

/**
 * @param {ReturnType<typeof createModels>["models"]} models
 * @param {string} seat what it is called
 * @param {() => string[]} plays
 * @param {(content: import("../shared/port.js").Intent) => unknown} send
 * @param {ReturnType<typeof import("./bell.js").createBell>} bell
 * @param {() => boolean} isBack whether they have taken back what they let go last
 */
export function layOut(models, seat, plays, send, bell, isBack) {
  const me = element("div");
  me.className = "seat-me";
  const folds = /** @type {Partial<Record<Part, ReturnType<typeof foldOf>>>} */ ({
    map: foldOf("Map"),
    ladder: foldOf("Who is next"),
    log: foldOf("What happened"),
  });
  const { fold: ground } = /** @type {ReturnType<typeof foldOf>} */ (folds.map);
  ground.classList.add("is-map");
  // It would take the place of what they can do: who has opened it keeps it open.
  ground.open = kept(GROUND) === "on";
  ground.addEventListener("toggle", () => kept(GROUND, ground.open ? "on" : "off"));
  const sound = element("div", { className: "seat-bell" });
  let lets = kept(LETS) === "on";
  const letting = createLetting(send, isBack);
  const letGo = () => letting(lets, /** @type {TrackerData} */ (models.tracker.get("view")));
  const turnLets = (/** @type {boolean} */ on) => {
    lets = on;
    kept(LETS, on ? "on" : "off");
    letGo();
  };
  render([check("Sound when it's my turn", bell.isOn(), bell.turn), check("Let go what isn't aimed at me", lets, turnLets)], sound);
  /** Whether they open and fold the ladder themselves. */
  let isTheirs = false;
  folds.ladder?.summary.addEventListener("click", () => (isTheirs = true));

  const others = (/** @type {string | null} */ name, /** @type {TrackerData} */ { mode, windows: [window] }) =>
    plays().length < 2 || mode === "setup"
      ? nothing
      : html`<div class="seat-plays" role="group" aria-label="You play">${plays().map(
          (each) =>
            html`<button type="button" class="ck-btn" aria-pressed=${each === name} @click=${() => send({ kind: "look", name: each })}>${each}${
              window?.rows.some(({ who, waits }) => who === each && !waits) ? html` ${icon("bang")}<span class="ck-sr">asked</span>` : nothing
            }</button>`,
        )}</div>`;

  /** Initiative, rolled before the start: a die for each who is played here. @param {FirstDie} die */
  const first = ({ name, legend, sides, faces }) => {
    /** @param {number[]} rolled */
    const roll = (rolled) => send({ kind: "roll", name, faces: rolled });
    if (faces.length)
      return html`<p class="seat-roll"><span><b>${name}</b> rolled ${faces.join(", ")}. Your GM starts the fight.</span>
        <button type="button" class="ck-btn" @click=${() => roll([])}>Change</button></p>`;
    return html`<form
      class="seat-roll"
      @submit=${(/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        roll(new FormData(/** @type {HTMLFormElement} */ (event.target)).getAll("face").map(Number));
      }}
    >
      <label>${legend} ${sides.map((most) => html`<input name="face" type="number" inputmode="numeric" min="1" max=${most} placeholder=${die(most)} required />`)}</label>
      <button class="ck-btn">Use this roll</button>
    </form>`;
  };

  /** Before the start, what the fight is called, as it stands, and who else is there. @param {Sitter[]} sits @param {string} [called] */
  const lobby = (sits, called) => html`${called ? html`<p class="seat-called">${[called]}</p>` : nothing}<section aria-label="At the table"><h5>At the table</h5><ol class="ck-list" role="list">${sits.map(
    ({ name, plays: whom, here, word }) =>
      name === seat
        ? html`<li><b>You</b><small>play ${joined(whom)}</small></li>`
        : html`<li><b>${name}</b><small>${playing(whom)}</small><small class="a">${icon(here ? "check" : "wait")} ${word}</small></li>`,
  )}</ol></section>`;

  const draw = () => {
    const { name } = /** @type {BudgetData} */ (models.budget.get("view"));
    const view = /** @type {LadderData} */ (models.ladder.get("view"));
    const row = Object.values(view.rows).find((each) => each.name === name);
    const tracker = /** @type {TrackerData} */ (models.tracker.get("view"));
    const { mode, mine = [], sits, called: it, end, turn } = tracker;
    const [[left, full] = [], ...more] = row ? vitalsOf(row) : [];
    const [usual, ...called] = view.vitals.map(([id]) => tr(id));
    const also = more.flatMap(([now], at) => (now == null ? [] : [`${minus(now)} ${called[at]}`]));
    render(
      html`${others(name, tracker)}${row
        ? html`<p class="seat-who">${side(view.sides[row.side]?.mark)}<b>${row.name}</b>${
            left == null ? nothing : html`<span class="seat-left"><b>${minus(left)}</b>${full == null ? nothing : ` of ${full}`}${row.temporary ? `, ${row.temporary} temporary` : nothing}${also.length ? html` <small>${[usual, ...also].join(" · ")}</small>` : nothing}</span>`
          }</p>${left == null || !full ? nothing : html`<span class="ck-bar" .style="--v:${Math.max(0, left) / full}"></span>`}${
            row.sub?.length ? html`<p class="ck-sub">${row.sub.map((parts) => html`<span>${rich(spaced(parts))}${section(parts, plain(spaced(parts)))}</span>`)}</p>` : nothing
          }`
        : nothing}${mine.map(first)}${sits ? lobby(sits, it) : nothing}`,
      me,
    );
    for (const [each, is] of /** @type {const} */ ([["setup", "is-early"], ["over", "is-over"]])) me.parentElement?.classList.toggle(is, mode === each);
    if (!folds.ladder) return;
    folds.ladder.named.textContent = tr(mode === "over" ? "Who fought" : "Who is next");
    folds.ladder.beside.textContent = nextOf(view, turn?.then).join(", ");
    // Who waits looks at the others; who acts, at what they can do.
    if (!isTheirs) folds.ladder.fold.open = !end?.allowed;
  };
  for (const part of /** @type {Part[]} */ (["ladder", "budget", "tracker"])) models[part].on("change:view", draw);
  models.tracker.on("change:view", letGo);
  letGo();
  draw();

  /** Where a part of the tracker is shown; where one stands and what can be done come before everything else. @param {Part} part @param {HTMLElement} el */
  return (part, el) => {
    if (part === "budget") {
      el.parentElement?.prepend(me, el);
      draw();
    }
    const { fold, place } = folds[part] ?? {};
    if (fold) el.append(fold);
    if (ground.parentElement) me.after(ground.parentElement);
    if (part === "log") el.after(sound);
    return place ?? el;
  };
}
