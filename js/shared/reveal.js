/**
 * Scrolls a long list, and nothing around it, to what is out of view in it.
 *
 * @param {Element | null} list
 * @param {Element | null | undefined} item
 */
export function reveal(list, item) {
  if (!list || !item || list.scrollHeight === list.clientHeight) return;
  const outer = list.getBoundingClientRect();
  const inner = item.getBoundingClientRect();
  if (inner.top < outer.top || inner.bottom > outer.bottom) list.scrollTop += inner.top - outer.top - outer.height / 3;
}
