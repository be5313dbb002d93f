import { render } from "lit-html";

import { element } from "./element.js";
import { claim } from "./press.js";
import { english } from "./rich.js";
import { listen } from "./tell.js";
import { html } from "./tongue.js";

/** @import { Port } from "./port.js" */

/**
 * Opens a rule's words beside its mark when the mark is pressed, or those of all rules that a mark stands for, their ids
 * apart by spaces; Escape closes them and gives the focus back.
 *
 * The words stand next to their mark in the document and in the top layer on the screen, so that no scrolling part of
 * a widget cuts them off.
 *
 * @param {HTMLElement} root
 * @param {Port["ask"]} ask
 * @param {import("./speech.js").Say} say
 * @param {AbortSignal} signal
 */
export function watchRules(root, ask, say, signal) {
  /** @type {Record<string, Promise<{text: string, locator?: string, disputed?: boolean}>>} */
  const known = {};
  /** @type {{mark: HTMLElement, note: HTMLElement} | undefined} */
  let open;
  /** The mark whose words a press of the pointer has just closed, by going elsewhere: on the mark itself that is all it does.
   * @type {HTMLElement | undefined} */
  let pressed;

  const close = () => {
    const last = open;
    open = undefined;
    last?.mark.setAttribute("aria-expanded", "false");
    last?.mark.style.removeProperty("anchor-name");
    last?.note.remove();
  };

  /** @param {string} id */
  const find = (id) =>
    (known[id] ??= ask({ kind: "rule", rule: id }).catch((refusal) => {
      delete known[id];
      return { text: refusal.reason };
    }));

  /** @param {HTMLElement} mark */
  const show = async (mark) => {
    const ids = /** @type {string} */ (mark.dataset.rule).split(" ");
    const found = await Promise.all(ids.map(find));
    if (!mark.isConnected || signal.aborted) return;
    close();
    const note = element("span", { className: "ck-pop", popover: "auto" });
    note.addEventListener("toggle", (event) => {
      if (/** @type {ToggleEvent} */ (event).newState === "closed" && open?.note === note) close();
    });
    render(
      found.map(
        ({ text, locator, disputed }) => html`${english(text)}
        <small class="ck-quiet">${english(locator ?? "")} ${disputed ? "A disputed reading." : ""}</small>`,
      ),
      note,
    );
    mark.after(note);
    mark.setAttribute("aria-expanded", "true");
    mark.style.setProperty("anchor-name", "--ck-rule-mark");
    open = { mark, note };
    note.showPopover();
    say(found.map(({ text }) => text).join(" "), undefined, "en");
  };

  listen(root, "click", signal, (event) => {
    const mark = event.target.closest("[data-rule]");
    if (!mark || event.defaultPrevented) return;
    event.preventDefault();
    if (open?.mark === mark) close();
    else if (pressed !== mark) show(mark);
    pressed = undefined;
  });
  listen(root, "pointerdown", signal, () => (pressed = open?.mark), true);
  /** @param {KeyboardEvent} event */
  const onKey = (event) => {
    if (event.key !== "Escape" || !open) return;
    const { mark } = open;
    claim(event);
    close();
    mark.focus();
  };
  listen(root, "keydown", signal, onKey, true);
}
