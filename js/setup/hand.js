/** The sheet of somebody who is in, where they stand: name, side, stats. */
import { html } from "../shared/tongue.js";
import { repeat } from "lit-html/directives/repeat.js";

import { NAME, changesOf, sideField, statFields } from "../more/fields.js";
import { folded } from "../more/forms.js";
import { inForm } from "../shared/enter.js";
import { heedRefused } from "../shared/wrong.js";

/** @import { Desk } from "../tracker/view.js" */
/** @import { Member } from "../shared/types.js" */

/** @param {Desk} desk */
export function createHand({ prefix, view, send, button, draw, find }) {
  /** Whose sheet is open. @type {string | undefined} */
  let edited;
  /** What they are called once what was sent has come to something. @type {string | undefined} */
  let sent;

  /** @param {string} [name] */
  const shut = (name = edited) => {
    edited = sent = undefined;
    draw();
    find(`[data-edit="${CSS.escape(String(name))}"] > button`)?.focus();
  };

  /** @param {Member} member */
  const sheet = ({ name, side, stats }) => {
    const { setup } = view();
    const whose = setup?.sides?.[side]?.name;
    const fields = [{ ...NAME, value: name }, { ...sideField(setup), value: whose }, ...statFields(setup, stats)];
    const onSave = (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      const { name: called = name, side: to = whose, ...changed } = changesOf(fields, new FormData(/** @type {HTMLFormElement} */ (event.target)));
      const isSame = called === name && to === whose;
      if (isSame && !Object.keys(changed).length) return shut();
      sent = String(called);
      const form = /** @type {HTMLFormElement} */ (event.target);
      send({ ...(isSame ? { kind: "edit", name } : { kind: "sheet", name, called, side: to }), ...changed }, "sheet", (why) => {
        sent = undefined;
        heedRefused(form, why);
      });
    };
    return html`<form class="ck-form is-sheet" aria-label="Edit ${name}" @submit=${onSave} @keydown=${inForm(() => shut())}>
      ${folded(fields, prefix)}<div class="ck-pair"><button class="ck-btn">Save</button>${button("Cancel", () => shut())}</div></form>`;
  };

  return {
    /** The button that opens a member's sheet. @param {string} name */
    opener: (name) => {
      const toggle = () => {
        if (edited === name) return shut();
        edited = name;
        draw();
        find(".is-sheet")?.closest("li")?.scrollIntoView({ block: "start" });
        find(".is-sheet :is(input, select)")?.focus({ preventScroll: true });
      };
      return html`<span data-edit=${name}>${button("Edit", toggle, { name: `Edit ${name}`, kind: "is-bare", open: edited === name })}</span>`;
    },
    /** A member's sheet, where it is the one that is open. @param {Member} member */
    sheet: (member) => repeat(edited === member.name ? [member] : [], ({ name }) => name, sheet),
    /** Called when what was sent has come to something. */
    done: () => {
      if (sent !== undefined) shut(sent);
    },
  };
}
