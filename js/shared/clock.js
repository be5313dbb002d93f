import { nothing } from "lit-html";

import { html } from "./tongue.js";

/** @import { Clock } from "./types.js" */

/** @param {Clock | undefined} clock */
export const clock = (clock) =>
  html`<h3 class="ck-clock">
    ${clock?.label}
    ${clock?.time ? html`<span class="t">${clock.time}</span>` : nothing}
    ${clock?.note ? html`<span class="t w">${clock.note}</span>` : nothing}
  </h3>`;
