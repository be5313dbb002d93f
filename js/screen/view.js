import { nothing, render } from "lit-html";

import { drawn, fitted } from "../map/draw.js";
import { kindOf } from "../map/geometry.js";
import { drawn as zonesDrawn } from "../map/zones.js";
import { pips, vitalsOf } from "../shared/amount.js";
import { icon, isGone, markOf, side, token } from "../shared/marks.js";
import { qrOf } from "../shared/qr.js";
import { isWord, plain, rich } from "../shared/rich.js";
import { playing } from "../shared/sitter.js";
import { html, speakIn } from "../shared/tongue.js";
import { vital } from "../shared/vital.js";

/** @import { End, Join, LadderData, Line, LogData, MapData, Parts, Row, TrackerData } from "../shared/types.js" */

/** So many rungs fit; of a longer ladder, who acts now and who comes next of those who are not out or down, and how many more there are. */
const RUNGS = 9;
const LINES = 5;
/** A map is drawn so large, then as large as there is room, so that its names are read from afar; and cells no smaller than have names. */
const GROUND = { width: 460, height: 290, least: 30 };
/** How many of four pips stand for each word: they tell no more than the word. @type {Record<string, number>} */
const LEFT = { fresh: 4, hurt: 3, bloodied: 2, down: 0 };

/** All of the map, or what lies around whoever acts. @param {MapData} view @param {string} href */
const ground = (view, href) => {
  const { width, height, least } = GROUND;
  const { size, middle } = fitted(view, width, height);
  const kind = kindOf(view.board);
  const at = view.tokens[view.current ?? ""]?.at;
  const sight = { kind, size: Math.max(size, least), middle: size < least && Array.isArray(at) ? kind.centre(at) : middle, width, height };
  return html`<section class="scr-map" aria-label="Map"><svg viewBox="0 0 ${width} ${height}" role="img" aria-label="Map">${
    view.board === "zones" ? zonesDrawn(view, width, height, undefined) : drawn({ view, href, sight, prefix: "scr", aimed: [], goal: undefined, ghost: "", ways: [] })
  }</svg></section>`;
};

/** When it is: of a long label all but the round is said smaller, so that whose turn it is has room beside it. @param {string} label */
const timeOf = (label) => {
  const [round, ...parts] = label.split(/(?=, | · )/);
  return parts.length > 1 ? html`${round}<small>${parts.join("")}</small>` : label;
};

/** A table has no use for rule marks. @param {Parts} parts */
const told = (parts) => rich(parts.filter(isWord));

/**
 * Shows a fight to everybody. Answers with a function that takes the next state.
 *
 * @param {HTMLElement} root
 * @returns {(views: {tracker: TrackerData, ladder: LadderData, log: LogData, map?: MapData, href: string}) => void}
 */
