/** How the fields of the tracker's forms look. */
import { html, nothing } from "lit-html";

import { usualText } from "./fields.js";

/** @import { Field } from "./fields.js" */

/** @param {string} name @param {string} value @param {string} title @param {boolean} on */
export const check = (name, value, title, on) =>
  html`<label class="ck-check"><input type="checkbox" name=${name} value=${value} ?checked=${on} />${title}</label>`;

/** @param {string} title @param {unknown} control @param {boolean} [wide] */
export const labelled = (title, control, wide) => html`<label class="ck-field ${wide ? "w2" : ""}">${title}${control}</label>`;

/** @param {[string, string][]} options @param {string} [chosen] */
export const choices = (options, chosen) =>
  options.map(([value, title]) => html`<option value=${value} ?selected=${value === chosen}>${title}</option>`);

/** @param {Field} field @param {string} prefix */
export const control = ({ name, title, type, options, usual, value, required = false, min, max, wide, hint }, prefix) => {
  if (type === "check") return check(name, "on", title, Boolean(value ?? usual));
  if (type === "one") return labelled(title, html`<select name=${name}>${choices(options ?? [])}</select>`);
  if (type === "several") {
    const boxes = (options ?? []).map(([value, label]) => check(name, value, label, false));
    return html`<div class="ck-names" role="group" aria-label=${title}><span class="ck-label">${title}</span>${boxes}</div>`;
  }
  const list = `${prefix}-${name}`;
  const field = labelled(
    title,
    html`<input aria-describedby=${hint ? `${list}-hint` : nothing} name=${name} type=${type === "number" ? "number" : "text"} min=${min ?? nothing} max=${max ?? nothing}
      ?required=${required} pattern=${required && type === "text" ? ".*\\S.*" : nothing} placeholder=${usualText(usual)} value=${usualText(value) || nothing} autocomplete="off" list=${options ? list : nothing} />${
        options ? html`<datalist id=${list}>${choices(options)}</datalist>` : nothing
      }`,
    wide,
  );
  return hint ? [field, html`<p class="ck-quiet w2" id="${list}-hint">${hint}</p>`] : field;
};
