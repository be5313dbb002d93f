/** Things alike that one field holds, weapons above all: a line of boxes for each, and a button for one more. */
import { nothing, render } from "lit-html";
import { Directive, directive } from "lit-html/directive.js";
import { repeat } from "lit-html/directives/repeat.js";

import { element } from "../shared/element.js";
import { icon } from "../shared/marks.js";
import { html, tr, within } from "../shared/tongue.js";
import { madeAs } from "./fields.js";

/** @import { Field } from "./fields.js" */

/** How an attack is made. @param {{range: string}} made @param {string} [rangeless] */
export const usedAs = ({ range }, rangeless) => (!range ? rangeless : ["melee", tr("melee").toLowerCase()].includes(range.toLowerCase()) ? html`melee` : html`ranged`);

class Rows extends Directive {
  /** The lines, each with a number of its own. @type {{key: number, row: Record<string, unknown>}[] | undefined} */
  lines;
  key = 0;
  el = element("div", { className: "ck-arms", role: "group" });

  /** @param {Field} field */
  render(field) {
    const lines = (this.lines ??= /** @type {Record<string, unknown>[]} */ (field.value ?? []).map((row) => ({ key: this.key++, row: { ...row } })));
    const { name, title, parts = [] } = field;
    const one = within(title).replace(/s$/, "");
    /** @param {typeof lines} after @param {string} next */
    const change = (after, next) => {
      this.lines = after;
      this.render(field);
      /** @type {HTMLElement | null} */ (this.el.querySelector(next))?.focus();
    };
    const add = () => change([...lines, { key: this.key++, row: {} }], "tr:last-child input");
    /** @param {{key: number, row: Record<string, unknown>}} line @param {number} index */
    const line = ({ key, row }, index) => {
      const onInput = (/** @type {any} */ { target }) => {
        row[target.name.split(":")[1]] = target.value;
        this.render(field);
      };
      /** Room for what is typed: a table takes a field's own width for none. @param {unknown} text */
      const room = (text) => `min-inline-size:calc(${1.3 * String(text ?? "").length}ch + 28px)`;
      const made = madeAs(field, parts.map(([id, , type]) => (type === "bool" ? row[id] && id : row[id])));
      const out = () => change(lines.filter((each) => each.key !== key), ".is-new");
      return html`<tr @input=${onInput}>${parts.map(
        ([id, label, type], at) =>
          type === "bool"
            ? html`<td><select class="ck-field" name="${name}:${id}" aria-label="${label} of ${one} ${index + 1}"><option value="" ?selected=${!row[id]}>no</option><option ?selected=${Boolean(row[id])}>yes</option></select></td>`
            : html`<td .style=${at ? room(row[id]) : ""}><input class="ck-field" name="${name}:${id}" aria-label="${label} of ${one} ${index + 1}" placeholder=${label} size=${at ? 4 : 12} value=${row[id] ?? nothing} autocomplete="off" /></td>`,
      )}${field.rangeless ? html`<td class="ck-made">${made && usedAs(made, field.rangeless)}</td>` : nothing}<td><button type="button" class="ck-btn is-bare is-icon" aria-label="Remove ${row.name ?? `${one} ${index + 1}`}" @click=${out}>${icon("cross")}</button></td></tr>`;
    };
    this.el.ariaLabel = tr(title);
    const table = html`<table><thead><tr>${parts.map(([, label]) => html`<th scope="col">${label}</th>`)}<td></td>${field.rangeless ? html`<td></td>` : nothing}</tr></thead><tbody>${repeat(lines, ({ key }) => key, line)}</tbody></table>`;
    render([lines.length ? table : nothing, html`<button type="button" class="ck-btn is-new" @click=${add}>Add a ${one}</button>`], this.el);
    return this.el;
  }
}

export const rows = directive(Rows);
