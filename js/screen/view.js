import { html, nothing, render } from "lit-html";

import { STATUS_ICONS, icon, side } from "../shared/marks.js";
import { rich } from "../shared/rich.js";

/** @import { LadderData, Line, LogData, Parts, Row, TrackerData } from "../shared/types.js" */

/** So many rungs fit; of a longer ladder, who acts now and who comes next of those who are not out or down. */
const RUNGS = 8;
const LINES = 5;

/** A table has no use for rule marks. @param {Parts} parts */
const told = (parts) => rich(parts.filter((part) => typeof part === "string" || !part.rule));

/**
 * Shows a fight to everybody. Answers with a function that takes the next state.
 *
 * @param {HTMLElement} root
 * @returns {(views: {tracker: TrackerData, ladder: LadderData, log: LogData}) => void}
 */
export function createScreen(root) {
  /** @param {LadderData} ladder @param {string} id */
  const rung = (ladder, id) => {
    const row = /** @type {Row} */ (ladder.rows[id]);
    const isNow = id === ladder.current;
    return html`<li class="scr-rung ${isNow ? "is-now" : ""}" aria-current=${isNow ? "true" : nothing}>
      <span class="scr-score">${row.score}</span>${side(ladder.sides[row.side]?.mark)}
      <span class="scr-name">${row.name}</span>
      <span class="scr-vital">${row.vital ? `${row.vital[0]}/${row.vital[1]}` : nothing}</span>
      <span class="scr-status">${icon(row.mark ?? STATUS_ICONS[row.status] ?? "wait")} ${row.word ?? ladder.words[row.status] ?? row.status}</span>
    </li>`;
  };

  /** @param {LogData} log @param {Line} line */
  const entry = (log, line) =>
    html`<li>${line.side == null ? nothing : side(log.sides[line.side]?.mark)} <b>${line.actor}</b> ${told(line.text)}</li>`;

  return ({ tracker, ladder, log }) => {
    const { clock, turn, result } = tracker;
    const stand = ladder.order.filter((id) => id === ladder.current || ladder.rows[id]?.status !== "out");
    const rungs = ladder.order.length > RUNGS ? stand : ladder.order;
    const at = Math.max(0, rungs.indexOf(ladder.current ?? ""));
    const from = Math.max(0, Math.min(at - 1, rungs.length - RUNGS));
    const shown = rungs.slice(from, from + RUNGS);
    const rest = ladder.order.length - shown.length;
    const lines = Object.values(log.lines)
      .filter((line) => !line.undone)
      .slice(-LINES)
      .reverse();
    render(
      html`<div class="ck scr" data-ck="screen">
        <header class="scr-head">
          <h1>${clock?.label} <span>${clock?.time}</span></h1>
          <p class="scr-turn">${turn?.title}</p>
        </header>
        <section aria-label="Initiative ladder">
          <ol class="scr-ladder">${shown.map((id) => rung(ladder, id))}</ol>
          ${rest > 0 ? html`<p class="scr-more">${rest} more</p>` : nothing}
        </section>
        <section aria-label="What happened">
          <div class="scr-result" role="status">${result ? html`<p>${told(result.text)}</p><p>${told(result.sub)}</p>` : nothing}</div>
          <ol class="scr-log">${lines.map((line) => entry(log, line))}</ol>
        </section>
      </div>`,
      root,
    );
  };
}
