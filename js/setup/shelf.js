/** Creatures, parties and scenes of the shelf: found by name, added by name; what they can do is known in Python only. */
import { nothing } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";

import { sideField } from "../more/fields.js";
import { choices, control, labelled, summary } from "../more/forms.js";
import { middle } from "../shared/name.js";
import { claim } from "../shared/press.js";
import { html, tr } from "../shared/tongue.js";

/** @import { Desk } from "../tracker/view.js" */

/**
 * @typedef {{name: string, title?: string, source: string, says: string}} Found
 * @typedef {{rows: Found[], parties: Found[], found: number, others: number, scenes: [string, string][]}} Stock
 */

/** Where the kit's own creatures are from. */
const KIT = "kit";
const MOST = 100;
/** Whose side creatures are on, where nobody has said. */
const FOES = "foes";

/** @param {Desk} desk */
export function createShelf({ prefix, view, ask, refuse, call, send, button, say, draw, find }) {
  /** @type {Stock | undefined} */
  let stock;
  /** What was last asked, and for which rules. */
  let asked = 0;
  /** The end of the newest question. */
  let coming = Promise.resolve();
  /** @type {string | undefined} */
  let system;
  let text = "";
  /** What the stock answers: what is typed may be newer. */
  let answered = "";
  /** Why there is no shelf here: a page of the GM's has none. */
  let away = "";
  /** Whether all that is found is listed. */
  let all = false;
  /** How many of each are wanted, where it is not one. @type {Map<string, number>} */
  const counts = new Map();

  const isSetup = () => view().mode === "setup";
  const members = () => view().setup?.combatants ?? [];

  const search = async () => {
    const number = (asked += 1);
    system = view().system;
    try {
      const answer = await ask({ kind: "shelf", text, ...(all && { all }) });
      if (number !== asked) return;
      stock = answer;
      answered = text;
      away = "";
      if (text) say(answer.found || answer.parties.length ? `${answer.found} found.` : nothingFound());
    } catch (refused) {
      const why = /** @type {import("../shared/port.js").Refusal} */ (refused);
      if (stock || text) return refuse(why);
      away = why.reason; // nobody has pressed anything yet
    }
    draw();
  };

  const look = () => (coming = search());

  const nothingFound = () => `Nobody on the shelf matches “${text.trim()}”.`;

  /** @param {Found} row */
  const keyOf = ({ name, source }) => `${source}/${name}`;

  /** @param {Found} row */
  const countOf = (row) => counts.get(keyOf(row)) ?? 1;

  /** @param {Found} row */
  const take = (row) => {
    const { name, source } = row;
    const side = /** @type {HTMLInputElement} */ (find('.ck-seek [name="side"]')).value.trim();
    bring({ name, source, side, count: countOf(row) });
    counts.delete(keyOf(row));
    draw();
  };

  /** Adds them; in a fight they join it, and may have to roll. @param {{source: string, name?: string, side?: string, count?: number}} wish */
  const bring = (wish) => {
    call({ kind: "take", ...wish }, wish.name ? `Bring in ${wish.count} ${wish.name}` : "Bring in the party", "shelf");
  };

  /** @param {Found} row */
  const creature = (row) => {
    const { source, says, title: name = row.name } = row;
    const count = countOf(row);
    const by = (/** @type {number} */ step) => () => {
      counts.set(keyOf(row), Math.min(MOST, Math.max(1, count + step)));
      draw();
    };
    const told = [says, source === KIT ? "" : source].filter(Boolean).join(" · ");
    return html`<li class="ck-mem">
      <div class="d">${middle(name)}${summary(told)}</div>
      <div class="a"><span class="ck-count">${button("−", by(-1), { name: `One fewer ${name}`, kind: "is-bare is-icon" })}<span class="n">${count}</span>${button("+", by(1), { name: `One more ${name}`, kind: "is-bare is-icon" })}</span>${
        button("Add", () => take(row), { name: `Add ${count} ${name}` })}</div>
    </li>`;
  };

  /** @param {Found} party */
  const party = ({ name, source, says }) => html`<li class="ck-mem">
      <div class="d">${middle(name)}${summary(`party · ${says}`)}</div>
      <div class="a">${button("Add all", () => bring({ source }), { name: `Add all of ${name}` })}</div>
    </li>`;

  const scenes = () => {
    const load = () => send({ kind: "scene", scene: /** @type {HTMLSelectElement} */ (find('[name="scene"]')).value }, "shelf");
    return html`<div class="ck-row-end">${labelled("Or begin with a scene", html`<select name="scene">${choices(stock?.scenes ?? [])}</select>`)}${
      button("Load", load, { name: "Load the scene" })}</div>`;
  };

  /** @param {KeyboardEvent} event */
  const onKey = (event) => {
    // One step out of a field in which letters are letters: from there N starts the fight.
    if (event.key === "Escape" && !text && isSetup()) find(".ck-res")?.focus();
    if (event.key !== "Enter") return;
    claim(event);
    // Who types faster than Python answers means whoever is found by what was typed.
    const number = asked;
    coming.then(() => {
      const [first] = stock?.rows ?? [];
      if (number !== asked) return;
      if (!text.trim()) say("Type a name first.");
      else if (first) take(first);
      else if (stock && !stock.parties.length) say(nothingFound());
    });
    /** @type {HTMLInputElement} */ (event.target).select();
  };

  /** Lists the rest; the focus goes to the first of them. */
  const listAll = async () => {
    const listed = stock?.rows.length ?? 0;
    all = true;
    await look();
    /** @type {HTMLElement | undefined} */ ([...(find(".ck-stock > ol")?.querySelectorAll(".a > .ck-btn:last-child") ?? [])][(stock?.parties.length ?? 0) + listed])?.focus();
  };

  const onInput = (/** @type {any} */ { target }) => {
    text = target.value;
    all = false;
    look();
  };

  const shown = () => {
    if (system !== view().system) look();
    if (away) return html`<div class="ck-cap"><h4>Shelf</h4></div><p class="ck-quiet">${away}</p>`;
    const { rows = [], parties = [], found = 0, others = 0 } = stock ?? {};
    const foes = view().setup?.foes ?? tr(FOES);
    const more = found - rows.length;
    return html`<div class="ck-cap"><h4>Shelf</h4><span class="ck-end">${stock && text === answered ? `${found} found` : nothing}</span></div>
      <div class="ck-seek"><label class="ck-find"><kbd class="ck-k" aria-hidden="true">/</kbd><input type="search" class="ck-field" aria-label="Find a creature" placeholder="Find by name, Enter adds" aria-keyshortcuts="/" autocomplete="off" maxlength="200" .value=${text} @input=${onInput} @keydown=${onKey} /></label>${
        repeat([foes], (each) => each, () => control({ ...sideField(view().setup), title: "On side", required: false, value: foes }, `${prefix}-shelf`))}</div>
      ${text.trim() && text === answered && !rows.length && !parties.length ? html`<p class="ck-quiet">${nothingFound()}</p>` : nothing}
      <div class="ck-stock"><ol role="list" aria-label="Found">${repeat(parties, keyOf, party)}${repeat(rows, keyOf, creature)}</ol>
      ${more || others ? html`<p class="ck-more-of">${more && !all ? button(`${more} more`, listAll, { kind: "is-mini" }) : more ? html`<b>${more} more</b> by name${others ? "; " : ""}` : nothing} ${others ? `${others} for other rules` : nothing}</p>` : nothing}</div>
      ${isSetup() && stock?.scenes.length && !members().length ? scenes() : nothing}`;
  };

  return { show: shown, isHere: () => !view().second };
}
