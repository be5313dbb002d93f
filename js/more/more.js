/** More: what a game master does now and then, as a list of words; what it opens stands in its place. */
import { nothing } from "lit-html";

import { createDrop } from "../setup/drop.js";
import { createShelf } from "../setup/shelf.js";
import { icon } from "../shared/marks.js";
import { claim } from "../shared/press.js";
import { html, tr } from "../shared/tongue.js";
import { MADE } from "./forms.js";
import { FILES, save } from "./save.js";
import { createSettings } from "./settings.js";
import { createSheets } from "./sheets.js";
import { shortcuts } from "./shortcuts.js";

/** @import { Desk } from "../tracker/view.js" */

/** The forms, in the order of the list. */
const FORMS = ["join", "leave", "condition", "place", "trigger"];

/** @param {Desk} desk */
export function createMore(desk) {
  const { view, call, send, button, close, find, damage, card, make, say, ask } = desk;
  const again = desk.draw;
  const sheets = createSheets(desk);
  const settings = createSettings(desk, sheets.dice);
  /** @type {Record<string, [string, () => unknown]>} */
  const PANELS = { settings: ["Settings", settings.draw], shortcuts: ["Shortcuts", () => shortcuts(find(".ck-map"))] };
  /** What covers the body, if not the list or a form. @type {string | undefined} */
  let panel;
  /** The shelf, from which somebody may be brought in. @type {ReturnType<typeof createShelf> | undefined} */
  let shelf;
  const file = createDrop(desk);
  /** What became of the file that was saved last. */
  let word = "";

  /** Does something now; the list is done with. @param {() => void} act */
  const now = (act) => () => {
    close(true);
    act();
  };

  /** @param {string} name */
  const show = (name) => {
    panel = name;
    if (name === "settings") settings.look();
    again();
    find(".ck-more .ck-btn")?.focus();
  };

  /** Whether Escape leads back to the list first: from a form, which is short. */
  const isBelow = () => !panel && !sheets.isDirect();

  /** Who has left, each one click away from coming back. */
  const whoLeft = () => {
    const gone = view().gm?.gone ?? [];
    /** @param {string} name */
    const come = (name) => button(name, now(() => call({ kind: "join", name }, `Bring ${name} back`)), { name: `Bring ${name} back` });
    return gone.length ? html`<div class="ck-names" role="group" aria-label="Bring back"><span class="ck-label">Bring back</span>${gone.map(come)}</div>` : nothing;
  };

  /** @param {string} name @param {string} [letter] */
  const opens = (name, letter) =>
    button(PANELS[name]?.[0], () => show(name), { kind: `is-${name}`, letter, capped: true });

  /** What is being saved. @type {string | undefined} */
  let saving;

  /** @param {string} what */
  const take = async (what) => {
    if (saving) return;
    saving = what;
    again();
    const told = await save(ask, what, what === "page" ? desk.seen() : {}).then(
      (name) => `Saved ${name}.`,
      ({ reason, message }) => `Not saved: ${reason ?? message}`,
    );
    saving = undefined;
    word = told;
    again();
    say(told);
  };

  /** @param {[string, string, string]} file */
  const saver = ([what, title, kind]) => {
    const words = html`${title}<small class="ck-quiet">${saving === what ? "…" : kind}</small>`;
    return button(words, () => take(what), { kind: `is-${what}` });
  };

  /** @param {string} title @param {unknown[]} items */
  const group = (title, items) =>
    html`<div role="group" aria-label=${title}><span class="ck-label" aria-hidden="true">${title}</span>${items}</div>`;

  const list = () =>
    html`<div class="ck-more ck-over is-list" role="group" aria-label="More" @keydown=${onKey}>${
      view().mode === "play" && !view().task
        ? group("The fight", [
            ...FORMS.slice(0, 2).map(sheets.opener),
            button("Damage or heal", now(damage), { kind: "is-damage", letter: "D", capped: true }),
            button("Edit a sheet", now(card), { letter: "C", capped: true }),
            ...FORMS.slice(2).map(sheets.opener),
            view().second || find(".ck-map") ? nothing : button("Map", now(() => send({ kind: "map" })), { letter: "G", capped: true }),
            button(view().gm?.skip, now(() => call({ kind: "next_round" }, view().gm?.skip ?? ""))),
            button("End the fight", now(() => send({ kind: "finish" }))),
          ])
        : nothing
    }${view().mode === "play" && make ? group("This moment", Object.entries(MADE).map(([which, title]) => button(title, now(() => make(which))))) : nothing}${group("The table", [view().task ? nothing : opens("settings"), opens("shortcuts", "?")])}${group("Keep it", FILES.map(saver))}${word ? html`<p class="ck-why">${word}</p>` : nothing}</div>`;

  /** @param {KeyboardEvent} event */
  const out = (event) => {
    !panel && sheets.title() ? sheets.shut() : close();
    claim(event);
  };

  /** @param {KeyboardEvent} event */
  const onKey = (event) => {
    const { key } = event;
    if (key === "Escape") return out(event);
    if (!panel && !sheets.title() && (key === "ArrowDown" || key === "ArrowUp")) {
      const items = /** @type {HTMLElement[]} */ ([.../** @type {HTMLElement} */ (event.currentTarget).querySelectorAll(".ck-btn")]);
      const from = items.indexOf(/** @type {HTMLElement} */ (event.target));
      items.at((from + (key === "ArrowDown" ? 1 : -1)) % items.length)?.focus();
      claim(event);
    }
  };

  /** @param {string} title @param {string} kind @param {unknown} inner */
  const framed = (title, kind, inner) =>
    html`<div class="ck-more ck-over ${kind}" role="group" aria-label=${title} @keydown=${onKey}>
      <div class="ck-cap"><h4>${title}</h4>${button(isBelow() ? "Close" : html`Close<kbd class="ck-k" aria-hidden="true">Esc</kbd>`, () => close(), { kind: "is-bare" })}</div>${inner}
    </div>`;

  const draw = () => {
    const found = PANELS[panel ?? ""];
    if (found) return framed(found[0], "is-panel", found[1]());
    const title = sheets.title();
    if (!title) return list();
    const joins = sheets.isOpen("join");
    if (joins) shelf ??= createShelf(desk);
    if (!joins || !shelf) return framed(title, "is-form", sheets.opened());
    return framed(title, "is-join", html`${shelf.isHere() ? html`<div class="r">${shelf.show()}</div>` : nothing}<div class="l">${whoLeft()}<h4>By hand</h4>${sheets.opened()}${shelf.isHere() ? file.chooser() : nothing}</div>${file.review()}`);
  };

  /** @param {string} part @param {string} [who] */
  const go = (part, who) => {
    if (PANELS[part]) show(part);
    else if (FILES.some(([what]) => what === part)) take(part);
    else if (part === "menu") {
      panel = undefined;
      sheets.open(undefined);
      find(".ck-more .ck-btn")?.focus();
    } else sheets.open(part, who);
  };
  const done = () => {
    word = "";
    if (sheets.done()) close(true);
    file.done();
    if (panel === "settings") settings.look();
  };
  const told = () => (word ? { text: [tr(word)], sub: [], mark: icon("check", "l"), kind: "is-word" } : undefined);
  return { draw, done, go, out, word: told, heed: (/** @type {DragEvent | ClipboardEvent} */ event) => sheets.isOpen("join") && file.heed(event) };
}
