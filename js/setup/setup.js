/** How a fight is set up: the rules, who is in it, and whose dice are rolled. */
import { html, nothing } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";

import { check, choices, labelled } from "../more/forms.js";
import { createSheets } from "../more/sheets.js";
import { side } from "../shared/marks.js";
import { createDrop } from "./drop.js";
import { createHand } from "./hand.js";
import { createParty } from "./party.js";
import { createShelf } from "./shelf.js";

/** @import { Desk } from "../tracker/view.js" */
/** @import { Member } from "../shared/types.js" */

/** @param {Desk} desk */
export function createSetup(desk) {
  const { view, send, button, refusal } = desk;
  const { dice } = createSheets(desk);
  const hand = createHand(desk);
  const shelf = createShelf(desk);
  const party = createParty(desk);
  const file = createDrop(desk);

  /** @param {Member} member */
  const row = (member) => {
    const { name, side: of, npc, summary, surprised } = member;
    return html`<li class="ck-mem">
      <div><span class="ck-who">${side(view().setup?.sides?.[of]?.mark ?? of)}<b>${name}</b></span><small>${[summary, npc ? "GM" : ""].filter(Boolean).join(" · ")}</small></div>
      ${check("surprised", name, "surprised", surprised)}<div class="ck-pair">${hand.opener(name)}${
        button("Remove", () => send({ kind: "leave", name }), { name: `Remove ${name}` })}</div>${hand.sheet(member)}
    </li>`;
  };

  const draw = () => {
    const { systems, system, setup } = view();
    const rules = (/** @type {any} */ { target }) => send({ kind: "ruleset", ruleset: target.value }, "rules", () => (target.value = view().system));
    const members = setup?.combatants ?? [];
    const kept = members.length ? "Changing the rules keeps names and sides; you'll be asked for the numbers again." : nothing;
    return html`<div class="ck-setup ck-over" @dragover=${file.over} @drop=${file.drop}>
      ${systems?.length ? labelled("Rules", html`<select @change=${rules}>${choices(systems, system)}</select>`) : nothing}<p class="ck-quiet">${kept}</p>${refusal("rules")}${file.review()}
      <div class="ck-set"><section>
        <div class="ck-cap"><h4>In the fight</h4><span class="ck-label">${members.length || "nobody yet"}</span></div>
        <ol role="list" aria-label="Combatants">${repeat(members, ({ name }) => name, row)}</ol>
        ${party()}${hand.form()}${dice()}
      </section><section>${shelf()}${file.chooser()}</section></div>
    </div>`;
  };
  const done = () => {
    hand.done();
    file.done();
  };
  return { draw, done };
}
