/**
 * Where a form begins: its first empty die, else what is still to be said, else what sends it, else what is chosen in it, else the first that is in sight.
 *
 * @param {Element | null | undefined} form
 */
const startOf = (form) => {
  const asks = /** @type {HTMLInputElement[]} */ ([...(form?.querySelectorAll("button, input") ?? [])]);
  const seen = asks.filter((each) => !each.closest("details:not([open])"));
  // Where an answer would be sent at once, or is let go, an Enter too many must not do it for the next who is asked.
  const due = seen.find((each) => each.closest("[data-due]"));
  const asked = due && /** @type {HTMLInputElement | null | undefined} */ (form?.closest("[data-window]")?.querySelector('[data-key][aria-pressed="true"], .is-more'));
  return seen.find((each) => each.matches(".ck-face") && !each.value) ?? asked ?? due ?? seen.find((each) => each.matches(".is-main:not([aria-disabled])")) ?? seen.find((each) => each.ariaPressed === "true") ?? seen[0];
};

/**
 * Goes to where a form begins, with all of it in sight.
 *
 * @param {Element | null | undefined} form
 */
export const enter = (form) => {
  form?.scrollIntoView({ block: "nearest" });
  startOf(form)?.focus();
};

/**
 * What has the focus in an element, if anything in it has.
 *
 * @param {Element} root
 */
export function focusIn(root) {
  const on = /** @type {Document} */ (root.getRootNode()).activeElement;
  return on instanceof HTMLElement && root.contains(on) ? on : null;
}

/**
 * Draws, and gives the focus back if that took it: an element that is moved loses it. What is gone leaves it to another.
 *
 * @param {Element} root
 * @param {() => void} draw
 * @param {() => HTMLElement | null | undefined} heir
 */
export function keepFocus(root, draw, heir) {
  const on = focusIn(root);
  draw();
  if (!on || focusIn(root)) return;
  (on.isConnected ? on : heir())?.focus({ preventScroll: true });
  // Where the heir is out of sight, what has happened is not.
  const shell = root.closest(".ck-shell");
  if (shell && !focusIn(shell)) /** @type {HTMLElement | null} */ (shell.querySelector(".ck-res"))?.focus();
}
