/**
 * Submits a form when Enter is pressed in one of its fields. Browsers do so by themselves, but JupyterLab takes Enter
 * from the fields in its cells.
 *
 * @param {KeyboardEvent} event
 */
export function submitOnEnter(event) {
  if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
  event.preventDefault();
  event.stopPropagation();
  event.target.form?.requestSubmit();
}

/**
 * What Escape does in a form that opened inside another thing: it leaves that form, and nothing around it hears.
 *
 * @param {() => void} leave
 * @returns {(event: KeyboardEvent) => void}
 */
export const leftByEscape = (leave) => (event) => {
  if (event.key !== "Escape") return;
  event.stopPropagation();
  leave();
};
