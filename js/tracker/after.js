/** What can be done with a fight that is over: of no use to a page on which nothing can be. */
import { nothing } from "lit-html";

import { html, tr } from "../shared/tongue.js";
import { savePicture } from "./picture.js";
import { pair } from "./result.js";

/** @import { Ended, TrackerData } from "../shared/types.js" */
/** @import { Desk } from "./view.js" */

/** Whose page is saved. @typedef {{seen?: string, seat?: string}} Seen */

/** The game master's page, the players', or that of whoever has a seat. @param {string[]} seats @param {Seen} seen @param {(seen: Seen) => void} see */
const asSeen = (seats, seen, see) => {
  const whose = /** @type {[Seen, string][]} */ ([[{}, "the GM"], [{ seen: "players" }, tr("the players")], ...seats.map((seat) => [{ seat }, seat])]);
  const options = whose.map(([each, title]) => /** @type {[string, unknown]} */ ([JSON.stringify(each), title]));
  return pair("Page as seen by", options, JSON.stringify(seen), (id) => see(JSON.parse(id)));
};

/** What can be done with a fight that is over. @param {TrackerData} view @param {Desk["button"]} button @param {Desk["send"]} send @param {Seen} seen @param {(seen: Seen) => void} see */
export const after = ({ card, setup, second }, button, send, seen, see) => {
  const party = setup?.party;
  const again = (/** @type {string} */ title, /** @type {boolean} */ rested) =>
    button(title, () => send({ kind: "clear", side: party, rested }), { name: `${title}: clear the foes, keep ${party}` });
  return html`<div class="foot">${card?.told ? button("Save a picture", () => savePicture(/** @type {Ended} */ (card.told)), { kind: "is-large is-main" }) : nothing}${
    second ? nothing : button("Run it again", () => send({ kind: "restart" }), { kind: "is-large" })
  }${party ? [again("New fight, heroes rested", true), again("New fight, heroes as they are", false)] : nothing}${
    card?.back ? button("Look back", () => send({ kind: "at", seq: card.back }), { kind: "is-bare" }) : nothing
  }<div class="ck-seen"><span class="ck-quiet" aria-hidden="true">Page as seen by</span>${asSeen(card?.seats ?? [], seen, see)}</div></div>`;
};
