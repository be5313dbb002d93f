import { listen } from "./tell.js";

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
export const heedOnce = (root, signal) => {
  /** @param {KeyboardEvent} event */
  const onKey = (event) => {
    const { key, repeat, target } = event;
    if (repeat && (key === "Enter" || key === " ") && /** @type {HTMLElement} */ (target).closest("button")) event.preventDefault();
  };
  listen(root, "keydown", signal, onKey, true);
};

/** What is pressed here is pressed for nobody else: neither the browser nor what stands around has a use for it. @param {Event} event */
export const claim = (event) => {
  event.preventDefault();
  event.stopPropagation();
};

/** Whether a key is pressed by itself. @param {KeyboardEvent} event */
export const isPlain = ({ altKey, ctrlKey, metaKey }) => !altKey && !ctrlKey && !metaKey;

/**
 * What keys do in a range: those that it takes are for nobody around, and the page keys turn by large steps, on or back.
 *
 * @param {(way: 1 | -1) => void} turn
 * @returns {(event: KeyboardEvent) => void}
 */
export const inRange = (turn) => (event) => {
  if (!/^(Arrow|Home|End|Page)/.test(event.key) || !isPlain(event)) return;
  event.stopPropagation();
  if (!/^Page/.test(event.key)) return;
  event.preventDefault();
  turn(event.key === "PageUp" ? 1 : -1);
};
