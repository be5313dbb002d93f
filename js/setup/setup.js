/** How a fight is set up: the rules, who is in it, and whose dice are rolled. */
import { html, nothing } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";

import { check, choices } from "../more/forms.js";
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
  const { view, send, button } = desk;
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
    const members = view().setup?.combatants ?? [];
    return html`<div class="ck-setup ck-over" @dragover=${file.over} @drop=${file.drop}>
      ${file.review()}
      <section class="l">
        <div class="ck-cap"><h4>In the fight</h4><span class="ck-end">${members.length || "nobody yet"}</span></div>
        <ol role="list" aria-label="Combatants" tabindex="0">${repeat(members, ({ name }) => name, row)}</ol>
        ${party()}${dice()}
      </section><section class="r">${shelf()}${file.chooser()}</section>${hand.form()}
    </div>`;
  };

  /** Which rules, and who is in: beside the title. */
  const head = () => {
    const { systems, system, turn } = view();
    const rules = (/** @type {any} */ { target }) => send({ kind: "ruleset", ruleset: target.value }, "rules", () => (target.value = view().system));
    return html`<div class="ck-turn">${systems?.length ? html`<label><span class="ck-sr">Rules</span><select class="ck-field" @change=${rules}>${choices(systems, system)}</select></label>` : nothing}<div><small>${turn?.sub}</small></div></div>`;
  };

  /** @returns {{text: import("../shared/types.js").Parts, sub: import("../shared/types.js").Parts}} */
  const word = () => {
    const { setup, turn, dice: thrown } = view();
    const rolls = thrown === "table" ? "Start asks for initiative: you roll at the table." : "Start rolls initiative.";
    return setup?.combatants?.length
      ? { text: [`${turn?.sub}.`], sub: [`${rolls} Changing the rules keeps names and sides; you'll be asked for the numbers again.`] }
      : { text: ["Who is in this fight?"], sub: ["Take them from the shelf or a file, or type a name by hand."] };
  };
  const done = () => {
    hand.done();
    file.done();
  };
  return { draw, done, head, word };
}
