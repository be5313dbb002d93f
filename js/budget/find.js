/** What is looked for among the actions: of no use to a page on which nothing can be done. */
import { nothing } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";

import { claim, once } from "../shared/press.js";
import { tell } from "../shared/tell.js";
import { html, tr } from "../shared/tongue.js";

/** @import { BudgetData, Parts } from "../shared/types.js" */

/** An action by its key, why it can't be done now, and what it stands under. @typedef {[string, Parts | undefined, string]} Found */

/** What a place that is typed begins with: an N in the empty box ends the turn. */
const LEADS = ["to …", "beside …"];
/** A place that is typed: where, or beside whom. @typedef {{to: string, beside: boolean}} Place */

/**
 * What the budget lends.
 *
 * @typedef {object} Desk
 * @property {Element} outer what it stands in, maybe beside a map
 * @property {() => BudgetData} view
 * @property {() => Found[]} all what stands on the desk, in its order
 * @property {(key: string, why?: Parts) => unknown} act draws an action
 * @property {(key: string, why: Parts | undefined, explicit: boolean) => void} take does an action, or says why it can't be done
 * @property {(text: string) => void} note writes down what no rules know
 * @property {(text: string) => void} say
 * @property {() => void} draw
 * @property {() => HTMLElement | null} rest
 */

/** @param {Desk} desk */
export function createFinder({ view, all, act, take, note, outer, say, draw, rest }) {
  let query = "";
  /** Where one was before, to go back to. @type {HTMLElement | null} */
  let opener = null;
  const words = () => query.trim();
  const none = () => `No action matches “${query.trim()}”.`;

  /** What the words stand in, what can be done first. */
  const hits = () => {
    const fits = all().filter(([key, , of]) => {
      const { title, extra, names, cost } = /** @type {import("../shared/types.js").Action} */ (view().action[key]);
      return [title, extra, names, cost, of].join(" ").toLowerCase().includes(words().toLowerCase());
    });
    return [...fits.filter(([, why]) => !why), ...fits.filter(([, why]) => why)];
  };

  /** The place that is typed, where there is a map. @returns {Place | undefined} */
  const place = () => {
    const lead = outer.querySelector(".ck-map") ? LEADS.find((each) => words().toLowerCase().startsWith(tr(each).slice(0, -1))) : undefined;
    return lead ? { to: words().slice(tr(lead).length - 1).trim(), beside: lead === LEADS[1] } : undefined;
  };
  const goThere = () => {
    const to = place();
    clear();
    if (to && !tell(outer, "ck-go", to)) say("On the map, whoever acts goes nowhere now.");
    draw();
  };

  /** Looks for nothing any more, and says whether something was looked for. */
  const clear = () => {
    const had = query;
    query = "";
    return Boolean(had);
  };

  /** @param {KeyboardEvent} event */
  const onKey = (event) => {
    const [hit] = words() ? hits() : [];
    if (event.key === "Enter" && place()) goThere();
    else if (event.key === "Enter" && hit) take(hit[0], hit[1], event.shiftKey);
    else if (event.key === "Enter" && words()) say(none());
    else if (event.key === "Escape") clear() || (opener?.isConnected ? opener : rest())?.focus();
    else return;
    claim(event);
    draw();
  };
  const onInput = (/** @type {any} */ { target }) => {
    query = target.value;
    draw();
    const found = hits().length;
    say(!words() ? "" : place() ? `Show the way ${words()}` : found ? `${found} found.` : none());
  };

  const write = () => {
    const text = words();
    clear();
    rest()?.focus({ preventScroll: true });
    note(text);
    draw();
  };

  return {
    clear,
    /** Where it is typed. @param {number} count how many can be done */
    field: (count) =>
      html`<div class="ck-find"><kbd class="ck-k" aria-hidden="true">/</kbd><input class="ck-field" placeholder="Find an action" aria-label="Find an action" aria-keyshortcuts="/" autocomplete="off"
      @focus=${(/** @type {any} */ { relatedTarget }) => (opener = relatedTarget)} @keydown=${onKey} .value=${query} @input=${onInput} /><small aria-live="off">${place() ? nothing : words() ? `${hits().length} found` : `${count} can be done`}</small></div>`,
    /** What is found, if something is looked for. */
    found: () => {
      if (!words()) return undefined;
      if (place()) return html`<button type="button" class="ck-btn" @click=${once(goThere)}>Show the way ${words()}</button>`;
      const found = hits();
      if (found.length) return html`<div class="ck-usual" role="group" aria-label="Found">${repeat(found, ([key]) => key, ([key, why]) => act(key, why))}</div>`;
      const { seat, task, asked } = view();
      return [html`<p class="ck-words">${none()}</p>`, seat || task || asked ? nothing : html`<button type="button" class="ck-btn" @click=${once(write)}>Write it down as a note</button>`];
    },
  };
}
