import { tr } from "./tongue.js";

/**
 * Says something, in the place of what was said before. Without words it takes back what its speaker said last: whoever
 * reads the region later must not find old news.
 *
 * @typedef {(text: string, by?: unknown) => void} Say
 */

/**
 * The one voice of a widget: a polite live region of its own, or that of the widget it stands in.
 *
 * @param {HTMLElement} root
 * @param {boolean} part
 * @returns {Say}
 */
export function voice(root, part) {
  if (part) return (text) => void root.dispatchEvent(new CustomEvent("ck-say", { bubbles: true, detail: [text, root] }));
  const region = document.createElement("p");
  region.className = "ck-sr";
  region.setAttribute("role", "status");
  region.setAttribute("aria-live", "polite");
  root.before(region);
  /** @type {unknown} */
  let speaker;
  return (text, by) => {
    if (!text && speaker !== by) return;
    speaker = by;
    const words = tr(text);
    // The same words twice are news again only if the text differs.
    region.textContent = words && region.textContent === words ? `${words}\u00a0` : words;
  };
}
