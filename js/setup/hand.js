/** Somebody by hand: the form that adds one or several, and the one that changes a sheet before the fight. */
import { html, nothing } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";

import { COUNT, changesOf, sideField, statFields, valuesOf } from "../more/fields.js";
import { control } from "../more/forms.js";
import { leftByEscape, submitOnEnter } from "../shared/enter.js";

/** @import { Field } from "../more/fields.js" */
/** @import { Desk } from "../tracker/view.js" */
/** @import { Member } from "../shared/types.js" */

/** @type {Field} */
const NAME = { name: "name", title: "Name", type: "text", required: true };
/** @type {Field} */
const NPC = { name: "npc", title: "GM plays them", type: "check" };

/** @param {Desk} desk */
export function createHand({ prefix, view, send, button, draw, find }) {
  let isOpen = false;
  /** Whose sheet is open. @type {string | undefined} */
  let edited;
  /** What is under way: the form that was sent, or the sheet. @type {HTMLFormElement | "sheet" | undefined} */
  let sent;

  const recall = () => (sent = undefined);

  /** Fields in sight first, the rest folded. @param {Field[]} fields */
  const folded = (fields) => {
    const rest = fields.filter(({ first }) => !first);
    const [next, ...others] = rest.map(({ title }) => title.toLowerCase().replace(/:.*/, ""));
    const told = others.length ? `${next}, ${others.length} more` : next;
    return html`${fields.filter(({ first }) => first).map((field) => control(field, prefix))}${
      rest.length
        ? html`<details class="ck-rest"><summary>More stats: ${told}</summary><div class="ck-form">${rest.map((field) => control(field, prefix))}</div></details>`
        : nothing
    }`;
  };

  /** A field that cannot be is shown, though it is folded away. */
  const onInvalid = {
    capture: true,
    handleEvent: (/** @type {Event} */ { target }) => {
      const fold = /** @type {HTMLElement} */ (target).closest("details");
      if (fold) fold.open = true;
    },
  };

  /** @param {SubmitEvent} event */
  const onAdd = (event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    sent = form;
    const fields = [NAME, sideField(view().setup), COUNT, NPC, ...statFields(view().setup)];
    send({ kind: "add", ...valuesOf(fields, new FormData(form)) }, "hand", recall);
  };

  const form = () => html`<form class="ck-form" aria-label="By hand" @submit=${onAdd} @keydown=${submitOnEnter} @invalid=${onInvalid}>
    ${control({ ...NAME, wide: true }, prefix)}${[sideField(view().setup), COUNT].map((field) => control(field, prefix))}${control(NPC, prefix)}
    ${folded(statFields(view().setup))}<button class="ck-btn is-add">Add</button>
  </form>`;

  /** @param {string} name */
  const opener = (name) => find(`[data-edit="${CSS.escape(name)}"] > button`);

  const shut = () => {
    const name = /** @type {string} */ (edited);
    edited = undefined;
    draw();
    opener(name)?.focus();
  };

  /** @param {Member} member */
  const sheet = ({ name, stats }) => {
    const fields = statFields(view().setup, stats);
    const onSave = (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      const changed = changesOf(fields, new FormData(/** @type {HTMLFormElement} */ (event.target)));
      if (!Object.keys(changed).length) return shut();
      sent = "sheet";
      send({ kind: "edit", name, ...changed }, "sheet", recall);
    };
    const onKey = (/** @type {KeyboardEvent} */ event) => {
      submitOnEnter(event);
      leftByEscape(shut)(event);
    };
    return html`<form class="ck-form is-sheet" aria-label="Edit ${name}" @submit=${onSave} @keydown=${onKey} @invalid=${onInvalid}>
      ${folded(fields)}<div class="ck-pair"><button class="ck-btn">Save</button>${button("Cancel", shut)}</div></form>`;
  };

  return {
    /** The button that opens a member's sheet. @param {string} name */
    opener: (name) => {
      const toggle = () => {
        if (edited === name) return shut();
        edited = name;
        draw();
        find(".is-sheet :is(input, select)")?.focus();
      };
      return html`<span data-edit=${name}>${button("Edit", toggle, { name: `Edit ${name}`, kind: "is-bare", open: edited === name })}</span>`;
    },
    /** A member's sheet, where it is the one that is open. @param {Member} member */
    sheet: (member) => repeat(edited === member.name ? [member] : [], ({ name }) => name, sheet),
    form: () => {
      const toggle = () => {
        isOpen = !isOpen;
        draw();
        if (isOpen) find('[aria-label="By hand"] input')?.focus();
      };
      return html`<div class="ck-hand">${button("By hand", toggle, { kind: "is-fold", open: isOpen })}${
        // It starts afresh where another ruleset asks for other things.
        repeat(isOpen ? [view().system] : [], (system) => system, form)
      }</div>`;
    },
    /** Called when what was sent has come to something: the next one is on the same side, as a rule. */
    done: () => {
      const done = sent;
      sent = undefined;
      if (done === "sheet") shut();
      else if (done) {
        const kept = new FormData(done);
        const box = (/** @type {string} */ name) => /** @type {HTMLInputElement} */ (done.elements.namedItem(name));
        done.reset();
        box("side").value = String(kept.get("side"));
        box("npc").checked = kept.has("npc");
        box("name").focus();
      }
    },
  };
}
