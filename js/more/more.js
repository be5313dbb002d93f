/** More: what a game master does now and then, over the budget. */
import { html, nothing } from "lit-html";

import { SHEETS } from "./fields.js";
import { createSheets } from "./sheets.js";

/** @import { Desk } from "../tracker/view.js" */

/** @param {Desk} desk */
export function createMore(desk) {
  const { view, call, send, button } = desk;
  const { opener, opened, dice, done } = createSheets(desk);
  const draw = () =>
    html`<div class="ck-more ck-over" role="group" aria-label="More"><div class="row">${
      view().mode === "play"
        ? [
            button("Next round", () => call({ kind: "next_round" }, "Next round")),
            button("Finish", () => send({ kind: "finish" })),
            ...Object.keys(SHEETS).map(opener),
          ]
        : nothing
    }</div>${opened()}${dice()}</div>`;
  return { draw, done };
}
