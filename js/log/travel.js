/** The scrubber: through the whole fight and back, and what can be done from a past moment. */
import { nothing, render } from "lit-html";

import { focusIn, keepFocus } from "../shared/focus.js";
import { icon } from "../shared/marks.js";
import { inRange } from "../shared/press.js";
import { hear } from "../shared/tell.js";
import { html, tr } from "../shared/tongue.js";
import { follows, playOn, WAYS } from "../shared/way.js";

/** @import { Intent, Port } from "../shared/port.js" */
/** @import { LogData } from "../shared/types.js" */

/**
 * Shows the scrubber in an element. Answers with a function that takes the log's next state.
 *
 * However fast it is moved, one question is under way at a time; when its answer is there, the newest wish is the next.
 *
 * @param {HTMLElement} place
 * @param {HTMLElement | undefined} below where it says what can be done from a past moment, if nothing around says so
 * @param {Port} port
 * @param {(text: string) => void} say
 * @param {() => string} line what has happened at that moment, in words, if that is at hand
 * @param {AbortSignal} signal
 * @returns {(view: LogData) => void}
 */
export function createTravel(place, below, port, say, line, signal) {
  /** @type {LogData} */
  let view;
  let asking = false;
  /** Where to go next: to an event, or so many rounds on or back. @type {{to?: number, rounds?: number} | undefined} */
  let wish;
  /** Where it is being moved to. @type {number | undefined} */
  let moved;

  const range = () => /** @type {HTMLInputElement} */ (place.querySelector("[type=range]"));
  const now = () => view.at ?? view.events;

  /** @param {string} reason */
  const refuse = (reason) => {
    asking = false;
    wish = moved = undefined;
    say(reason);
    draw();
  };

  /** @param {Intent} intent */
  const send = (intent) => port.send(intent, ({ reason }) => refuse(reason));

  /** Asks for what is wished, unless one is there already: what changes nothing would have no answer. */
  const next = () => {
    const { to = now(), rounds = 0 } = wish ?? {};
    wish = undefined;
    const seq = to < view.events ? Math.max(to, 1) : null;
    const leads = rounds ? (rounds < 0 ? now() > 1 : now() < view.events) : seq !== (view.at ?? null);
    if (!leads) return;
    asking = true;
    send(rounds ? { kind: "at", seq: now(), rounds } : { kind: "at", seq });
  };

  /** @param {number} to */
  const go = (to) => {
    wish = { to };
    if (!asking) next();
  };

  /** @param {number} by */
  const turnRounds = (by) => {
    wish = { rounds: (wish?.rounds ?? 0) + by };
    if (!asking) next();
  };

  const onInput = () => {
    moved = Number(range().value);
    go(moved);
    draw();
  };

  /** @param {[number, number]} by */
  const travel = ([events, rounds]) => {
    if (rounds) turnRounds(rounds);
    if (rounds || !view.events) return;
    moved = Math.min(view.events, Math.max(1, (moved ?? now()) + events));
    go(moved);
    draw();
  };
  hear(/** @type {Element} */ (place.closest(".ck-in")), "ck-travel", travel, signal);

  /** @param {string} branch */
  const switchTo = (branch) => send({ kind: "switch", branch });

  /** @param {string} title @param {() => void} press */
  const button = (title, press) => html`<button type="button" class="ck-btn" @click=${press}>${title}</button>`;

  /** @param {string | undefined} id */
  const titleOf = (id) => view.titles?.[view.branches?.indexOf(id ?? "") ?? -1] ?? id;

  const steps = () => [button("Previous event", () => go(now() - 1)), button("Next event", () => go(now() + 1))];

  const past = () => {
    const { way, fork } = view;
    return html`<div class="row">
      ${icon("pause")}<span class="words"><b>The past.</b> ${follows(fork)}</span>
      ${steps()}${way ? button(WAYS[way[0]], () => send({ kind: way[0], to: way[1] })) : nothing}
      ${fork ? button(playOn(view), () => send({ kind: "branch", seq: fork })) : nothing}
      ${button("Back to now", () => go(view.events))}
    </div>`;
  };

  /** Which fight this is, where another is the one that was given, and the way back to that. @param {string} given */
  const elsewhere = (given) => {
    const isBranch = view.branches?.includes(given);
    const { called } = view;
    const holds = called ? html`The variable you started with still holds ${called}.` : "The variable you started with still holds the fight you began with.";
    return html`<div class="row">
      ${icon("bang")}<span class="words"><b>${isBranch ? "Another way on" : "Another fight"}: ${titleOf(view.branch)}.</b> ${holds}</span>
      ${isBranch ? button(called ? `Back to ${called}` : "Back to the fight you began with", () => switchTo(given)) : nothing}
    </div>`;
  };

  /** @param {string} title @param {string} sign @param {() => void} press */
  const mini = (title, sign, press) => html`<button type="button" class="ck-btn is-mini" aria-label=${title} title=${title} @click=${press}>${sign}</button>`;

  const replay = () => [
    mini("Previous round", "«", () => turnRounds(-1)),
    mini("Previous event", "‹", () => go(now() - 1)),
    mini("Next event", "›", () => go(now() + 1)),
    mini("Next round", "»", () => turnRounds(1)),
  ];

  /** Where the scrubber stands, in words; the round of a moment is known when its answer is there. */
  const words = () => {
    const seq = moved ?? now();
    const where = `Event ${seq} of ${view.events}`;
    return seq === now() ? `${where}, ${view.label}` : where;
  };

  const branches = () => {
    return html`<select aria-label="Branch" @change=${(/** @type {any} */ { target }) => switchTo(target.value)}>
      ${view.branches?.map((id) => html`<option value=${id} ?selected=${id === view.branch}>${titleOf(id)}</option>`)}
    </select>`;
  };

  const draw = () => {
    const { events, at, given, replay: isReplay } = view;
    const isPast = at != null && !isReplay;
    render(
      events
        ? html`<div class="ck-travel" role="group" aria-label="Travel">
            <input type="range" min="1" max=${events} aria-label="Moment" aria-valuetext=${words()} @input=${onInput} @keydown=${inRange(turnRounds)} />
            <span aria-hidden="true">${moved ?? now()} of ${events}</span>${isReplay ? replay() : nothing}${(view.branches ?? []).length > 1 ? branches() : nothing}
          </div>`
        : nothing,
      place,
    );
    if (below) render(events ? [isPast ? past() : nothing, given ? elsewhere(given) : nothing] : nothing, below);
    if (events) range().value = String(moved ?? now());
  };

  signal.addEventListener("abort", () => {
    render(nothing, place);
    if (below) render(nothing, below);
  });
  return (given) => {
    const before = view;
    view = given;
    if (before?.at !== view.at || before?.branch !== view.branch) asking = false;
    if (!asking) next();
    if (!asking) moved = undefined;
    const wasBelow = below && focusIn(below);
    keepFocus(place, draw, range);
    if (wasBelow && !focusIn(/** @type {HTMLElement} */ (below))) range()?.focus({ preventScroll: true });
    if (before && view.at != null && before.at !== view.at && focusIn(place) !== range()) say([line().replace(/[^.?!]$/, "$&."), tr(`${words()}.`)].filter(Boolean).join(" "));
  };
}
