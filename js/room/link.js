/** A seat's link, as somebody needs it who is to sit down: a picture for a phone, a code to type, the link itself. */
import { html, nothing, svg } from "lit-html";

/** @import { Say } from "../shared/speech.js" */

/** @typedef {{seat: string, whose: string, url: string, code: string, qr: string[], large?: boolean}} Link */

/** Blank squares around a code, so that a camera finds it. */
const QUIET = 4;

/** @param {string[]} rows @param {string} seat */
const picture = (rows, seat) => {
  const size = rows.length + 2 * QUIET;
  const runs = rows.flatMap((row, y) =>
    [...row.matchAll(/1+/g)].map(({ index, 0: run }) => `M${index + QUIET} ${y + QUIET}h${run.length}v1h-${run.length}z`),
  );
  return html`<svg class="ck-qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="QR code for ${seat}" shape-rendering="crispEdges">
    ${svg`<path d=${runs.join("")} />`}
  </svg>`;
};

/**
 * @param {Link} link
 * @param {{renew: () => unknown, enlarge: (large: boolean) => void, say: Say}} acts
 */
export function linkOf({ seat, whose, url, code, qr, large = false }, { renew, enlarge, say }) {
  /** @param {Event} event */
  const copy = async (event) => {
    const field = /** @type {HTMLElement} */ (event.currentTarget).closest(".ck-link")?.querySelector("input");
    field?.select();
    // Without leave to write, the link is chosen at least: Ctrl+C copies it.
    await navigator.clipboard?.writeText(url).then(
      () => say("Copied."),
      () => say("The link is selected: press Ctrl+C."),
    );
  };
  return html`<div class="ck-link ${large ? "is-large" : ""}">
    ${qr.length ? picture(qr, seat) : nothing}
    <div>
      <p class="ck-quiet">Scan it with ${seat}'s phone, or open ${url.split("#")[0]} there and type the code.</p>
      <p class="ck-code">${code}</p>
      <label class="ck-field">Link<input readonly .value=${url} spellcheck="false" /></label>
      <div class="ck-acts">
        <button type="button" class="ck-btn" @click=${copy}>Copy the link</button>
        <button type="button" class="ck-btn" aria-pressed=${large} @click=${() => enlarge(!large)}>Show it large</button>
        <button type="button" class="ck-btn" @click=${renew}>New link</button>
      </div>
      <p class="ck-quiet">The code works once, for five minutes. A new link ends the old one. ${whose}</p>
    </div>
  </div>`;
}
