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
