import { nothing, render } from "lit-html";

import { icon, side } from "../shared/marks.js";
import { voice } from "../shared/speech.js";
import { html } from "../shared/tongue.js";
import { form } from "./form.js";
import { linkOf } from "./link.js";

/** @import { Intent, Port } from "../shared/port.js" */
/** @import { RoomData, RoomSeat } from "../shared/types.js" */
/** @import { Link } from "./link.js" */

const TICK = 20_000;

/** How long somebody has been gone. @param {number} since milliseconds */
const goneFor = (since) => {
  const minutes = Math.floor((Date.now() - since) / 60_000);
  return minutes < 1 ? "gone for less than a minute" : `gone for ${minutes} min`;
};

/**
 * Shows a room to the GM: who sits where, and the link of whoever is to sit down. A link is a secret: it comes when it is
 * asked for, and stands in no view. Answers with a function that takes the next state.
 *
 * @param {HTMLElement} root
 * @param {Port} port
 * @param {{signal: AbortSignal}} place
 * @returns {(view: RoomData) => void}
 */
export function createRoom(root, port, { signal }) {
  const say = voice(root, false);
  /** @type {RoomData} */
  let view;
  /** The link that is shown. @type {Link | undefined} */
  let open;
  /** Codes in the place of links that led elsewhere, by their seats. @type {[string, string][]} */
  let codes = [];
  let refused = "";

  /** @param {string} words */
  const tell = (words) => {
    refused = words;
    say(words);
    draw();
  };

  /** @param {Intent} content */
  const send = (content) => {
    refused = "";
    port.send(content, ({ reason }) => tell(reason));
  };

  /** @param {Intent} content */
  const ask = async (content) => {
    refused = "";
    try {
      const found = await port.ask(content);
      if (signal.aborted) return false;
      open = found;
      codes = codes.filter(([seat]) => seat !== found.seat); // the code shown with a link takes its place
      draw();
      say(`The link of ${found.seat} is shown.`);
      return true;
    } catch (refusal) {
      tell(/** @type {{reason: string}} */ (refusal).reason);
      return false;
    }
  };

  const renewAll = async () => {
    refused = "";
    try {
      ({ codes } = await port.ask({ kind: "codes" }));
      draw();
      say("New codes are shown.");
    } catch (refusal) {
      tell(/** @type {{reason: string}} */ (refusal).reason);
    }
  };

  const astray = () =>
    html`<div class="ck-alert ck-astray">
      ${codes.length
        ? html`<p>Open <b>${view.url}</b> on each phone, and type within five minutes:</p>
            <ul>
              ${codes.map(([name, code]) => html`<li>${name} <span class="ck-code">${code}</span></li>`)}
            </ul>`
        : html`<p>${view.astray}</p>
            <button type="button" class="ck-btn is-main" @click=${renewAll}>New codes for all of them</button>`}
    </div>`;

  /** A link that is shown names the address: it is asked for again. @param {string} host */
  const move = async (host) => {
    const shown = open?.seat;
    open = undefined;
    send({ kind: "address", host });
    if (shown) await ask({ kind: "link", seat: shown });
  };

  const addresses = () =>
    html`<p class="ck-quiet">Phones open <b>${view.url}</b>. Do they find nothing there? Try
      ${view.elsewhere.map((host) => html`<button type="button" class="ck-btn" @click=${() => move(host)}>${host}</button>`)}</p>`;

  /** @param {string} seat */
  const toggle = (seat) => {
    if (open?.seat === seat) {
      open = undefined;
      draw();
    } else ask({ kind: "link", seat });
  };

  /** @param {RoomSeat} seat */
  const row = (seat) => {
    const { name, plays, mark, state, gone, code } = seat;
    const isOpen = open?.seat === name;
    return html`<li>
      <b>${name}</b>
      <span>
        ${plays.length
          ? plays.map(([who, number]) => html`<span class="ck-plays">${side(number)} ${who}</span>`)
          : html`<span class="ck-quiet">${seat.says}</span>`}
      </span>
      <span class="ck-quiet">${icon(mark)} ${gone ? goneFor(gone) : nothing}${state}</span>
      <span class="ck-acts">
        <button
          type="button"
          class="ck-btn"
          aria-expanded=${isOpen}
          aria-label="${code ? "Link" : "New link"}, ${name}"
          @click=${() => (code ? toggle(name) : ask({ kind: "renew", seat: name }))}
        >
          ${code ? "Link" : "New link"}
        </button>
        <button type="button" class="ck-btn is-bare" aria-label="Revoke, ${name}" @click=${() => send({ kind: "revoke", seat: name })}>
          Revoke
        </button>
      </span>
      ${isOpen && open
        ? linkOf(open, seat, {
            renew: () => ask({ kind: "renew", seat: name }),
            enlarge: (large) => {
              open = open && { ...open, large };
              draw();
            },
            say,
          })
        : nothing}
    </li>`;
  };

  /** @param {boolean} on @param {string} words @param {string} what @param {boolean} shut */
  const check = (on, words, what, shut) =>
    html`<label class="ck-check">
      <input
        type="checkbox"
        .checked=${on}
        ?disabled=${shut}
        @change=${(/** @type {{target: HTMLInputElement}} */ { target }) => send({ kind: "choose", what, on: target.checked })}
      />
      ${words}
    </label>`;

  const seats = () => {
    const here = view.seats.filter((each) => each.here).length;
    const count = view.seats.length;
    return count === 1 ? `1 seat, ${here} connected.` : `${count} seats, ${here} connected.`;
  };

  const draw = () => {
    const shut = view.closed;
    render(
      html`<section class="ck-room" aria-label="Seats">
        <div class="ck-head">
          <h3 class="ck-clock">Seats</h3>
          <p class="ck-quiet">${shut ? "This room is closed." : seats()} ${view.paused && !shut ? html`<b>Paused.</b>` : nothing}</p>
          ${shut
            ? nothing
            : html`<button type="button" class="ck-btn ck-far" @click=${() => send({ kind: "choose", what: "paused", on: !view.paused })}>
                ${view.paused ? "Go on" : "Pause all seats"}
              </button>`}
        </div>
        ${(view.astray || codes.length) && !shut ? astray() : nothing}
        ${view.notice ? html`<p class="ck-alert">${view.notice}</p>` : nothing}
        ${view.elsewhere.length && !shut ? addresses() : nothing}
        ${view.requests.map(
          ({ number, seat, words }) =>
            html`<div class="ck-alert ck-asks" role="group" aria-label="${seat} asks">
              <span><b>${seat}</b> asks: ${words}</span>
              <button type="button" class="ck-btn is-main" @click=${() => send({ kind: "settle", number, yes: true })}>Confirm</button>
              <button type="button" class="ck-btn" @click=${() => send({ kind: "settle", number, yes: false })}>Decline</button>
            </div>`,
        )}
        <ol class="ck-seats">
          <li class="ck-label" aria-hidden="true"><span>Seat</span><span>Plays</span><span>State</span></li>
          ${view.seats.map(row)}
        </ol>
        ${shut ? nothing : form(view, { ask, redraw: draw })}
        <p class="ck-why" role="alert">${refused}</p>
        <div class="ck-foot">
          ${check(view.dice, "Seats roll their own dice", "throws", shut)}
          ${check(view.asks, "Ask me before a seat does anything", "asks", shut)}
          ${shut ? nothing : html`<button type="button" class="ck-btn ck-far" @click=${() => send({ kind: "close" })}>Close the room</button>`}
        </div>
      </section>`,
      root,
    );
  };

  const clock = setInterval(() => view.seats.some(({ gone }) => gone) && draw(), TICK);
  signal.addEventListener("abort", () => clearInterval(clock));
  return (next) => {
    const before = view?.requests.length ?? 0;
    view = next;
    if (open && !next.seats.some(({ name }) => name === open?.seat)) open = undefined;
    codes = codes.filter(([seat]) => next.seats.some(({ name, used }) => name === seat && !used));
    draw();
    const last = next.requests.at(-1);
    if (last && next.requests.length > before) say(`${last.seat} asks: ${last.words}`);
  };
}
