/** How this table plays: its dice, its keys, its readings of the rules, and the file that keeps the fight. */
import { nothing } from "lit-html";

import { submitOnEnter } from "../shared/enter.js";
import { items } from "../shared/rich.js";
import { html, tr } from "../shared/tongue.js";

/** @import { Desk } from "../tracker/view.js" */

/**
 * An option, as Python tells it.
 *
 * @typedef {{id: string, title: string, text: string, rules: string[], type: "switch" | "number" | "one" | "text", value: any,
 *   word: string, values: [any, string][]}} Reading
 *
 * @typedef {{unbegun: boolean, title: string, called: string, options: Reading[], seed: string, timer: boolean, journal: string, fight: string,
 *   given: string | null, fights: {fight: string, title: string, about: string}[]}} Known
 */

/**
 * A line: what it is about, and its control.
 *
 * @param {string} title
 * @param {unknown} about
 * @param {unknown} control
 */
const line = (title, about, control) =>
  html`<div class="ck-set-line"><span>${title}<small>${about}</small></span>${control}</div>`;

/** @param {string} title @param {boolean} on @param {(on: boolean) => void} turn */
const lever = (title, on, turn) =>
  html`<label class="ck-check"><input type="checkbox" role="switch" aria-label=${title} .checked=${on}
    @change=${(/** @type {any} */ { target }) => turn(target.checked)} /><span class="ck-quiet" aria-hidden="true">${tr(on ? "yes" : "no")}</span></label>`;

/**
 * @param {Desk} desk
 * @param {() => unknown} dice
 */
