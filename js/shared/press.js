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
