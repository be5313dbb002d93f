/** The forms of `fields.js`, one open at a time, and the call that each makes. */
import { html } from "../shared/tongue.js";
import { repeat } from "lit-html/directives/repeat.js";

import { inForm, submitOnEnter } from "../shared/enter.js";
import { completed, heedRefused, mark } from "../shared/wrong.js";
import { SHEETS, valuesOf } from "./fields.js";
import { folded } from "./forms.js";

/** @import { Desk } from "../tracker/view.js" */

const DICE = /** @type {const} */ ([
  ["seeded", "combatkit rolls"],
  ["table", "we roll at the table"],
]);

const FIELD = ".ck-form:not(.is-sheet) :is(input, select)";

/**
 * @param {Desk} desk
 * @param {string} [sheet] the form that is open
 */
export function createSheets(desk, sheet) {
  const { prefix, view, call, send, button, draw, find } = desk;
  /** A form whose intent is under way: accepted, it starts afresh. @type {HTMLFormElement | undefined} */
  let sent;
  /** What the next one has in common with the last, as a rule. @type {Record<string, unknown>} */
  let kept = {};
  /** Whom it is about, as it seems: whoever was chosen when it was opened. @type {string | undefined} */
  let about;
  /** It was not opened from the list. */
  let direct = false;
  /** How often a form has started afresh. */
  let edition = 0;

  // The set-up and the settings may ask for the dice at once: each has radios of its own.
  const group = `${prefix}-dice-${Math.random().toString(36).slice(2)}`;

  /** @param {string} name */
  const sheetOf = (name) => /** @type {typeof SHEETS[string]} */ (SHEETS[name]);

  /** @param {string} name */
  const form = (name) => {
    const { title, button: label, fields, call: made = (each) => each } = sheetOf(name);
    const onSubmit = (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      const typed = /** @type {HTMLInputElement | null} */ (/** @type {HTMLFormElement} */ (event.target).elements.namedItem("condition"));
      const meant = typed && completed(typed, view().gm?.conditions ?? []);
      if (meant) return mark(typed, meant, "is-long");
      sent = /** @type {HTMLFormElement} */ (event.target);
      const given = valuesOf(fields(view(), about), new FormData(sent));
      call({ kind: name, ...made(given, view(), kept.side) }, title, "sheet", (why) => {
        if (sent) heedRefused(sent, why);
        sent = undefined;
      });
    };
    const asked = fields(view(), about).map((field) => (field.name in kept ? { ...field, value: kept[field.name] } : field));
    return html`<form class="ck-form" aria-label=${title} @submit=${onSubmit} @keydown=${name === "add" ? submitOnEnter : inForm(shut)}>
      ${name === "add" ? folded(asked, prefix, html`<button class="ck-btn">${label}</button>`) : html`${folded(asked, prefix)}<div class="ck-last"><button class="ck-btn is-main">${label}</button></div>`}
    </form>`;
  };

  /** Closes the form that is open; the focus goes back to its button. */
  const shut = () => {
    const name = sheet;
    sheet = undefined;
    if (direct) return desk.close();
    draw();
    find(`.is-${name}`)?.focus();
  };

  /** The first field that is still to be filled in, else the first. */
  const first = () => find(`${FIELD}:invalid`) ?? find(FIELD);

  /**
   * Opens a form; the focus goes to the first field to be filled in, or to the shelf, which is the shorter way.
   *
   * @param {string | undefined} name
   * @param {string} [who] whom it is about, where it was opened from their card
   */
  const open = (name, who) => {
    sheet = name;
    direct = Boolean(who);
    about = who ?? desk.whom?.();
    draw();
    (find(".ck-more .ck-seek input") ?? first())?.focus();
  };

  return {
    open,
    shut,
    /** Whether it is the one that is open. @param {string} name */
    isOpen: (name) => sheet === name,
    /** Whether it leads back to no list. */
    isDirect: () => direct,
    /** What the open form is called. */
    title: () => sheet && sheetOf(sheet).title,
    /** The button that opens a form. @param {string} name */
    opener: (name) => {
      return button(sheetOf(name).title, () => open(sheet === name ? undefined : name), { kind: `is-${name}`, open: sheet === name });
    },
    /** The open form; it starts afresh where another ruleset asks for other things, and when it has come to something. */
    opened: () => repeat(sheet ? [sheet] : [], (name) => name + view().system + edition, form),
    dice: () =>
      html`<div class="ck-names" role="radiogroup" aria-label="Dice"><span class="ck-label">Dice</span>${DICE.map(
        ([mode, title]) =>
          html`<label class="ck-check"><input type="radio" name=${group} .checked=${(view().dice ?? "seeded") === mode}
            @change=${() => send({ kind: "dice", mode })} />${title}</label>`,
      )}</div>`,
    /** Called when what was sent has come to something; says whether the form is done with. */
    done: () => {
      if (!sent || !sheet) return false;
      const data = new FormData(sent);
      const isWide = sent.querySelector("details")?.open;
      sent = undefined;
      if (!sheetOf(sheet).stays) return true;
      // The next one is on the same side, as a rule, and begins at the name.
      kept = { side: data.get("side"), npc: data.has("npc") };
      edition += 1;
      draw();
      if (isWide) find(".ck-form:not(.is-sheet) details")?.toggleAttribute("open", true);
      first()?.focus();
      return false;
    },
  };
}
