import { nothing, render, svg } from "lit-html";
import { guard } from "lit-html/directives/guard.js";

import { clock } from "../shared/clock.js";
import { submitOnEnter } from "../shared/enter.js";
import { keepFocus } from "../shared/focus.js";
import { icon, side } from "../shared/marks.js";
import { claim, inRange, isPlain } from "../shared/press.js";
import { plain, rich } from "../shared/rich.js";
import { watchRules } from "../shared/rules.js";
import { voice } from "../shared/speech.js";
import { html, tr } from "../shared/tongue.js";
import { momentAt, rest, roundFrom, timeText } from "./needle.js";

/** @import { Port } from "../shared/port.js" */
/** @import { ComparisonData, Lane, Moment } from "../shared/types.js" */

/** The height of a lane's picture, and of the line in its middle. */
const [HIGH, MIDDLE] = [44, 22];
/** How far from the line the marks of a turn and of an action reach. */
const [TURN, ACTION] = [16, 9];

/**
 * Shows several fights on one clock, with a needle. Answers with a function that takes the next state.
 *
 * @param {HTMLElement} root
 * @param {Port} port
 * @param {{signal: AbortSignal}} place
 * @returns {(view: ComparisonData) => void}
 */
export function createComparison(root, port, { signal }) {
  const say = voice(root, false);
  /** @type {ComparisonData} */
  let view;
  /** Where the needle was put; without it, it rests. @type {number | undefined} */
  let put;
  /** The lane that is the tab stop. */
  let stop = 0;

  const now = () => put ?? rest(view);
  const lanes = () => view.order.flatMap((id) => view.lanes[id] ?? []);
  const range = () => /** @type {HTMLInputElement} */ (root.querySelector("[type=range]"));
  const stops = () => /** @type {HTMLElement[]} */ ([...root.querySelectorAll(".ck-lane")]);

  /** @param {number} at */
  const go = (at) => {
    put = Math.min(view.span, Math.max(0, at));
    draw();
  };

  /** @param {number} by */
  const step = (by) => {
    go(now() + by);
    say(words());
  };

  /** The moment in words, as the slider says it. */
  const words = () => {
    const told = lanes().map((lane) => {
      const moment = momentAt(lane, now());
      return `${lane.title}: ${moment ? `${moment.label}, ${moment.who}` : lane.moments.length ? "nobody yet" : lane.label}`;
    });
    return [timeText(now()), ...told].join(". ");
  };

  /** @param {KeyboardEvent} event */
  const onLaneKey = (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    const all = stops();
    const lane = /** @type {HTMLElement} */ (target.closest(".ck-lane"));
    const index = all.indexOf(lane);
    const inside = [lane, .../** @type {NodeListOf<HTMLElement>} */ (lane.querySelectorAll("button"))];
    const at = inside.indexOf(target);
    /** @type {Record<string, HTMLElement | undefined>} */
    const keys = {
      ArrowDown: all[index + 1],
      ArrowUp: all[index - 1],
      Home: all[0],
      End: all.at(-1),
      ArrowRight: inside[at + 1],
      ArrowLeft: inside[at - 1],
    };
    if (!(event.key in keys) || !isPlain(event)) return;
    claim(event);
    keys[event.key]?.focus();
  };

  /** @param {number} index */
  const setStop = (index) => {
    stop = index;
    stops().forEach((lane, at) => lane.setAttribute("tabindex", at === stop ? "0" : "-1"));
  };

  /** @param {FocusEvent} event */
  const onFocus = ({ target }) =>
    setStop(stops().findIndex((lane) => lane.contains(/** @type {Node} */ (target))));

  /** @param {PointerEvent} event */
  const onPoint = (event) => {
    const strip = /** @type {Element} */ (event.target).closest(".strip");
    const isPress = event.type === "pointerdown";
    if (!strip || (isPress ? event.button : !event.buttons)) return;
    if (isPress) strip.setPointerCapture(event.pointerId);
    const { left, width } = strip.getBoundingClientRect();
    go(Math.round(((event.clientX - left) / width) * view.span));
  };

  /** @param {string} system @param {Event} event */
  const setSeconds = (system, event) => {
    event.preventDefault();
    const form = /** @type {HTMLElement} */ (event.currentTarget).closest("form");
    const value = Number(/** @type {HTMLInputElement} */ (form?.querySelector("input")).value);
    if (value !== lanes().find((lane) => lane.system === system)?.length)
      port.send({ kind: "seconds", system, value }, ({ reason }) => say(reason));
  };

  const axis = () =>
    html`<div class="ck-axis ck-label">
      <span>game seconds</span>
      <div class="line">
        ${view.axis.map(
          ([t, text]) => html`<span aria-hidden="true" style="left:${(t / view.span) * 100}%" ?hidden=${near(t)}>${text}</span>`,
        )}<span class="on" aria-hidden="true" style="left:${(now() / view.span) * 100}%">${timeText(now())}</span>
        <input
          type="range"
          min="0"
          max=${view.span}
          step="1"
          aria-label="Game seconds"
          aria-valuetext=${words()}
          @input=${() => go(Number(range().value))}
          @keydown=${inRange((way) => go(roundFrom(view, now(), way)))}
        />
      </div>
      <span>all combatants</span>
    </div>`;

  /** Whether a label of the axis would stand under the needle's. @param {number} t */
  const near = (t) => Math.abs(t - now()) < view.span / 12;

  /** @param {Lane} lane */
  const lane = (lane) => {
    const moment = momentAt(lane, now());
    const [, actions, attacks, reactions] = lane.sums;
    return html`<li class="ck-lane" tabindex="-1" aria-label="${lane.title}: ${[plain(lane.result), counted(lane.sums)].filter(Boolean).join(". ")}">
      <div>
        <h4>${lane.title}</h4>
        <span class="at">${moment ? moment.label : lane.moments.length ? "0:00" : lane.label}</span>
      </div>
      <svg class="strip" viewBox="0 0 ${view.span} ${HIGH}" preserveAspectRatio="none" aria-hidden="true">
        ${guard([lane, view.span], () => picture(lane, view.span))}
        <path class="now" d="M${now()} 0v${HIGH}" />
      </svg>
      <div class="rate">
        ${actions}<small>${actions === 1 ? "action" : "actions"}</small>
        ${reactions ? html`<small>${reactions === 1 ? "1 reaction" : `${reactions} reactions`}</small>` : nothing}
        <small>${attacks === 1 ? "1 is an attack" : `${attacks} are attacks`}</small>
      </div>
      <p class="result">${rich(lane.result)}</p>
      <p class="ck-why">${rich(lane.caption)}</p>
      ${moment ? told(lane, moment) : nothing}
    </li>`;
  };

  /** @param {Lane} lane @param {Moment} moment */
  const told = ({ whys }, { who, side: mark, sums, waits, wishes }) => {
    const may = wishes.flatMap(([title, why]) => (why == null ? title : []));
    return html`<div class="told">
      <p><span class="ck-quiet">last turn:</span> ${side(view.sides[mark]?.mark)} <b>${who}</b></p>
      <p><span class="ck-quiet">everybody so far:</span> ${counted(sums)}</p>
      ${waits.length ? html`<p><span class="ck-quiet">waiting:</span> ${waits.join(", ")}</p>` : nothing}
      ${wishes.map(([title, why]) =>
        why == null ? nothing : html`<p>${icon("slash")} ${title}: ${rich(whys[why])}</p>`,
      )}
      ${may.length ? html`<p>${icon("check")} ${may.join(", ")}</p>` : nothing}
    </div>`;
  };

  const legend = () =>
    html`<div class="ck-legend">
      ${view.sides.map(
        ({ name, mark }, index) =>
          html`<span>${side(mark)} ${name}, ${index ? "below" : "above"} the line</span>`,
      )}
      <span>tall tick: a turn begins</span><span>short tick: an action</span>
      ${lanes().some(({ sums }) => sums[3]) ? html`<span>dot: a reaction</span>` : nothing}
      ${lanes().some(({ ends }) => ends != null && ends < view.span) ? html`<span>bar: the fight is over</span>` : nothing}
      ${lanes().some(({ rests }) => rests.length) ? html`<span>ring: recovery, takes no time</span>` : nothing}
      ${lanes()
        .filter(({ length }) => length != null)
        .map(
          ({ system, title, length }) =>
            html`<form @submit=${(/** @type {Event} */ event) => setSeconds(system, event)} @keydown=${submitOnEnter}>
              <label
                >Seconds a round, ${title}
                <input
                  type="number"
                  min="1"
                  max="3600"
                  .value=${String(length)}
                  @change=${(/** @type {Event} */ event) => setSeconds(system, event)}
              /></label>
            </form>`,
        )}
    </div>`;

  const draw = () => {
    /** @param {string} label @param {number} by @param {string} text */
    const button = (label, by, text) =>
      html`<button type="button" class="ck-btn" aria-label=${label} @click=${() => step(by)}>${text}</button>`;
    render(
      html`<section class="ck-compare" aria-label="Comparison">
        <header class="ck-head">
          ${clock({ label: view.title, note: view.about })}
          <div class="pair" role="group" aria-label="Clock">
            ${button("Back one second", -1, "‹")}${button("Forward one second", 1, "›")}
          </div>
        </header>
        ${axis()}
        <ol
          class="ck-lanes"
          role="list"
          aria-label="Systems"
          @keydown=${onLaneKey}
          @focusin=${onFocus}
          @pointerdown=${onPoint}
          @pointermove=${onPoint}
        >
          ${lanes().map(lane)}
        </ol>
        ${legend()}
      </section>`,
      root,
    );
    range().value = String(now());
    // The lanes are one tab stop: marks in a lane are reached from it by arrow.
    for (const mark of root.querySelectorAll(".ck-lane button")) mark.setAttribute("tabindex", "-1");
    setStop(stop);
  };

  watchRules(root, port.ask, say, signal);
  return (next) => {
    view = next;
    stop = Math.min(stop, view.order.length - 1);
    keepFocus(root, draw, () => stops()[stop]);
  };
}

