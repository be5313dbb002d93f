/** How a fight is set up: the rules, who is in it, and whose dice are rolled. */
import { nothing } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";

import { check, choices, summary } from "../more/forms.js";
import { createSheets } from "../more/sheets.js";
import { whenLaid } from "../shared/laid.js";
import { icon, token } from "../shared/marks.js";
import { middle } from "../shared/name.js";
import { reveal } from "../shared/reveal.js";
import { tell } from "../shared/tell.js";
import { html, tr } from "../shared/tongue.js";
import { createDrop } from "./drop.js";
import { createHand } from "./hand.js";
import { createParty } from "./party.js";
import { createShelf } from "./shelf.js";

/** @import { Desk } from "../tracker/view.js" */
/** @import { Member } from "../shared/types.js" */

const KEPT = "Changing the rules keeps names and sides; you'll be asked for the numbers again.";

/** @param {Desk} desk */
export function createSetup(desk) {
  const { view, send, button, find } = desk;
  const sheets = createSheets(desk, "add");
  const hand = createHand(desk);
  const shelf = createShelf(desk);
  const party = createParty(desk);
  const file = createDrop(desk);

  const members = () => view().setup?.combatants ?? [];

  /** What goes leaves the focus with whoever comes next, never with Start. @param {string} name */
  const remove = (name) => {
    const names = members().map((member) => member.name);
    const at = names.indexOf(name);
    const next = names[at + 1] ?? names[at - 1];
    (next === undefined ? find('[type="search"]') : find(`[data-remove="${CSS.escape(next)}"] > button`))?.focus();
    send({ kind: "leave", name });
  };

  /** Who begins surprised, as when a fight is run again, need not. @param {Event} event */
  const aware = ({ target }) => {
    const { value: name, checked } = /** @type {HTMLInputElement} */ (target);
    const marked = members().find((member) => member.name === name)?.surprised;
    if (marked && !checked) send({ kind: "condition", name, condition: "surprised", off: true });
  };

  /** @param {Member} member */
  const row = (member) => {
    const { name, side, initials, npc, surprised, stats, veil } = member;
    const of = view().setup?.sides?.[side];
    const says = [of?.name, member.summary, npc && tr("GM")].filter(Boolean).flatMap((each, at) => (at ? [" · ", each] : [each]));
    return html`<li class="ck-mem">${token(of?.mark ?? side, initials, /** @type {string | undefined} */ (stats.portrait), veil)}
      <div class="d">${middle(name)}${summary(says)}</div>
      <div class="a" @change=${aware}>${check("surprised", name, "surprised", surprised, `Surprised: ${name}`)}${hand.opener(name)}<span data-remove=${name}>${
        button(icon("cross"), () => remove(name), { name: `Remove ${name}`, kind: "is-bare is-icon" })}</span></div>${hand.sheet(member)}
    </li>`;
  };

  const sides = () => new Set(members().map(({ side }) => side)).size;
  const counts = () => (members().length ? tr(sides() === 1 ? `${members().length} in, 1 side` : `${members().length} in, ${sides()} sides`) : tr("nobody yet"));

  /** Fights of this kernel, for a cell or a fight that is run again; and once, that nothing else keeps one. */
  const earlier = () => {
    const { earlier: fights = [], here } = view().setup ?? {};
    const go = fights.map(({ fight, title }, at) => button(title, () => send({ kind: "go_on", fight }), { kind: at || members().length ? "" : "is-main" }));
    return html`${go.length ? html`<div class="ck-party">${go}</div>` : nothing}${here && !members().length ? html`<p class="ck-quiet">Kept in this kernel only.</p>` : nothing}`;
  };

  /** On a phone the shelf stands between who is in and who is typed in. */
  const toMap = () => (members().length && !view().second ? button("Map", () => tell(find(".ck-map"), "ck-map") || send({ kind: "map" }), { kind: "is-bare is-map", letter: "G" }) : nothing);
  const toHand = () => button("By hand", () => find('.ck-hand [name="name"]')?.focus(), { kind: "is-bare is-jump" });

  /** How many there were; whoever comes in is shown. */
  let shown = members().length;
  const showNew = () => {
    const { length } = members();
    if (length > shown) whenLaid(() => {
      const list = find(".ck-set .l > ol");
      reveal(list, /** @type {HTMLElement | null | undefined} */ (list?.lastElementChild));
    });
    shown = length;
  };

  const draw = () => html`${showNew()}<div class="ck-setup ck-over">
      <div class="ck-set">
        <section class="l"><div class="ck-cap"><h4>In the fight</h4><span class="ck-end">${members().length || "nobody yet"}</span>${toMap()}${toHand()}</div>
          ${earlier()}<ol role="list" aria-label="Combatants">${repeat(members(), ({ name }) => name, row)}</ol>
          <div class="ck-dice">${sheets.dice()}${party()}</div></section>
        ${shelf.isHere() ? html`<section class="r">${shelf.show()}${file.chooser()}</section>` : nothing}
        <div class="ck-hand"><h4>By hand</h4>${sheets.opened()}</div>
      </div>${file.review()}
    </div>`;

  return {
    draw,
    /** The rules, and who is in; in the header. */
    head: () => {
      const { systems, system } = view();
      const rules = (/** @type {any} */ { target }) => send({ kind: "ruleset", ruleset: target.value }, "rules", () => (target.value = view().system));
      const why = members().length ? KEPT : nothing;
      return html`<div class="ck-turn">${systems?.length
        ? html`<select class="ck-field" aria-label="Rules" aria-description=${why} title=${why} @change=${rules}>${choices(systems, system)}</select>`
        : nothing}<small>${counts()}</small></div>`;
    },
    /** Where things stand, until something is refused; in the result zone. */
    word: () => {
      const reviewed = file.word();
      if (reviewed) return reviewed;
      const surprised = members().filter((member) => member.surprised).length;
      const whose = view().dice === "table" ? "Start begins the fight: you roll at the table." : "Start begins the fight.";
      const { result } = view();
      const ready = [tr(`${members().length === 1 ? "One combatant is" : `${members().length} combatants are`} ready.`)];
      return members().length
        ? { text: result?.text ?? ready, sub: [...(sides() === 1 ? [tr("Nobody is against them yet."), " "] : []), counts(), ", ", tr(surprised ? `surprised: ${surprised}.` : "nobody surprised."), " ", tr(whose)], mark: result?.who && token(result.who.side, result.who.initials, result.who.portrait) }
        : { text: [tr("Who is in this fight?")], sub: [tr(view().second ? "Add them by hand." : "Take them from the shelf or a file, or add them by hand.")] };
    },
    heed: file.heed,
    done: () => {
      hand.done();
      sheets.done();
      file.done();
    },
  };
}
