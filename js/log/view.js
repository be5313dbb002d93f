import { html, nothing, render } from "lit-html";
import { guard } from "lit-html/directives/guard.js";
import { repeat } from "lit-html/directives/repeat.js";

import { side } from "../shared/marks.js";
import { rich, rule } from "../shared/rich.js";
import { watchRules } from "../shared/rules.js";
import { voice } from "../shared/speech.js";
import { byRound, earlier, keep } from "./rounds.js";

/** @import { Line, LogData, Port } from "../shared/types.js" */

/**
 * Shows what happened, newest last. Answers with a function that takes the next state.
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
  /** Earlier lines that were asked for. @type {Pick<LogData, "lines" | "heads"> | undefined} */
  let older;

  const showEarlier = async () => {
    const range = earlier({ ...older?.lines, ...view.lines }, view.first);
    if (!range) return;
    try {
      const { lines, heads } = await port.ask({ kind: "log", ...range });
      if (signal.aborted) return;
      older = { lines: { ...older?.lines, ...lines }, heads: { ...older?.heads, ...heads } };
      draw();
      say(`Lines from ${range.from} on.`);
    } catch (refusal) {
      say(/** @type {{reason: string}} */ (refusal).reason);
    }
    const next = root.querySelector(".ck-earlier") ?? root.querySelector(".ck-log-body");
    /** @type {HTMLElement} */ (next).focus({ preventScroll: true });
  };

  /** @param {Line} line */
  const row = (line) => {
    const here = line.seq === view.cursor;
    return html`<li
      class="ck-line ${line.undone ? "is-undone" : ""} ${here ? "is-here" : ""}"
      aria-current=${here ? "true" : nothing}
    >
      ${view.players
        ? html`<span class="ck-seq">${line.seq}</span>`
        : html`<button
            type="button"
            class="ck-seq"
            aria-label="Go to event ${line.seq}"
            @click=${() => port.send({ kind: "at", seq: line.seq }, ({ reason }) => say(reason))}
          >
            ${line.seq}
          </button>`}<span class="ck-actor"
        >${side(line.side == null ? undefined : view.sides[line.side]?.mark)}<span>${line.actor}</span></span
      ><span class="txt"
        >${rich(line.text)}${line.undone ? html`<span class="ck-sr"> (undone)</span>` : nothing}</span
      ><span class="cite">${line.cite.map(rule)}</span>
    </li>`;
  };

  const draw = () => {
    const lines = { ...older?.lines, ...view.lines };
    const heads = { ...older?.heads, ...view.heads };
    render(
      html`<section class="ck-log">
        <div class="ck-cap"><h4>Combat log</h4><span class="ck-label">newest last</span></div>
        <div class="ck-log-body" role="log" aria-live="off" aria-label="Combat log" tabindex="0">
          <div>
            ${earlier(lines, view.first)
              ? html`<button type="button" class="ck-btn ck-earlier" @click=${showEarlier}>Show earlier</button>`
              : nothing}
            ${repeat(
              byRound(lines, heads),
              (round) => round.key,
              (round) =>
                html`${round.head
                    ? html`<h5>${round.head.title} <span>${round.head.time}</span></h5>`
                    : nothing}
                  <ol role="list">
                    ${repeat(
                      round.lines,
                      (line) => line.seq,
                      (line) => guard([line, line.seq === view.cursor, view.sides, view.players], () => row(line)),
                    )}
                  </ol>`,
            )}
          </div>
        </div>
      </section>`,
      root,
    );
  };

  watchRules(root, port.ask, say, signal);
  return (next) => {
    // A log only grows: a shorter one is that of another fight.
    if (next.last < view?.last) older = undefined;
    if (older) older = { lines: keep(older.lines, view.lines, next.lines), heads: keep(older.heads, view.heads, next.heads) };
    view = next;
    draw();
  };
}
