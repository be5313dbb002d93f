import { html as plainly, nothing, render } from "lit-html";

import { icon, side } from "../shared/marks.js";
import { english, rule } from "../shared/rich.js";
import { watchRules } from "../shared/rules.js";
import { voice } from "../shared/speech.js";
import { html, tr } from "../shared/tongue.js";

/** @import { Port } from "../shared/port.js" */
/** @import { QuizAnswer, QuizData, QuizEnd, QuizRung, QuizSlot } from "../shared/types.js" */

/** The icon of a place in the turn order; whoever has no other waits. @type {Record<string, string>} */
const STATUS = { acted: "check", now: "now", out: "down", ready: "ready" };

/** What is said to whoever goes on without a rule. */
const HALF = "Choose a rule first, or go on without an answer.";

/**
 * Asks the questions of a quiz, one at a time. Answers with a function that takes the next state.
 *
 * @param {HTMLElement} root
 * @param {Port} port
 * @param {{signal: AbortSignal}} place
 * @returns {(view: QuizData) => void}
 */
export function createQuiz(root, port, { signal }) {
  const say = voice(root, false);
  /** @type {QuizData} */
  let view;
  /** Whether "may not" was said, and a rule is asked for. */
  let refuses = false;
  /** Whether it was said that half an answer is none. */
  let warned = false;
  /** Whether the page is turned here, so that its head is to be seen. */
  let turning = false;

  const toEnd = () => {
    turning = true;
    port.send({ kind: "turn_to_end" }, ({ reason }) => say(reason));
  };

  /** @param {{kind: string, question?: number, allowed?: boolean, rule?: string}} message */
  const send = (message) => port.send({ question: view.at, ...message }, ({ reason }) => say(reason));

  /** @param {number} to */
  const turnTo = (to) => {
    turning = true;
    send({ kind: "turn_to", question: to });
  };

  /** Leaves a question; one that is answered by half says so first, once. @param {() => void} go */
  const leave = (go) => {
    if (view.end || view.answer || !refuses || warned) return go();
    warned = true;
    draw();
    say(HALF);
  };

  /**
   * A card that is tapped: what it says, whether it is right, whether it was chosen.
   *
   * @param {unknown} title @param {{right: boolean, picked: boolean, pick: () => void}} how
   */
  const card = (title, { right, picked, pick }) => {
    const done = view.answer !== undefined;
    return html`<button
      type="button"
      class="ck-answer ${done && right ? "is-right" : ""} ${picked ? "is-picked" : ""}"
      aria-pressed=${picked}
      aria-disabled=${done}
      @click=${() => (done ? undefined : pick())}
    >
      <span>${title}</span>
      <span class="v">${done && right ? html`${icon("check")} right` : done && picked ? html`${icon("cross")} your answer` : nothing}</span>
    </button>`;
  };

  const verdicts = () => {
    const { answer } = view;
    return html`<div class="ck-answers" role="group" aria-label="Answer">
      ${card("They may", {
        right: answer?.may === true,
        picked: answer?.allowed === true,
        pick: () => send({ kind: "answer", allowed: true, rule: "" }),
      })}
      ${card("They may not", {
        right: answer?.may === false,
        picked: answer ? !answer.allowed : refuses,
        pick: () => {
          refuses = true;
          draw();
          say("By which rule?");
          send({ kind: "refuse" });
        },
      })}
    </div>`;
  };

  const laws = () => {
    const { answer } = view;
    const right = new Set(answer?.may ? [] : answer?.because.map(([id]) => id));
    return html`<h5>By which rule?</h5>
      <div class="ck-answers" role="group" aria-label="Rule">
        ${view.laws.map(([id, text]) =>
          card(english(text), {
            right: right.has(id),
            picked: answer?.rule === id,
            pick: () => send({ kind: "answer", allowed: false, rule: id }),
          }),
        )}
      </div>`;
  };

  /** @param {QuizAnswer} answer */
  const result = ({ head, told, because, others }) =>
    html`<div class="ck-verdict">
        <p><b>${head}</b> ${told}</p>
        ${because.map(([id, text]) => html`<p>${english(text)} ${rule(id)}</p>`)}
      </div>
      ${others.length
        ? html`<h5>What other rulebooks say</h5>
            <ol class="ck-others">
              ${others.map(([title, text]) => plainly`<li lang="en"><b>${title}</b><span>${text}</span></li>`)}
            </ol>`
        : nothing}`;

  /** @param {QuizRung} rung */
  const place = ({ name, score, side: mark, status, state, asked }) =>
    html`<li class=${asked ? "is-asked" : ""}>
      <span class="s">${score}</span>${side(mark)}<span class="n">${name}</span>
      <span class="v">${icon(STATUS[status] ?? "wait")} ${state}</span>
    </li>`;

  /** @param {QuizSlot} slot */
  const left = ({ title, left: many, spent }) =>
    html`<li class=${spent ? "is-spent" : ""}><span>${title}</span><b>${many}</b></li>`;

  /** @param {boolean | null} right @param {number} index */
  const step = (right, index) => {
    const state = tr(index === view.at ? "now" : right === null ? "to come" : right ? "right" : "wrong");
    return html`<li>
      <button
        type="button"
        class=${index === view.at ? "is-at" : right === null ? "" : "is-done"}
        aria-label="${index + 1}: ${state}"
        aria-current=${index === view.at ? "step" : nothing}
        @click=${() => leave(() => turnTo(index))}
      >
        ${right === null || index === view.at ? index + 1 : right ? icon("check") : icon("cross")}
      </button>
    </li>`;
  };

  const foot = () =>
    html`<div class="ck-foot">
      ${view.hints.map((hint) => html`<p class="ck-hint">${hint}</p>`)}
      ${warned && !view.answer ? html`<p class="ck-hint">${tr(HALF)}</p>` : nothing}
      ${view.more && !view.answer
        ? html`<button type="button" class="ck-btn" @click=${() => send({ kind: "hint" })}>Hint</button>`
        : nothing}
      <button type="button" class="ck-btn ${view.answer ? "is-main" : ""}" @click=${() => leave(() => (view.at + 1 < view.strip.length ? turnTo(view.at + 1) : toEnd()))}>
        ${view.at + 1 < view.strip.length ? "Next question" : "How it went"}
      </button>
    </div>`;

  /** @param {QuizEnd} end */
  const last = ({ title, text, rows }) =>
    html`<section class="ck-lesson-end" aria-label="How it went">
      <p class="ck-q">${title}</p>
      <p>${text}</p>
      <ol class="ck-went">
        ${rows.map(
          ({ text: asked, right, told, rule: law }, index) =>
            html`<li>
              ${icon(right === null ? "wait" : right ? "check" : "cross")}
              <button type="button" @click=${() => turnTo(index)}>${index + 1}. ${asked}</button>
              <span class="v">${right === null ? "not answered" : right ? "right" : "not right"}</span>
              ${told ? html`<p>${told} ${law ? rule(law) : nothing}</p>` : nothing}
            </li>`,
        )}
      </ol>
    </section>`;

  const draw = () =>
    render(
      html`<section class="ck-quiz" aria-label="Quiz">
        <header class="ck-head">
          <h3 class="ck-clock">
            ${view.end ? (view.strip.includes(null) ? "So far" : "Done") : html`Question ${view.at + 1} <span class="t w">of ${view.strip.length}</span>`}
          </h3>
          <ol class="ck-strip" aria-label="Questions">
            ${view.strip.map(step)}
          </ol>
        </header>
        ${view.end ? last(view.end) : lesson()}
      </section>`,
      root,
    );

  const lesson = () =>
    html`<div class="ck-lesson">
          <section aria-label="The moment">
            <div class="ck-cap">
              <h4>${view.moment}</h4>
              <span class="ck-label" lang="en">${view.system}</span>
            </div>
            <ol class="ck-order" aria-label="Turn order">
              ${view.order.map(place)}
            </ol>
            <ol class="ck-left" aria-label="Left to spend">
              ${view.slots.map(left)}
            </ol>
          </section>
          <section aria-label="The question">
            ${view.note ? html`<p class="ck-hint">${view.note}</p>` : nothing}
            <p>${view.situation}</p>
            <p class="ck-q">${view.question}</p>
            ${verdicts()} ${(view.answer ? !view.answer.may || !view.answer.allowed : refuses) ? laws() : nothing} ${view.answer ? result(view.answer) : nothing}
            ${foot()}
          </section>
        </div>`;

  watchRules(root, port.ask, say, signal);
  return (next) => {
    if (next.at !== view?.at) {
      refuses = next.refuses;
      warned = false;
      if (view) say(next.end ? `${next.end.title}. ${next.end.text}` : `Question ${next.at + 1}. ${next.situation} ${next.question}`);
    } else if (next.answer && !view.answer) {
      say(`${next.answer.head} ${next.answer.told}`);
    } else if (next.hints.length > view.hints.length) {
      say(next.hints.at(-1) ?? "");
    }
    const turned = turning && next.at !== view?.at;
    view = next;
    draw();
    if (!turned) return;
    turning = false;
    root.querySelector(".ck-head")?.scrollIntoView({ block: "nearest" });
  };
}
