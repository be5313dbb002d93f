/** How a fight is set up: the rules, who is in it, and whose dice are rolled. */
import { html, nothing } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";

import { check, choices, labelled } from "../more/forms.js";
import { createSheets } from "../more/sheets.js";
import { side } from "../shared/marks.js";

/** @import { Desk } from "../tracker/view.js" */
/** @import { Member } from "../shared/types.js" */

/** @param {Desk} desk */
export function createSetup(desk) {
  const { view, send, button } = desk;
  // Where nobody is in yet, who is to come is the first question.
  const { opener, opened, dice, done } = createSheets(desk, view().setup?.combatants?.length ? undefined : "add");

  /** @param {Member} member */
  const member = ({ name, side: of, npc, summary, surprised }) =>
    html`<li class="ck-member">
      <span class="ck-who">${side(view().setup?.sides?.[of]?.mark ?? of)}<b>${name}</b></span>
      <span class="ck-quiet">${summary}${npc ? " · GM" : ""}</span>${check("surprised", name, "surprised", surprised)}${
        button("Remove", () => send({ kind: "leave", name }), { name: `Remove ${name}` })}
    </li>`;

  const draw = () => {
    const { systems, system, setup } = view();
    const rules = (/** @type {any} */ { target }) => send({ kind: "ruleset", ruleset: target.value });
    return html`<div class="ck-setup ck-over">
      ${systems?.length ? labelled("Rules", html`<select @change=${rules}>${choices(systems, system)}</select>`) : nothing}
      <div class="row">${opener("add")}</div>${opened()}
      <ol role="list" aria-label="Combatants">${repeat(setup?.combatants ?? [], ({ name }) => name, member)}</ol>
      ${dice()}
    </div>`;
  };
  return { draw, done };
}
