/** A question or an exercise of the moment that is looked at, the present or a past one, as lines of Python to copy. */
import { nothing } from "lit-html";

import { copied } from "../shared/copied.js";
import { leftByEscape } from "../shared/enter.js";
import { icon } from "../shared/marks.js";
import { rule } from "../shared/rich.js";
import { html } from "../shared/tongue.js";
import { choices, labelled, MADE } from "./forms.js";

/** @import { Desk } from "../tracker/view.js" */
/** @import { MomentForm } from "../shared/types.js" */

/**
 * @param {Desk} desk
 * @param {() => void} close
 * @param {string} [first] what is made, if that was chosen already
 */
export function createMoment(desk, close, first) {
  const { ask, button, find, say } = desk;
  const again = desk.draw;
  /** What is made, if not the list is shown. @type {string | undefined} */
  let what;
  /** @type {MomentForm | undefined} */
  let form;
  /** Why nothing can be made, or that it was copied. */
  let word = "";
  let asked = 0;
  /** The last question: what is typed is asked as the field is left, by the very press that copies. */
  let looking = Promise.resolve();

  /** @param {object} changes */
  const askFor = async (changes) => {
    const number = (asked += 1);
    const { name, action, target, words } = { ...form, ...changes };
    const given = form ? { name, action, target, words } : {};
    try {
      const { kind: _, id: __, ...found } = await ask({ kind: "moment", what, ...given });
      if (number !== asked) return;
      form = /** @type {MomentForm} */ (found);
      word = "";
    } catch (refusal) {
      if (number === asked) word = /** @type {{reason: string}} */ (refusal).reason;
    }
    again();
  };

  /** Asks Python for the line. @param {object} [changes] */
  const look = (changes = {}) => (looking = askFor(changes));

  /** @param {string} which */
  const open = async (which) => {
    what = which;
    form = undefined;
    await look();
    find(".is-moment select")?.focus();
  };

  const copy = async () => {
    await looking;
    word = await copied(form?.line ?? "", /** @type {HTMLTextAreaElement | null} */ (find(".is-moment textarea")));
    again();
    say(word);
  };

  /** @param {string} title @param {keyof MomentForm} field @param {[string, string][]} options @param {string} chosen */
  const one = (title, field, options, chosen) =>
    labelled(title, html`<select @change=${(/** @type {any} */ { target }) => look({ [field]: target.value })}>${choices(options, chosen)}</select>`);

  /** @param {MomentForm} made */
  const body = ({ people, actions, targets, name, action, target, words, line, told, right, rule: id, why }) =>
    html`<div class="ck-form">
        ${one("Who", "name", people.map((each) => [each, each]), name)} ${one("Action", "action", actions, action)}
        ${targets.length ? one("Target", "target", targets.map((each) => [each, each]), target) : nothing}
        ${what === "exercise"
          ? labelled(
              "Goal in a sentence",
              html`<input .value=${words} placeholder=${told ?? ""} autocomplete="off" @change=${(/** @type {any} */ box) => look({ words: box.target.value })} />`,
              true,
            )
          : nothing}
      </div>
      <p>${told}</p>
      ${right ? html`<p class="ck-quiet">${right} ${id ? rule(id) : nothing}</p>` : nothing}
      ${why
        ? html`<p class="ck-why">${icon("slash")} ${why}</p>`
        : html`<div><textarea class="ck-lines" readonly rows="8" aria-label="Lines of Python" .value=${line}></textarea></div>
            <div class="ck-last">${word ? html`<span class="ck-quiet">${word}</span> ` : nothing}${button("Copy", copy, { kind: "is-main" })}</div>`}`;

  const onKey = leftByEscape(close);
  if (first) open(first);

  const draw = () =>
    what
        ? html`<div class="ck-more ck-over is-form is-moment" role="group" aria-label=${MADE[what]} @keydown=${onKey}>
            <div class="ck-cap"><h4>${MADE[what]}</h4>${button(html`Close<kbd class="ck-k" aria-hidden="true">Esc</kbd>`, close, { kind: "is-bare" })}</div>
            ${form ? body(form) : html`<p class="ck-why">${word}</p>`}
          </div>`
        : html`<div class="ck-more ck-over is-list is-moment" role="group" aria-label="More" @keydown=${onKey}>
            <div role="group" aria-label="This moment">
              <span class="ck-label" aria-hidden="true">This moment</span>
              ${Object.entries(MADE).map(([which, title]) => button(title, () => open(which)))}
            </div>
          </div>`;
  return { draw };
}
