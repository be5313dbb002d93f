/** Who is to have a seat, and whom they play. */
import { nothing } from "lit-html";

import { html } from "../shared/tongue.js";

/** @import { Intent } from "../shared/port.js" */
/** @import { RoomData } from "../shared/types.js" */

/**
 * @param {RoomData} view
 * @param {{ask: (content: Intent) => Promise<boolean>, redraw: () => void}} room
 */
export function form({ unplayed, seats }, { ask, redraw }) {
  /** @param {HTMLFormElement} place */
  const chosen = (place) => new FormData(place).getAll("plays").map(String).filter(Boolean);

  /** @param {SubmitEvent} event */
  const make = async (event) => {
    event.preventDefault();
    const place = /** @type {HTMLFormElement} */ (event.target);
    const name = String(new FormData(place).get("name")).trim();
    if (await ask({ kind: "seat", name, plays: chosen(place) })) {
      place.reset();
      redraw();
    }
  };

  /** @param {string} role */
  const has = (role) => seats.some((each) => each.role === role);
  return html`<form class="ck-new" @submit=${make}>
    <label class="ck-field">New seat for<input name="name" required maxlength="60" autocomplete="off" placeholder="Name" /></label>
    <fieldset class="ck-field">
      <legend>Plays</legend>
      <div class="ck-free">
        ${unplayed.map((who) => html`<label class="ck-check"><input type="checkbox" name="plays" value=${who} />${who}</label>`)}
        ${unplayed.length ? nothing : html`<span>Everybody has a player.</span>`}
      </div>
    </fieldset>
    <button class="ck-btn">Make a link</button>
    ${has("screen") ? nothing : html`<button type="button" class="ck-btn" @click=${() => ask({ kind: "screen", role: "screen" })}>Table screen</button>`}
    ${has("gm") ? nothing : html`<button type="button" class="ck-btn" @click=${() => ask({ kind: "screen", role: "gm" })}>Second GM screen</button>`}
  </form>`;
}