export function createSettings({ keys, folds, ask, send, button, say, find, ...desk }, dice) {
  const again = desk.draw;
  /** @type {Known | undefined} */
  let known;
  /** What became of the journal that was named. */
  let word = "";
  /** A journal that takes the place of a fight kept nowhere, once it is named again. @type {string | undefined} */
  let leaving;
  let asking = false;
  /** What is pressed once, and leaves a fight that no file keeps if pressed again. @type {string | undefined} */
  let sure;

  const look = () => {
    if (asking) return;
    asking = true;
    ask({ kind: "settings" }).then(
      (told) => {
        known = told;
        asking = false;
        again();
      },
      () => (asking = false),
    );
  };

  const letters = (/** @type {boolean} */ on) => {
    keys.turn(on);
    again();
  };

  const foldKinds = (/** @type {boolean} */ on) => {
    folds.turn(on);
    again();
  };

  /** What is refused is told here, and what stands is shown again. @param {{kind: string, [argument: string]: unknown}} intent */
  const change = (intent) => send(intent, "settings", look);

  /** @param {Reading} reading */
  const control = ({ id, title, type, value, word: said, values }) => {
    /** @param {unknown} to */
    const set = (to) => change({ kind: "anew", options: { [id]: to } });
    if (!known?.unbegun || type === "text" || desk.view().second) return html`<b>${said}</b>`;
    if (type === "switch") return lever(title, value, set);
    if (type === "number") {
      return html`<span class="ck-field"><input type="number" min="0" aria-label=${title} placeholder="no limit" .value=${String(value ?? "")}
        @change=${(/** @type {any} */ { target }) => target.value && set(Number(target.value))} /></span>`;
    }
    return html`<span class="ck-field"><select aria-label=${title}
      @change=${(/** @type {any} */ { target }) => set(values[target.selectedIndex]?.[0])}>${values.map(
        ([each, name]) => html`<option ?selected=${each === value}>${name}</option>`,
      )}</select></span>`;
  };

  /** @param {string} name @param {(form: HTMLFormElement) => void} act @param {unknown} inner */
  const form = (name, act, inner) =>
    html`<form class="ck-set-form" aria-label=${name} @keydown=${submitOnEnter} @submit=${(/** @type {any} */ event) => {
      event.preventDefault();
      act(event.target);
    }}>${inner}</form>`;

  const seed = () => {
    const { seed: value, unbegun } = /** @type {Known} */ (known);
    const set = (/** @type {HTMLFormElement} */ given) => change({ kind: "anew", seed: new FormData(given).get("seed") });
    return unbegun
      ? form(
          "Seed",
          set,
          html`<label class="ck-field">Seed<input name="seed" inputmode="numeric" autocomplete="off" .value=${value} /></label>
            <button class="ck-btn">Set</button>`,
        )
      : html`${line("Seed", "The dice follow from it; keep it from players", html`<b>${value}</b>`)}
          <div class="ck-pair">${anew("Run it again, same dice", { seed: value })}${anew("Run it again, new dice", {})}</div>`;
  };

  const called = () =>
    form(
      "Title",
      (given) => change({ kind: "title", title: String(new FormData(given).get("title") ?? "").trim() }),
      html`<label class="ck-field">Title<input name="title" maxlength="200" autocomplete="off" placeholder=${known?.fight} .value=${known?.called} /></label>
        <button class="ck-btn">Set</button>`,
    );

  /**
   * Begins again; a fight under way that no file keeps is left only when that is pressed twice.
   *
   * @param {string} title
   * @param {object} how
   */
  const anew = (title, how) => {
    const risky = desk.view().mode === "play" && !known?.journal;
    const press = () => {
      if (!risky || sure === title) change({ kind: "restart", ...how });
      else {
        sure = title;
        say("This fight isn't kept in a file. Press again to leave it.");
        again();
      }
    };
    return button(risky && sure === title ? "Leave this fight and run it again" : title, press);
  };

  const journal = () => {
    const { journal: kept, fight, given, fights } = /** @type {Known} */ (known);
    /** @param {HTMLFormElement} given */
    const name = async (given) => {
      const file = String(new FormData(given).get("name") ?? "").trim();
      const leave = leaving === file;
      const told = await ask({ kind: "journal", name: file, ...(leave && { leave }) }).catch((refused) => refused);
      leaving = told.reason && file;
      word = told.text ?? told.reason ?? String(told);
      say(word);
      look();
      again();
    };
    return html`<h5>Journal</h5>
      ${line(kept || "Not kept in a file", kept ? `${fight}: every step is saved before you see it` : `${fight} is lost when the kernel stops`, nothing)}
      ${fights.map((each) => line(each.title, each.about, button("Open", () => change({ kind: "fight", fight: each.fight }), { name: `Open ${each.title}` })))}
      ${form(
        "Journal",
        name,
        html`<label class="ck-field">${kept ? "Open another" : "File to keep it in, or to open"}<input name="name" required placeholder="friday.combat" autocomplete="off" /></label>
          <button class="ck-btn">${kept ? "Open" : "Keep or open"}</button>`,
      )}
      <p class="ck-why">${word || "A file in the notebook's folder."}</p>
      ${given ? html`<p class="ck-why">This is ${fight}; in the notebook it is <code>tracker.encounter</code>. The variable you started with still holds ${given}.</p>` : nothing}`;
  };

  const rules = () => {
    const { title, options, unbegun } = /** @type {Known} */ (known);
    return html`<section><div class="ck-cap"><h5>House rules</h5><span class="ck-label">${title}</span></div>
      ${options.map((reading) =>
        line(reading.title, [`${reading.text} `, items(reading.rules.slice(0, 1).map((rule) => ({ rule })))], control(reading)),
      )}
      <p class="ck-why">${desk.view().second ? "They are chosen in your notebook." : unbegun ? "A change sets the fight up again and keeps everybody in it." : "Chosen before the start; they can't change now."}</p></section>`;
  };

  const draw = () =>
    html`<div class="ck-settings"><section><h5>Table</h5>${dice()}
      ${line("Keyboard shortcuts", "Single letters, while combatkit has the focus", lever("Keyboard shortcuts", keys.on(), letters))}
      ${line("Fold those of one kind", "Where the ladder is long: whoever acts, is aimed at or was hurt stands apart", lever("Fold those of one kind", folds.on(), foldKinds))}
      ${known
        ? [
            line(
              "Turn timer",
              "Real time, in the header; the dice don't depend on it",
              lever("Turn timer", known.timer, (on) => change({ kind: "timer", on })),
            ),
            called(),
            desk.view().second ? nothing : [seed(), journal()],
          ]
        : nothing}</section>${known ? rules() : nothing}</div>`;
  return { draw, look };
}
