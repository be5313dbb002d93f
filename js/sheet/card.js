/** The card of a combatant, over the budget: what is on the sheet, to read and to change. */
import { nothing, render } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";

import { changesOf, statFields } from "../more/fields.js";
import { control } from "../more/forms.js";
import { element, ownPrefix } from "../shared/element.js";
import { inForm } from "../shared/enter.js";
import { icon, side } from "../shared/marks.js";
import { items, plain, refusedBy } from "../shared/rich.js";
import { tell } from "../shared/tell.js";
import { html, tr } from "../shared/tongue.js";

/** @import { Refusal } from "../shared/port.js" */
/** @import { Card, Parts, Setup } from "../shared/types.js" */
/** @import { Desk } from "./sheet.js" */

/** What of More is about somebody, and called there. */
const FORMS = /** @type {const} */ ([["condition", "Set a condition"], ["leave", "Take out of the fight"]]);

/** @param {Desk} desk */
export function createCard({ root, port, say, view, draw, back }) {
  const prefix = ownPrefix();
  /** Whose card is open, and on which rung it was opened. @type {{id: string, name: string} | undefined} */
  let open;
  /** @type {Card | undefined} */
  let card;
  /** The fields start afresh with each answer. */
  let edition = 0;
  /** @type {Parts | undefined} */
  let refused;
  let asked = 0;
  const el = element("section", { className: "ck-card" });

  /** @param {string} selector */
  const find = (selector) => /** @type {HTMLElement | null} */ (el.querySelector(selector));
  /** @param {string} title @param {() => unknown} press @param {string} [name] @param {string} [kind] */
  const button = (title, press, name, kind = "") =>
    html`<button type="button" class="ck-btn ${kind}" aria-label=${name ?? nothing} @click=${press}>${title}</button>`;

  const shut = (focus = true) => {
    const id = open?.id;
    open = card = refused = undefined;
    asked += 1;
    put();
    if (focus) back(id, "button.ck-name-of");
  };

  /** @param {Refusal} refusal */
  const fail = (refusal) => {
    refused = refusedBy(refusal);
    say(plain(refused));
    put();
  };

  /** Draws the card, on the desk if there is one. */
  const put = () => {
    const shown = !open || view().past ? nothing : card ? repeat([card], () => edition, body) : refused ? html`<p class="ck-why">${items(refused)}</p>` : nothing;
    // In the past it is out of sight, and as it was when that is left.
    if (!view().past) render(shown, el);
    const note = card ? `${card.side}${card.npc ? ", the GM plays them" : ""}` : "";
    tell(root, "ck-desk", { at: "card", title: open?.name, note, slots: card?.left, ...(shown !== nothing && { el, left: () => shut(false) }) });
    draw();
  };

  /** Asks Python for the card. @param {boolean} [afresh] whether what is typed gives way to it */
  const ask = async (afresh = true) => {
    const number = (asked += 1);
    try {
      const found = await port.ask({ kind: "card", name: open?.name });
      if (number !== asked) return;
      card = found;
      if (afresh) edition += 1;
      put();
    } catch (refusal) {
      if (number === asked) fail(/** @type {Refusal} */ (refusal));
    }
  };

  /** Sends a call; it is done where the question after it is answered first. @param {any} call @param {() => void} done */
  const send = async (call, done) => {
    let no = false;
    refused = undefined;
    port.send(call, (refusal) => {
      no = true;
      fail(refusal);
    });
    await ask(false);
    if (!no && open) done();
  };

  /** @param {HTMLFormElement} form */
  const changes = (form) => {
    const setup = /** @type {Setup} */ ({ stats: card?.stats ?? [], sides: [] });
    return changesOf(statFields(setup, card?.has), new FormData(form));
  };

  /** @param {SubmitEvent} event */
  const onSave = (event) => {
    event.preventDefault();
    const changed = changes(/** @type {HTMLFormElement} */ (event.target));
    if (Object.keys(changed).length) send({ kind: "edit", name: open?.name, ...changed }, shut);
    else shut();
  };

  /** @param {Card} shown */
  const body = ({ name, side: of, stats, has, lines, conditions, left }) => {
    const setup = /** @type {Setup} */ ({ stats, sides: [] });
    const mark = view().sides.find((each) => each.name === of)?.mark;
    const spent = left.map(({ title, left: some, total, unlimited }) => `${title} ${unlimited ?? `${some} of ${total}`}`).join(", ");
    return html`<form aria-label="Card: ${name}" tabindex="-1" @submit=${onSave} @keydown=${inForm(() => shut())}>${
      // The desk says so above.
      root.closest(".ck-shell") ? nothing : [html`<h4>${side(mark)} ${has.portrait ?? ""} ${name}</h4>`, spent ? html`<p class="ck-quiet">Left: ${spent}</p>` : nothing]
    }
      ${has.shown_as && !view().task
        ? html`<p>${button("Reveal", () => send({ kind: "reveal", name }, () => find("form")?.focus()), `Reveal ${name}`)} <span class="ck-quiet">Players see ${has.shown_as}.</span></p>`
        : nothing}
      ${conditions.length
        ? html`<ul role="list" aria-label="Conditions">${conditions.map(
            ({ id, word, lasts }) =>
              html`<li><span class="ck-chip">${word}</span><span class="ck-quiet">${lasts}</span>${view().task ? nothing : button(
                "Remove it",
                () => send({ kind: "condition", name, condition: id, off: true }, () => find("form")?.focus()),
                `Remove it: ${word}`,
              )}</li>`,
          )}</ul>`
        : nothing}
      ${root.closest(".ck-shell") && !view().task
        ? html`<div class="ck-pair">${FORMS.map(([part, title]) => button(title, () => tell(root, "ck-form", { part, name }), `${tr(title)}: ${name}`))}</div>`
        : nothing}
      <div class="ck-stats" ?inert=${view().task}>${statFields(setup, has).map((field) => control(field, prefix))}</div>
      ${lines.map(([title, words]) => html`<p><span class="ck-quiet">${title}:</span> ${words}</p>`)}
      <p class="ck-why">${refused ? [icon("slash"), items(refused)] : nothing}</p>
      <div class="ck-last">${view().task ? nothing : html`<button class="ck-btn is-main">Save</button>`}${button("Close", () => shut(), `Close ${name}'s card`)}</div>
    </form>`;
  };

  return {
    /** @param {string} id */
    open: (id) => {
      const name = view().rows[id]?.name;
      if (name === undefined) return;
      if (open?.name === name) return shut();
      open = { id, name };
      card = refused = undefined;
      ask().then(() => {
        find("form")?.focus();
      });
    },
    /** @param {string} name */
    isOf: (name) => open?.name === name,
    alone: () => (open && (card ?? refused) && !view().past && !root.closest(".ck-shell") ? el : nothing),
    come: () => {
      if (view().past) return;
      if (open && (!view().acts || !Object.values(view().rows).some(({ name }) => name === open?.name))) shut(false);
      else if (open) ask(false);
    },
  };
}
