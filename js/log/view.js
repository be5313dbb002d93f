import { nothing, render } from "lit-html";
import { guard } from "lit-html/directives/guard.js";
import { repeat } from "lit-html/directives/repeat.js";

import { whenLaid } from "../shared/laid.js";
import { reveal } from "../shared/reveal.js";
import { side } from "../shared/marks.js";
import { plain, rich, rules } from "../shared/rich.js";
import { watchRules } from "../shared/rules.js";
import { voice } from "../shared/speech.js";
import { tell } from "../shared/tell.js";
import { html } from "../shared/tongue.js";
import { byRound, earlier, keep } from "./rounds.js";
import { createTravel } from "./travel.js";

/** @import { Port } from "../shared/port.js" */
/** @import { Head, Line, LogData } from "../shared/types.js" */

/** How many events before and after a past moment are asked for where its line is not at hand. */
const AROUND = 12;
/**
 * Shows what happened, newest last, and the scrubber. Answers with a function that takes the next state.
 *
 * @param {HTMLElement} root
 * @param {Port} port
 * @param {{part: boolean, signal: AbortSignal}} place
 * @returns {(view: LogData) => void}
 */
export function createLog(root, port, { part, signal }) {
  const say = voice(root, part);
  /** @type {LogData} */
  let view;
  /** Earlier lines that were asked for. @typedef {Pick<LogData, "lines" | "heads">} Lines @type {Lines | undefined} */
  let older;
  /** The lines around a moment long past. @type {Lines | undefined} */
  let around;
  let seeking = false;
  /** @type {((view: LogData) => void) | undefined} */
  let travel;

  /** What is shown: what is at hand, unless the cursor is elsewhere. */
  const shown = () => {
    const lines = { ...older?.lines, ...view.lines };
    const heads = { ...older?.heads, ...view.heads };
    return view.cursor in lines || !around ? { lines, heads, first: view.first } : { ...around, first: Infinity };
  };

  /** Asks for the lines around the cursor, if they are not at hand. */
  const seek = async () => {
    if (seeking || !view.cursor || view.cursor in shown().lines) return;
    seeking = true;
    const { cursor } = view;
    try {
      around = await port.ask({ kind: "log", from: Math.max(1, cursor - AROUND), to: cursor + AROUND });
    } catch (refusal) {
      say(/** @type {{reason: string}} */ (refusal).reason);
    }
    seeking = false;
    if (signal.aborted) return;
    draw();
    if (cursor !== view.cursor) seek();
  };

  /** @param {string} selector */
  const placeOf = (selector) => /** @type {HTMLElement} */ (root.querySelector(selector));

  const showEarlier = async () => {
    const range = earlier({ ...older?.lines, ...view.lines }, view.first);
    if (!range) return;
    try {
      const { lines, heads } = await port.ask({ kind: "log", ...range });
      if (signal.aborted) return;
      older = { lines: { ...older?.lines, ...lines }, heads: { ...older?.heads, ...heads } };
      draw();
      say(`Now showing lines from ${range.from}.`);
    } catch (refusal) {
      say(/** @type {{reason: string}} */ (refusal).reason);
    }
    const next = root.querySelector(".ck-earlier") ?? root.querySelector(".ck-log-body");
    /** @type {HTMLElement} */ (next).focus({ preventScroll: true });
  };

  /** @param {Line} line */
  const go = ({ seq, done }) => port.send({ kind: "at", seq: done ?? seq }, ({ reason }) => say(reason));

  /** A click anywhere on a line goes there; one that marks its words, or presses something in it, does not. @param {MouseEvent} event @param {Line} line */
  const onLine = ({ target }, line) => {
    if (!view.players && !/** @type {Element} */ (target).closest("button, .ck-pop") && getSelection()?.isCollapsed) go(line);
  };

  /** @param {Line} line */
  const wordsOf = ({ actor, text }) => [actor, plain(text)].filter(Boolean).join(" ");

  /** What has happened where the cursor stands. */
  const told = () => {
    const line = shown().lines[view.cursor];
    return line ? wordsOf(line) : "";
  };

  /** A line, whole. @param {Line} line @param {Head | undefined} begins what begins with it */
  const row = (line, begins) => {
    const here = line.seq === view.cursor;
    const words = wordsOf(line);
    return html`<li
      class="ck-line ${line.undone ? "is-undone" : ""} ${here && view.at != null ? "is-here" : ""}"
      aria-current=${here ? "true" : nothing}
      @click=${(/** @type {MouseEvent} */ event) => onLine(event, line)}
    >
      ${view.players
        ? html`<span class="ck-seq">${line.seq}</span>`
        : html`<button
            type="button"
            class="ck-seq"
            aria-label="Go to event ${line.seq}"
            @click=${() => go(line)}
          >
            ${line.seq}
          </button>`}<span class="s">${side(line.side == null ? undefined : view.sides[line.side]?.mark)}</span><span class="txt" title=${words}
        ><span>${line.actor ? html`<b>${line.actor}</b> ` : nothing}${rich(line.text)}</span>${line.undone ? html`<span class="ck-sr"> (undone)</span>` : nothing}</span
      >${begins ? html`<h5 class="r"><b>${begins.title}</b> ${begins.time}</h5>` : html`<span></span>`}${line.cite.length ? rules(line.cite, words) : nothing}
    </li>`;
  };

  const draw = () => {
    const { lines, heads, first } = shown();
    render(
      html`<section class="ck-log">
        <div class="ck-cap"><h4>Log</h4><div data-ck-travel></div></div>
        <div class="ck-log-body" role="log" aria-live="off" aria-label="Log" tabindex="0">
          <div>
            ${earlier(lines, first)
              ? html`<button type="button" class="ck-btn is-bare ck-earlier" @click=${showEarlier}>Earlier</button>`
              : nothing}
            <ol role="list">${repeat(
              byRound(lines, heads).flatMap(({ head, lines: of }) => of.map((line, index) => ({ line, head: index ? undefined : head }))),
              ({ line }) => line.seq,
              ({ line, head }) => guard([line, head, line.seq === view.cursor, view.at != null, view.sides, view.players], () => row(line, head)),
            )}</ol>
          </div>
        </div><div data-ck-past></div>
      </section>`,
      root,
    );
    if (view.at != null) whenLaid(() => reveal(root.querySelector(/** @type {"div"} */ (".ck-log-body")), root.querySelector(/** @type {"li"} */ (".is-here"))));
  };

  /** Goes to its end; the lines above are seen from their beginning, and one that would begin above is out of sight. */
  const toEnd = () => {
    const body = placeOf(".ck-log-body");
    body.style.paddingBlockEnd = "";
    body.scrollTo(0, 0);
    const { top } = body.getBoundingClientRect();
    const cut = [...body.querySelectorAll(".ck-line")].map((line) => line.getBoundingClientRect()).find((box) => box.top < top - 1 && box.bottom > top + 1);
    if (cut) body.style.paddingBlockEnd = `${cut.bottom - top}px`;
  };

  watchRules(root, port.ask, say, signal);
  return (next) => {
    // A log only grows: a shorter one is that of another fight.
    if (next.last < view?.last) older = undefined;
    if (older) older = { lines: keep(older.lines, view.lines, next.lines), heads: keep(older.heads, view.heads, next.heads) };
    const isBack = view?.at != null && next.at == null;
    const isMore = next.last > (view?.last ?? -1) && next.at == null;
    const goesOn = view && next.last !== view.last && next.at == null;
    view = next;
    say("");
    draw();
    // It is drawn from its end upwards, and follows what is done, unless somebody is reading in it just then.
    if (isBack || (isMore && !placeOf(".ck-log-body").matches(":hover, :focus-within"))) whenLaid(toEnd);
    travel ??= createTravel(placeOf("[data-ck-travel]"), part ? undefined : placeOf("[data-ck-past]"), port, say, told, signal);
    travel(view);
    seek();
    if (goesOn) tell(root, "ck-look");
  };
}
