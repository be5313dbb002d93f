/**
 * Scrolls a long list, and nothing around it, to what is out of view in it. What slides to its place counts as there.
 *
 * @param {HTMLElement | null} list
 * @param {HTMLElement | null | undefined} item
 */
export function reveal(list, item) {
  if (!list || !item || list.scrollHeight === list.clientHeight) return;
  const top = item.offsetTop - (item.offsetParent === list ? 0 : list.offsetTop) - list.scrollTop;
  if (top < 0 || top + item.offsetHeight > list.clientHeight) list.scrollTop += top - list.clientHeight / 3;
}
