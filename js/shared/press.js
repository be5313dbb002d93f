/**
 * What a button does once: the second press of a double click, and a key that is held, belong to whatever stood there
 * before, not to what has come into its place.
 *
 * @param {(event: MouseEvent) => unknown} press
 * @returns {(event: MouseEvent) => void}
 */
export const once = (press) => (event) => {
  if (event.detail < 2) press(event);
};

/** Keeps a held Enter or Space from pressing again and again. @param {HTMLElement} root @param {AbortSignal} signal */
export const heedOnce = (root, signal) =>
  root.addEventListener(
    "keydown",
    (event) => {
      const { key, repeat, target } = event;
      if (repeat && (key === "Enter" || key === " ") && /** @type {HTMLElement} */ (target).closest("button")) event.preventDefault();
    },
    { capture: true, signal },
  );

/** What is pressed here is pressed for nobody else: neither the browser nor what stands around has a use for it. @param {Event} event */
export const claim = (event) => {
  event.preventDefault();
  event.stopPropagation();
};