/** @param {Lane["sums"]} sums */
const counted = ([turns, actions, attacks, reactions]) =>
  [
    tr(turns === 1 ? "1 turn" : `${turns} turns`),
    tr(actions === 1 ? "1 action" : `${actions} actions`),
    ...(reactions ? [tr(reactions === 1 ? "1 reaction" : `${reactions} reactions`)] : []),
    tr(attacks === 1 ? "including 1 attack" : `including ${attacks} attacks`),
  ].join(", ");

/**
 * What does not move with the needle: rounds, steps, and the marks of each side, its turns tall, its actions short.
 *
 * @param {Lane} lane
 * @param {number} span
 */
function picture({ rounds, steps, rests, marks, ends }, span) {
  /** @param {number[]} at @param {string} way */
  const path = (at, way) => at.map((t) => `M${t} ${way}`).join("");
  return svg`<path class="div" d=${path(steps, `17v10`)} /><path class="div" d=${path([...rounds, span], `0v${HIGH}`)} />
    <path class="base" d="M0 ${MIDDLE}H${ends ?? span}" />${Object.entries(marks).map(([index, { turns, actions, reactions }]) => {
      const up = index === "0" ? -1 : 1;
      const from = MIDDLE + up;
      return svg`<g class="ck-${"abcd"[Number(index) % 4]}" data-side=${Number(index) % 4}><path class="turn" d=${path(turns, `${from}v${up * TURN}`)} /><path d=${path(actions, `${from}v${up * ACTION}`)} /><path class="dot" d=${path(reactions, `${MIDDLE + up * 19}h0`)} /></g>`;
    })}${ends != null && ends < span ? svg`<path class="over" d="M${ends} 4v36" />` : nothing}<path class="ring" d=${path(rests, `${MIDDLE}h0`)} /><path class="hole" d=${path(rests, `${MIDDLE}h0`)} />`;
}
