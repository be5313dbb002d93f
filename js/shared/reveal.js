import { whenLaid } from "./laid.js";

/**
 * Notes where all stands around something, up to the whole it is part of. Answers with what scrolls it there again.
 *
 * @param {Element | null} from
 * @param {Element} whole
 */
export const standing = (from, whole) => {
  /** @type {[Element, number][]} */
  const tops = [];
  for (let each = from; each && whole.contains(each); each = each.parentElement) tops.push([each, each.scrollTop]);
  return () =>
    whenLaid(() => {
      for (const [each, top] of tops) each.scrollTop = top;
    });
};

/**
 * Scrolls a long list, and nothing around it, to what is out of view in it. What slides to its place counts as there.
 *
 * @param {HTMLElement | null} list
 * @param {HTMLElement | null | undefined} item
 */
export function reveal(list, item) {
  if (!list || !item) return;
  // One that lies down is scrolled along.
  const left = item.offsetLeft - (item.offsetParent === list ? 0 : list.offsetLeft) - list.scrollLeft;
  if (left < 0 || left + item.offsetWidth > list.clientWidth) list.scrollLeft += left - list.clientWidth / 3;
  if (list.scrollHeight === list.clientHeight) return;
  const top = item.offsetTop - (item.offsetParent === list ? 0 : list.offsetTop) - list.scrollTop;
  if (top < 0 || top + item.offsetHeight > list.clientHeight) list.scrollTop += top - list.clientHeight / 3;
}
