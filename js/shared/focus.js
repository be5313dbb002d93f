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
  if (on && !focusIn(root)) (on.isConnected ? on : heir())?.focus({ preventScroll: true });
}
