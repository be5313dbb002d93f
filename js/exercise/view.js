/** The goal of an exercise, its hints, and the button that checks it; the fights it is played in stand below. */
import { nothing, render } from "lit-html";

import { icon } from "../shared/marks.js";
import { english, rule } from "../shared/rich.js";
import { watchRules } from "../shared/rules.js";
import { voice } from "../shared/speech.js";
import { html, tr } from "../shared/tongue.js";

/** @import { Port } from "../shared/port.js" */
/** @import { ExerciseData, Checked } from "../shared/types.js" */

/**
 * Shows an exercise. Answers with a function that takes the next state.
 *
 * @param {HTMLElement} root
 * @param {Port} port
 * @param {{signal: AbortSignal}} place
 * @returns {(view: ExerciseData) => void}
 */
export function createExercise(root, port, { signal }) {
  const say = voice(root, false);
  /** @type {ExerciseData | undefined} */
  let view;

  /** @param {string} title @param {string} kind @param {string} [look] */
  const button = (title, kind, look = "") =>
    html`<button type="button" class="ck-btn ${look}" @click=${() => port.send({ kind }, ({ reason }) => say(reason))}>${title}</button>`;

  /** @param {Checked} verdict */
  const told = ({ passed, text }) => `${tr(passed ? "Well done." : "Not yet.")} ${text}`;

  /** @param {Checked} verdict */
  const verdictOf = (verdict) =>
    html`<div class="ck-verdict">
      <p>${icon(verdict.passed ? "check" : "cross")} <span><b>${verdict.passed ? "Well done." : "Not yet."}</b> ${verdict.text}</span></p>
      ${verdict.rules.map(([id, text]) => html`<p>${english(text)} ${rule(id)}</p>`)}
    </div>`;

  watchRules(root, port.ask, say, signal);
  return (next) => {
    const before = view;
    view = next;
    const { goal, hints, more, verdict } = next;
    render(
      html`<section class="ck-task" aria-label="Exercise">
        <div class="ck-goal">
          <h3 class="ck-clock">${goal}</h3>
          <div class="ck-do">${more ? button("Hint", "hint") : nothing}${button("Check", "check", "is-main")}</div>
        </div>
        ${hints.map((hint) => html`<p class="ck-hint">${hint}</p>`)} ${verdict ? verdictOf(verdict) : nothing}
      </section>`,
      root,
    );
    if (!before) return;
    if (verdict && JSON.stringify(verdict) !== JSON.stringify(before.verdict)) say(told(verdict));
    else if (hints.length > before.hints.length) say(hints.at(-1) ?? "");
  };
}
