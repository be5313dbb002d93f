import { element, ownPrefix } from "./element.js";
import { tr } from "./tongue.js";

/** What a field lacks, in words. @param {HTMLInputElement} field */
const wordsOf = ({ validity, min, max }) => {
  if (validity.badInput || validity.stepMismatch) return "A whole number.";
  if (!validity.rangeUnderflow && !validity.rangeOverflow) return "Fill this in.";
  return max === "" ? `${min} or more.` : min === "" ? `${max} or less.` : `${min} to ${max}.`;
};

/**
 * Says beside a field why it can't be sent, where a browser would show a bubble of its own; the first one has the focus,
 * also if it is folded away.
 *
 * @param {Event} event
 */
export function heedWrong(event) {
  event.preventDefault();
  const field = /** @type {HTMLInputElement} */ (event.target);
  mark(field, wordsOf(field));
  if (field.form?.querySelector("input:invalid") === field) field.focus();
}

/**
 * Leads to the field that a refusal names, and calls it as the form does.
 *
 * @param {HTMLFormElement} form
 * @param {import("./port.js").Refusal} why
 */
export function heedRefused(form, why) {
  const fields = /** @type {HTMLInputElement[]} */ ([...form.elements]);
  const said = (/** @type {string} */ name) => [" is ", " holds ", ": "].map((word) => name + word).find((words) => `: ${why.reason}`.includes(`: ${words}`));
  const field = fields.find(({ name }) => name && said(name));
  if (!field) return;
  const title = [...(field.labels?.[0]?.childNodes ?? [])].map((node) => (node.nodeType === Node.TEXT_NODE ? node.textContent : "")).join("").trim();
  const words = /** @type {string} */ (said(field.name));
  if (title && title.toLowerCase() !== field.name) why.reason = why.reason.replace(words, title + words.slice(field.name.length));
  mark(field, why.reason, "is-long");
  field.focus();
}

/**
 * Puts the word that seems to be meant in the place of one half typed, and returns what to say of it. Who types theirs
 * once more means it.
 *
 * @param {HTMLInputElement} field
 * @param {string[]} words those there are
 */
export function completed(field, words) {
  const typed = field.value.trim();
  const meant = words.find((word) => word.toLowerCase().startsWith(typed.toLowerCase()));
  if (!typed || !meant || words.includes(typed) || field.dataset.own === typed) return undefined;
  field.dataset.own = typed;
  field.value = meant;
  field.select();
  return tr(`Did you mean ${meant}? Set it, or type “${typed}” once more.`);
}

/** Says beside a field what is wrong with it, until it is filled in otherwise. @param {HTMLInputElement} field @param {string} words @param {string} [kind] */
export function mark(field, words, kind = "") {
  const fold = field.closest("details");
  if (fold) fold.open = true;
  const says = field.parentElement?.querySelector(":scope > .ck-wrong") ?? element("small");
  says.id ||= ownPrefix();
  says.className = `ck-wrong ${kind}`;
  says.textContent = tr(words);
  says.ariaHidden = "true"; // it stands within the label, and describes the field: it is no part of the field's name
  field.after(says);
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-describedby", says.id);
  field.addEventListener(
    "input",
    () => {
      says.remove();
      field.removeAttribute("aria-invalid");
      field.removeAttribute("aria-describedby");
    },
    { once: true },
  );
}
