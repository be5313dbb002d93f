/** How the fields of the tracker's forms look. */
import { nothing, render } from "lit-html";

import { focusIn } from "../shared/focus.js";
import { html, within } from "../shared/tongue.js";
import { madeAs, typedOf, usualText } from "./fields.js";
import { rows, usedAs } from "./rows.js";

/** @import { Field } from "./fields.js" */

/** A title with more letters has the room of two. */
const LONG = 28;

/** @param {string} name @param {string} value @param {string} title @param {boolean} on @param {string} [label] tells it from others of the same title */
export const check = (name, value, title, on, label) =>
  html`<label class="ck-check ${title.length > LONG ? "is-long" : ""}"><input type="checkbox" name=${name} value=${value} aria-label=${label ?? nothing} ?checked=${on} />${title}</label>`;

/** What can be made of a moment. @type {Record<string, string>} */
export const MADE = { question: "Make a question", exercise: "Make an exercise" };

/** What somebody is in short. @param {unknown} text */
export const summary = (text) => html`<small>${text}</small>`;

/** @param {string} title @param {unknown} control @param {boolean} [wide] */
export const labelled = (title, control, wide) => html`<label class="ck-field ${wide ? "w2" : ""} ${title.length > LONG ? "is-long" : ""}" title=${title.length > LONG ? title : nothing}>${title}${control}</label>`;

/** @param {[string, string][]} options @param {string} [chosen] */
export const choices = (options, chosen) =>
  options.map(([value, title]) => html`<option value=${value} ?selected=${value === chosen}>${title}</option>`);

/** What is typed of attacks is said below: a bow without a range would be swung, and 20 may be no range. @param {Field} field */
const saysMade = (field) => (/** @type {{target: any}} */ { target }) => {
  const found = target.value.split(";").flatMap((/** @type {string} */ each) => madeAs(field, typedOf(field, each)) ?? []);
  const said = found.map((/** @type {ReturnType<typeof madeAs> & {}} */ made) => html`<span>${made.name}: ${usedAs(made, field.rangeless)}${made.range ? nothing : html`, as no range is given`}${made.more.map(([title, word]) => `, ${within(/** @type {string} */ (title.split(";")[0]))} ${word}`)}</span>`);
  const order = html`<span>typed in this order: ${(field.parts ?? []).map(([, title]) => within(/** @type {string} */ (title.split(";")[0]))).join(", ")}</span>`;
  render([said, found.every((/** @type {{range: string}} */ { range }) => range) ? nothing : order], target.closest(".ck-field").nextElementSibling);
};

/** @param {Field} field @param {string} prefix */
export const control = (field, prefix) => {
  const { name, title, type, options, usual, value, required = false, min, max, wide, example } = field;
  if (type === "rows") return rows(field);
  if (type === "check") return check(name, "on", title, Boolean(value ?? usual));
  if (type === "one") return labelled(title, html`<select name=${name} ?required=${required}>${choices(options ?? [], usualText(value))}</select>`);
  if (type === "several") {
    const boxes = (options ?? []).map(([value, label]) => check(name, value, label, false));
    return html`<div class="ck-names" role="group" aria-label=${title}><span class="ck-label">${title}</span>${boxes}</div>`;
  }
  const list = `${prefix}-${name}`;
  const isAttack = Boolean(field.rangeless);
  const box = labelled(
    title,
    html`<input name=${name} type=${type === "number" ? "number" : "text"} min=${min ?? nothing} max=${max ?? nothing}
      ?required=${required} pattern=${required && type === "text" ? ".*\\S.*" : nothing} placeholder=${example ?? usualText(usual)} value=${usualText(value) || nothing} autocomplete="off" list=${options ? list : nothing} @input=${isAttack ? saysMade(field) : nothing} />${
        options ? html`<datalist id=${list}>${choices(options)}</datalist>` : nothing
      }`,
    wide,
  );
  return isAttack ? html`${box}<small class="ck-made is-typed" role="status"></small>` : box;
};

/** What somebody unfolds comes into sight. @param {Event} event */
const onUnfold = ({ target }) => {
  const rest = /** @type {HTMLDetailsElement} */ (target);
  if (rest.open && focusIn(rest)) rest.scrollIntoView({ block: "nearest" });
};

/** Fields in sight first, the rest folded. @param {Field[]} fields @param {string} prefix @param {unknown} [between] */
export const folded = (fields, prefix, between) => {
  const rest = fields.filter((field) => field.rest).sort((one, other) => Number(other.type === "rows") - Number(one.type === "rows"));
  const [next, ...others] = rest.map(({ title }) => within(title).replace(/:.*/, ""));
  const told = others.length ? `${next}, ${others.length} more` : next;
  return html`${fields.filter((field) => !field.rest).map((field) => control(field, prefix))}${between ?? nothing}${
    rest.length
      ? html`<details class="ck-rest" @toggle=${onUnfold}><summary>More stats: ${told}</summary><div class="ck-form">${rest.map((field) => control(field, prefix))}</div></details>`
      : nothing
  }`;
};
