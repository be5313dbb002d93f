/** The zone under the header: what has happened, what is asked, what was refused; two rows that never grow. */
import { nothing } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";

import { CUT } from "../shared/adapter.js";
import { icon, token } from "../shared/marks.js";
import { middle } from "../shared/name.js";
import { claim, once } from "../shared/press.js";
import { plain, rich, rules } from "../shared/rich.js";
import { html, tr } from "../shared/tongue.js";
import { follows, playOn, WAYS } from "../shared/way.js";

/** @import { Intent, Refusal } from "../shared/port.js" */
/** @import { Asked, Fell, Owed, Parts, TrackerData } from "../shared/types.js" */
/** @import { Desk } from "./view.js" */

/**
 * What stands there.
 *
 * @typedef {object} Shown
 * @property {Parts} text
 * @property {Parts} [sub]
 * @property {unknown} [mark]
 * @property {string[]} [cited]
 * @property {string} [kind]
 * @property {unknown} [acts]
 *
 * @typedef {{isCut?: boolean, refused?: Refusal & {allow?: () => void}, question?: import("../form/form.js").Question, word?: Shown}} Besides
 */

/** What can be said of whoever has fallen, in the language of the fight. @returns {[string, unknown][]} */
const standings = () => [
  ["down", html`${icon("cross")}Down`],
  ["dead", "Dead"],
  ["on", "Fights on"],
];

/** A choice of few, beside each other. @param {string} label @param {[string, unknown][]} options @param {string} chosen @param {(id: string) => void} choose */
export const pair = (label, options, chosen, choose) =>
  html`<div class="ck-pair" role="radiogroup" aria-label=${label}>${options.map(
    ([id, title]) => html`<button type="button" class="ck-btn" role="radio" aria-checked=${id === chosen ? "true" : "false"} @click=${once(() => choose(id))}>${title}</button>`,
  )}</div>`;

/** The die of a natural 20, with rays that run out once. */
const twenty = html`<svg class="ck-twenty" viewBox="0 0 40 40" aria-hidden="true"><rect x="7" y="7" width="26" height="26" rx="5" /><text x="20" y="25">20</text><path
  d="M20 5V1M20 39v-4M5 20H1M39 20h-4M9 9L6 6M34 34l-3-3M31 9l3-3M6 34l3-3" /></svg>`;

/** What a seat asks first; it may be what an open window waits for, and comes after what that asks the GM. @param {TrackerData} view */
export const requestOf = ({ windows: [window] = [], ready: [request] = [], players }) => (players || window?.question ? undefined : request);

/**
 * @param {{button: Desk["button"], send: Desk["send"], say: Desk["say"], seek: (seq: number | null) => void, rest: () => void}} lent
 */
