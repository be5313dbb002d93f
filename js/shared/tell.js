/** How parts of one stage speak to each other: by events that rise to whatever stands around. */

/**
 * Tells what stands around, and answers whether it was heeded.
 *
 * @param {Element | null | undefined} from
 * @param {string} name
 * @param {unknown} [detail]
 */
export const tell = (from, name, detail) => Boolean(from) && !from?.dispatchEvent(new CustomEvent(name, { bubbles: true, cancelable: true, detail }));

/**
 * Hears of something, told or done, until that is over.
 *
 * @param {EventTarget} on
 * @param {string} name
 * @param {AbortSignal} signal
 * @param {(event: any) => unknown} act
 * @param {boolean} [capture] before what stands within hears of it
 */
export const listen = (on, name, signal, act, capture) => on.addEventListener(name, act, { signal, capture });

/**
 * Does what is told; who tells it need do no more, unless that gives false.
 *
 * @template T
 * @param {Element} outer
 * @param {string} name
 * @param {(detail: T) => unknown} act
 * @param {AbortSignal} signal
 */
export const hear = (outer, name, act, signal) =>
  listen(outer, name, signal, (event) => {
    if (act(event.detail) !== false) event.preventDefault();
  });
