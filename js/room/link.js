/** A seat's link, as somebody needs it who is to sit down: a picture for a phone, a code to type, the link itself. */
import { nothing } from "lit-html";

import { copied } from "../shared/copied.js";
import { qrOf } from "../shared/qr.js";
import { html } from "../shared/tongue.js";

/** @import { Say } from "../shared/speech.js" */
/** @import { RoomSeat } from "../shared/types.js" */

/** @typedef {{seat: string, whose: string, url: string, code: string, qr: string[], large?: boolean}} Link */

/** Whether nothing but this machine finds it. @param {string} url */
const isLocal = (url) => /^(127\.|localhost$|\[::1\]$)/.test(new URL(url).hostname);

/** Where it is scanned. @param {RoomSeat} seat */
const placeOf = ({ name, role }) => ({ seat: `${name}'s phone`, screen: "the table's screen", gm: "your second screen" })[role];

/**
 * @param {Link} link
 * @param {RoomSeat} at whose it is
 * @param {{renew: () => unknown, enlarge: (large: boolean) => void, say: Say}} acts
 */
export function linkOf({ seat, whose, url, code, qr, large = false }, at, { renew, enlarge, say }) {
  /** @param {Event} event */
  const copy = async (event) => {
    say(await copied(url, /** @type {HTMLElement} */ (event.currentTarget).closest(".ck-link")?.querySelector("input")));
  };
  const another = html`<button type="button" class="ck-btn" @click=${renew}>New link</button>`;
  // Whoever has typed a code sits there by a link of their own: the one shown before is dead.
  if (at.used)
    return html`<div class="ck-link"><div>
      <p>The code has been used: this link works no more.</p>
      <div class="ck-acts">${another}</div>
    </div></div>`;
  return html`<div class="ck-link ${large ? "is-large" : ""}">
    ${qr.length ? qrOf(qr, `QR code for ${seat}`) : nothing}
    <div>
      ${
        isLocal(url)
          ? html`<p class="ck-quiet">Only this machine can open it, no phone. For phones close the room, share it anew with host 0.0.0.0, and bring all into one Wi-Fi or hotspot. Here it opens at ${url.split("#")[0]}, with the code.</p>`
          : html`<p class="ck-quiet">${at.role === "seat" ? `Scan it with ${placeOf(at)}` : `Open it on ${placeOf(at)}: scan it`}, or open ${url.split("#")[0]} there and type the code.</p>`
      }
      <p class="ck-code">${code}</p>
      <label class="ck-field">Link<input readonly .value=${url} spellcheck="false" /></label>
      <div class="ck-acts">
        <button type="button" class="ck-btn" @click=${copy}>Copy the link</button>
        <button type="button" class="ck-btn" aria-pressed=${large} @click=${() => enlarge(!large)}>Show it large</button>
        ${another}
      </div>
      <p class="ck-quiet">The code works once, for five minutes. A new link ends the old one. ${whose}</p>
    </div>
  </div>`;
}
