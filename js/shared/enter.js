import { claim } from "./press.js";

/**
 * Enter in a field of a form goes on, as Tab does, to the next that must be filled in and is empty; with all filled in it
 * submits the form. Browsers do that by themselves, but JupyterLab takes Enter from the fields in its cells.
 *
 * @param {KeyboardEvent} event
 */
export function submitOnEnter(event) {
  if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
  claim(event);
  const { form } = event.target;
  const empty = /** @type {HTMLInputElement[]} */ ([...(form?.elements ?? [])]).filter((each) => each !== event.target && each.required && !each.value.trim() && !each.closest("details:not([open])"));
  const next = empty.find((each) => /** @type {Element} */ (event.target).compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING) ?? empty[0];
  if (next) next.focus();
  else form?.requestSubmit();
}

/**
 * What Escape does in a form that opened inside another thing: it leaves that form, and nothing around it hears.
 *
 * @param {() => void} leave
 * @returns {(event: KeyboardEvent) => void}
 */
export const leftByEscape = (leave) => (event) => {
  if (event.key !== "Escape") return;
  claim(event);
  leave();
};

/** Both: Enter goes on in a form, Escape leaves it. @param {() => void} leave @returns {(event: KeyboardEvent) => void} */
export const inForm = (leave) => (event) => {
  submitOnEnter(event);
  leftByEscape(leave)(event);
};
