import { element } from "./element.js";
import { tell } from "./tell.js";
import { tr } from "./tongue.js";

/**
 * Says something, in the place of what was said before. Without words it takes back what its speaker said last: whoever
 * reads the region later must not find old news. What is in a language of its own, as rules are, is said as it stands.
 *
 * @typedef {(text: string, by?: unknown, lang?: string) => void} Say
 */

/**
 * The one voice of a widget: a polite live region of its own, or that of the widget it stands in.
 *
 * @param {HTMLElement} root
 * @param {boolean} part
 * @returns {Say}
 */
export function voice(root, part) {
  if (part) return (text, _, lang) => void tell(root, "ck-say", [text, root, lang]);
  const region = element("p", { className: "ck-sr", role: "status", ariaLive: "polite" });
  root.before(region);
  /** @type {unknown} */
  let speaker;
  return (text, by, lang) => {
    if (!text && speaker !== by) return;
    speaker = by;
    const words = lang ? text : tr(text);
    region.toggleAttribute("lang", Boolean(lang));
    if (lang) region.lang = lang;
    // The same words twice are news again only if the text differs.
    region.textContent = words && region.textContent === words ? `${words}\u00a0` : words;
  };
}
