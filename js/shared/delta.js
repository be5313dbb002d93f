/**
 * A path and the value to put there, null to take the key away; a key may be a list of keys, and the value goes to each.
 * With a start and a count, the value is a list whose items take the place of so many in the list at the path.
 * @typedef {[(string | string[])[], unknown, number?, number?]} Entry
 * @typedef {{base: number, revision: number, set: Entry[]}} Delta
 */

/**
 * Gives the view after a delta.
 *
 * Of a part that `newest` names only so many keys stay, the highest numbers.
 *
 * What lies on a changed path is copied, once; everything else keeps its identity, so that a view can tell by it what
 * to draw again.
 *
 * @template {{revision: number, newest?: Record<string, number>}} T
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
  /** @param {any} node @param {Entry[0]} path @param {any} value @param {number} [start] @param {number} [count] */
  const put = (node, [keys, ...rest], value, start, count) => {
    for (const key of /** @type {string[]} */ ([keys].flat())) {
      if (rest.length || start !== undefined) node[key] = own(node[key]);
      if (rest.length) put(node[key], rest, value, start, count);
      else if (start !== undefined) node[key].splice(start, count, ...value);
      else if (value === null) delete node[key];
      else node[key] = value;
    }
  };
  for (const [path, value, start, count] of delta.set) put(next, path, value, start, count);
  for (const [part, most] of Object.entries(next.newest ?? {})) {
    const old = Object.keys(next[part]).slice(0, -most);
    if (old.length) next[part] = own(next[part]);
    for (const key of old) delete next[part][key];
  }
  next.revision = delta.revision;
  return next;
}
