/**
 * Puts something on the desk of the tracker around, in the place of the actions, or takes it away; says whether there is
 * a desk. See `Panel` of the budget.
 *
 * @param {HTMLElement} root
 * @param {import("../budget/view.js").Panel} panel
 */
export const onDesk = (root, panel) =>
  !root.dispatchEvent(new CustomEvent("ck-desk", { bubbles: true, cancelable: true, detail: panel }));
