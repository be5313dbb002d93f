/** The end of a fight. */
import { html } from "lit-html";

/** @import { TrackerData } from "../shared/types.js" */
/** @import { Desk } from "./view.js" */

/** @param {TrackerData} view @param {Desk["button"]} button @param {Desk["send"]} send */
export const won = (view, button, send) => html`<div class="ck-over ck-won">${button("Run it again", () => send({ kind: "restart" }))}</div>`;
