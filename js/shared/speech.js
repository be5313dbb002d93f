/**
 * The one voice of a widget: a polite live region of its own, or that of the widget it stands in.
 *
 * @param {HTMLElement} root
 * @param {boolean} part
 * @returns {(text: string) => void}
 */
export function voice(root, part) {
  if (part) return (text) => void root.dispatchEvent(new CustomEvent("ck-say", { bubbles: true, detail: text }));
  const region = document.createElement("p");
  region.className = "ck-sr";
  region.setAttribute("role", "status");
  region.setAttribute("aria-live", "polite");
  root.before(region);
  return (text) => {
    // The same words twice are news again only if the text differs.
    region.textContent = region.textContent === text ? `${text}\u00a0` : text;
  };
}
