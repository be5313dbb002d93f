/** @typedef {{base: number, revision: number, set: [string[], unknown][]}} Delta */

/**
 * Gives the view after a delta.
 *
 * What lies on a changed path is copied, once; everything else keeps its identity, so that a view can tell by it what
 * to draw again.
 *
 * @template {{revision: number}} T
 * @param {T} view
 * @param {Delta} delta
 * @returns {T}
 */
export function applyDelta(view, delta) {
  const copies = new Set();
  /** @param {any} node */
  const own = (node) => {
    if (copies.has(node)) return node;
    const copy = Array.isArray(node) ? [...node] : { ...node };
    copies.add(copy);
    return copy;
  };
  const next = own(view);
  for (const [path, value] of delta.set) {
    let node = next;
    for (const key of path.slice(0, -1)) node = node[key] = own(node[key]);
    const last = /** @type {string} */ (path.at(-1));
    if (value === null) delete node[last];
    else node[last] = value;
  }
  next.revision = delta.revision;
  return next;
}