export function createScreen(root) {
  /** How somebody is: a number over its bar, or a word that isn't said of them already, as the GM lets players know. @param {Row} row @param {string} said */
  const left = (row, said) =>
    row.how ? html`${pips(4, LEFT[row.how] ?? 0, 0, false)}${row.how === said ? nothing : html`<span>${row.how}</span>`}` : vital(vitalsOf(row).slice(0, 1), 0, row.temporary);

  /** @param {LadderData} ladder @param {string} id @param {boolean} isOver then nobody has acted or waits any more */
  const rung = (ladder, id, isOver) => {
    const row = /** @type {Row} */ (ladder.rows[id]);
    const isNow = id === ladder.current;
    const word = row.word ?? ladder.words[row.status] ?? row.status;
    return html`<li class="scr-rung ${isNow ? "is-now" : ""} ${isGone(row) ? "is-out" : ""}" aria-current=${isNow ? "true" : nothing}>
      <span class="scr-score">${row.score}</span>${token(ladder.sides[row.side]?.mark, row.initials, row.portrait)}
      <span class="scr-name">${row.name}${row.away ? html` <small>offline</small>` : nothing}</span>
      <span class="scr-vital">${left(row, word)}</span>
      <span class="scr-status">${isOver && !isGone(row) ? nothing : html`${markOf(row)} ${word}`}</span>
    </li>`;
  };

  /** @param {LogData} log @param {Line} line */
  const entry = (log, line) =>
    html`<li>${line.side == null ? nothing : side(log.sides[line.side]?.mark)} <b>${line.actor}</b> ${told(line.text)}</li>`;

  /** What happens now: what play has stopped for, with what the last call came to, as what was taken back; else that alone. @param {TrackerData} tracker @param {string | undefined} when as the header says it */
  const news = ({ windows: [window], result }, when) => {
    if (window) return html`<p><b>${window.title}</b></p><p>${told([...(result && plain(result.text) !== window.title ? [...result.text, " "] : []), ...window.sub])}</p>`;
    // When that is stands in the header already.
    return result ? html`<p>${told(result.text)}</p>${plain(result.sub) === when ? nothing : html`<p>${told(result.sub)}</p>`}` : nothing;
  };

  /** Before the fight: who sits where, and how to join. @param {Join} join @param {import("../shared/types.js").Sitter[]} seats */
  const lobby = ({ url, qr }, seats) =>
    html`<section aria-label="At the table">
        <ol class="scr-seats">${seats.map(
          ({ name, plays, here, word }) => html`<li class=${here ? "" : "is-out"}><b>${name}</b><span>${playing(plays)}</span><span class="scr-status">${icon(here ? "check" : "wait")} ${word}</span></li>`,
        )}</ol>
        ${seats.length ? nothing : html`<p class="scr-more">Nobody has a seat yet.</p>`}
      </section>
      <section class="scr-join" aria-label="How to join">
        ${qrOf(qr, `QR code for ${url}`)}
        <div><h2>Join the table</h2><p>Scan this, or open <b>${url}</b>.</p><p>Then type the code that your GM reads out.</p></div>
      </section>`;

  /** Who won, and who fell. @param {End} card */
  const end = ({ title, lead, faces, facts }) =>
    html`<div class="scr-result" role="status"><p class="scr-faces">${faces.map(({ side: mark, initials, portrait }) => token(mark, initials, portrait))}</p><h2>${title}</h2><p>${lead}</p></div>
      <dl class="scr-facts">${facts.map(({ title: what, text }) => html`<dt>${what}</dt><dd>${told(text)}</dd>`)}</dl>`;

  /** @param {LadderData} ladder @param {boolean} isOver */
  const order = (ladder, isOver) => {
    const stand = ladder.order.filter((id) => id === ladder.current || !(ladder.rows[id] && isGone(ladder.rows[id])));
    const rungs = ladder.order.length > RUNGS ? stand : ladder.order;
    const most = ladder.order.length > RUNGS ? RUNGS - 1 : RUNGS;
    const at = Math.max(0, rungs.indexOf(ladder.current ?? ""));
    const from = Math.max(0, Math.min(at - 1, rungs.length - most));
    const shown = rungs.slice(from, from + most);
    const rest = ladder.order.length - shown.length;
    return html`<section aria-label="Initiative ladder">
      <ol class="scr-ladder">${shown.map((id) => rung(ladder, id, isOver))}</ol>
      ${rest > 0 ? html`<p class="scr-more">${rest} more</p>` : nothing}
    </section>`;
  };

  /** @param {TrackerData} tracker @param {LogData} log @param {string | undefined} when */
  const happened = (tracker, log, when) => {
    const lines = Object.values(log.lines)
      .filter((line) => !line.undone && !line.moved)
      .slice(-LINES)
      .reverse();
    return html`<section class="scr-told" aria-label="What happened">
      <div>${tracker.card ? end(tracker.card) : html`<div class="scr-result" role="status">${news(tracker, when)}</div>`}</div>
      ${tracker.card ? nothing : html`<ol class="scr-log">${lines.map((line) => entry(log, line))}</ol>`}
    </section>`;
  };

  return ({ tracker, ladder, log, map, href }) => {
    speakIn(tracker.tongue, tracker.own);
    const { clock, turn, join, sits = [] } = tracker;
    const isMapped = Boolean(map?.board) && !join && !tracker.card;
    const shown = ladder?.clock ?? clock;
    render(
      html`<div class="ck scr ${isMapped ? "is-map" : ""}" data-ck="screen">
        <header class="scr-head">
          <h1>${join ? "New fight" : timeOf(shown?.label ?? "")} <span>${clock?.time}</span></h1>
          <p class="scr-turn">${tracker.card?.title ?? (join ? [tracker.called] : turn?.title)}</p>
          ${turn?.then ? html`<p class="scr-then">then ${turn.then}</p>` : nothing}
        </header>
        ${join ? lobby(join, sits) : [order(ladder, Boolean(tracker.card)), map && isMapped ? ground(map, href) : nothing, happened(tracker, log, shown?.label)]}
      </div>`,
      root,
    );
  };
}