export function createResult({ button, send, say, seek, rest }) {
  /** @param {Fell} fell */
  const fallen = ({ name, stands }) => {
    /** @param {string} to */
    const settle = (to) => {
      // That they stand as they do is an answer too.
      if (to === "dead" || to === stands) send({ kind: "condition", name, condition: to });
      else send({ kind: "condition", name, condition: stands, off: true });
    };
    // Of several who have fallen it is the first who is asked about.
    return html`<span class="ck-whom"><small aria-hidden="true">${middle(name)}</small>${pair(`How ${name} stands`, standings(), stands, settle)}</span>`;
  };

  /** Nobody has said how much somebody who is hit loses. @param {Owed} owed @param {TrackerData} view */
  const harm = ({ name, attacker }, { dice, seat }) => {
    /** @param {Event} event */
    const deal = ({ currentTarget }) => {
      const box = /** @type {HTMLInputElement} */ (/** @type {HTMLElement} */ (currentTarget).parentElement?.querySelector("input"));
      const amount = box.value.trim();
      if (dice === "table" ? !/^\d+$/.test(amount) : !amount) return say("Type what was rolled.");
      // What is asked next may stand in the same box.
      box.value = "";
      send({ kind: "damage", names: [name], attacker, amount }, "", () => (box.value = amount));
    };
    /** @param {KeyboardEvent} event */
    const onKey = (event) => {
      if (event.key === "Escape") rest();
      if (event.key !== "Enter") return;
      claim(event);
      deal(event);
    };
    const asks = `How much does ${name} lose?`;
    // A phone's keys may have no Enter.
    return html`<span class="ck-asked"><label @keydown=${onKey}><span class="ck-quiet">${seat ? asks : "How much?"}</span> <input class="ck-field is-short" autocomplete="off" inputmode=${dice === "table" ? "numeric" : nothing}
      data-owed aria-label=${asks} placeholder="?" /></label>${seat ? html`<button type="button" class="ck-btn is-main" @click=${deal}>Damage</button><button type="button" class="ck-btn" @click=${once(() => send({ kind: "leave_open", name, attacker }))}>Leave it to the GM</button>` : nothing}</span>`;
  };

  /**
   * What answers a question of the GM's: one press; where several may be the answer, their names are ticked first.
   *
   * @param {Asked} asked
   * @param {string[]} [names]
   */
  const choices = ({ choices: all = [], many }, names = []) => {
    const few = many && all.length > 1 ? all.filter(([value]) => names.includes(String(value))) : [];
    /** @param {MouseEvent} event */
    const take = ({ currentTarget }) => {
      const boxes = /** @type {HTMLElement} */ (currentTarget).parentElement?.querySelectorAll("input:checked") ?? [];
      const answer = [...boxes].map((box) => /** @type {HTMLInputElement} */ (box).value);
      answer.length ? send({ kind: "resolve", answer }) : say("Tick at least one.");
    };
    return [
      few.map(([value, title]) => html`<label class="ck-check"><input type="checkbox" value=${value} />${title}</label>`),
      few.length ? html`<button type="button" class="ck-btn" @click=${once(take)}>These</button>` : nothing,
      all.filter((each) => !few.includes(each)).map(([answer, title]) => button(title, () => send({ kind: "resolve", answer }))),
    ];
  };

  /** @param {TrackerData} view @returns {Shown} */
  const past = ({ past: travel }) => {
    const { at, events, fork, way, label, call } = travel ?? { events: 0, at: null };
    return {
      ...{ text: [tr(`You are at event ${at} of ${events}.`), label ? ` ${label}.` : ""], mark: icon("back", "l"), kind: "is-word" },
      // Where play may go on from here, the button says after what.
      sub: [call && !fork ? tr(`In the middle of ${call}. `) : "", tr(follows(fork))],
      acts: [
        button("Back to now", () => seek(null)),
        way ? button(WAYS[way[0]], () => send({ kind: way[0], to: way[1] })) : nothing,
        fork ? button(playOn({ call }), () => send({ kind: "branch", seq: fork })) : nothing,
      ],
    };
  };

  /** @param {TrackerData} view @param {Besides} besides @returns {Shown | undefined} */
  const shown = (view, { isCut, refused, question, word }) => {
    if (isCut) return { text: [tr(CUT)], sub: [tr("Until then nothing can be done here.")], mark: icon("plug", "l"), kind: "is-word" };
    const { mode, windows: [window] = [], result } = view;
    const owed = mode === "play" ? result?.owed : undefined;
    // Play that has stopped asks the next by itself: how much the last answer takes comes before that.
    const asks = mode === "play" && !(owed && window) ? question : undefined;
    const then = mode === "past" && !view.players ? past(view) : undefined;
    if (refused) {
      const { allow, reason, rule } = refused;
      return {
        ...{ text: [reason], sub: [tr("Nothing has changed. "), ...(rule ? [{ rule }] : [])], mark: icon("slash", "l"), kind: "is-word" },
        // What was asked can be answered still, and the past can be left.
        acts: allow ? button("GM allows it", allow) : asks ? asks.el : owed ? harm(owed, view) : then?.acts,
      };
    }
    if (then) return then;
    if (mode === "setup" || word) return word;
    if (asks) return { text: asks.text, sub: asks.sub, mark: icon("bang", "l"), kind: `${window ? "is-stop" : "is-word"} is-asking`, acts: asks.el };
    const request = requestOf(view);
    if (request) {
      const others = (view.ready?.length ?? 1) - 1;
      const more = others ? [" ", tr(others > 1 ? `${others} more wait.` : "1 more waits.")] : [];
      return {
        ...{ text: [`${request.text}.`], sub: [tr(`${request.who} waits for you.`), ...more, ...(window ? [" ", window.title] : [])], mark: icon("bang", "l"), kind: "is-stop" },
        // The first of them is the main button.
        acts: (request.actions ?? []).slice(1).map(({ title, sends }) => button(title, () => sends && send(/** @type {Intent} */ (sends)), { name: `${title}: ${request.who}` })),
      };
    }
    if (window && !owed) {
      const asked = window.rows.find(({ choices }) => choices?.length);
      // What came of the last answer is told first, and large where the buttons answer no question; what nobody has room for
      // is on the rungs too.
      const below = plain(result?.sub ?? []);
      const { label } = view.clock;
      const isNow = below.startsWith(label) || label.startsWith(below);
      const isNews = result?.news && !window.question;
      const more = isNow ? [] : [...(result?.sub ?? []), /[.!?]$/.test(below) ? " " : ". "];
      const news = result && plain(result.text) !== window.title ? [...result.text, " ", ...more] : [];
      return {
        ...{ text: isNews ? result.text : [window.title], sub: isNews ? [window.title, " ", ...window.sub, " ", ...more] : [...news, ...window.sub] },
        ...{ mark: icon(window.question ? "bang" : "pause", "l"), cited: window.rules, kind: asked ? "is-stop is-asked" : "is-stop" },
        acts: view.players || !asked ? nothing : repeat([window], ({ id }) => id, () => choices(asked, view.gm?.names)),
      };
    }
    if (mode === "over" && view.card) {
      const { title, lead, faces: [face] } = view.card;
      return { text: [`${title}.`], sub: [`${lead}.`], mark: face && token(face.side, face.initials, face.portrait), cited: result?.rules };
    }
    const { given, called: title } = view.past ?? {};
    const called = title ?? "the fight you began with";
    if (!result) return undefined;
    const { text, sub, rules: cited, who, twenty: top, fell } = result;
    const isBranch = Boolean(given && view.past?.branches?.includes(given));
    const back = given && isBranch ? button(title ? `Back to ${called}` : "Back to the fight you began with", () => send({ kind: "switch", branch: given })) : nothing;
    if (view.ends && !owed && !window)
      return { text: [view.ends], sub: [...text, " ", ...sub], cited, kind: "is-word is-ends", acts: [button("End the fight", () => send({ kind: "finish" }), { kind: "is-main" }), back] };
    return {
      ...{ text, cited, kind: window ? "is-stop" : fell ? "is-word" : "" },
      sub: given ? [...sub, tr(` · Played on from an earlier moment: ${called} is kept as it was.`)] : window ? [window.title, " ", ...sub] : sub,
      mark: top ? twenty : who && token(who.side, who.initials, who.portrait),
      acts: owed ? harm(owed, view) : fell && !view.players && !view.seat && !view.task ? fallen(fell) : back,
    };
  };

  return {
    /** What stands there, to be heard. @param {TrackerData} view @param {Besides} besides */
    told: (view, besides) => {
      const { text = [], sub = [] } = (view.mode === "past" ? undefined : shown(view, besides)) ?? {};
      return [plain(text), plain(sub)].filter(Boolean).join(" ");
    },
    /** @param {TrackerData} view @param {Besides} besides */
    show: (view, besides) => {
      const { text, sub, mark, cited, kind, acts } = shown(view, besides) ?? { text: [""] };
      const words = plain(text);
      return html`<section class="ck-res ${kind ?? ""} ${words ? "" : "is-empty"}" role="group" aria-label="Result" tabindex="-1"><span class="m">${mark}</span>
        <div class="ck-say"><p title=${words}>${rich(text)}</p><small title=${plain(sub ?? [])}>${rich(sub)}</small></div><span class="a">${acts}${view.owed ? repeat([view.owed], ({ name, attacker }) => name + attacker, (owed) => harm(owed, view)) : nothing}${cited?.length ? rules(cited) : nothing}</span></section>`;
    },
  };
}
