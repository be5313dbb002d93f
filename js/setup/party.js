/** A party that is kept from fight to fight. */
import { nothing } from "lit-html";

import { choices, labelled } from "../more/forms.js";
import { inForm } from "../shared/enter.js";
import { html } from "../shared/tongue.js";

/** @import { Desk } from "../tracker/view.js" */

/** @param {Desk} desk */
export function createParty({ view, ask, refuse, send, button, say, draw, find }) {
  let isOpen = false;
  let news = "";

  /** @param {SubmitEvent} event */
  const onKeep = async (event) => {
    event.preventDefault();
    const { name, side } = Object.fromEntries(new FormData(/** @type {HTMLFormElement} */ (event.target)));
    try {
      const { file } = await ask({ kind: "keep", name, side });
      news = `Kept as ${file}.`;
      isOpen = false;
      say(news);
      draw();
    } catch (refused) {
      refuse(/** @type {any} */ (refused));
    }
    if (!isOpen) find(".ck-party .ck-btn")?.focus();
  };

  const toggle = () => {
    isOpen = !isOpen;
    news = "";
    draw();
    find(".ck-party input")?.focus();
  };

  const onKey = inForm(() => {
    toggle();
    find(".ck-party .ck-btn")?.focus();
  });

  return () => {
    const { setup } = view();
    const sides = (setup?.sides ?? []).map(({ name }) => /** @type {[string, string]} */ ([name, name]));
    const keeps = setup?.keeps && setup.combatants?.length;
    if (!keeps && !setup?.party) return nothing;
    const clear = () => send({ kind: "clear", side: /** @type {string} */ (setup?.party) });
    return html`<div class="ck-party"><div class="ck-pair">${keeps ? button("Keep the party", toggle, { open: isOpen }) : nothing}${
      setup?.party ? button("Clear the foes", clear, { name: `Clear the foes, keep ${setup.party}` }) : nothing}</div>
      ${isOpen
        ? html`<form class="ck-form" aria-label="Keep the party" @submit=${onKeep} @keydown=${onKey}>
            ${labelled("Call it", html`<input name="name" required maxlength="80" autocomplete="off" />`)}
            ${labelled("Who", html`<select name="side">${choices(sides, setup?.party)}</select>`)}<button class="ck-btn">Keep</button></form>`
        : nothing}${news ? html`<p class="ck-quiet">${news}</p>` : nothing}</div>`;
  };
}
