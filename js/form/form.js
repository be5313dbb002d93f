/** The form by which an action asks what it still needs: its parameters, its dice, the GM's overruling. */
import { html, nothing, render } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";

import { submitOnEnter } from "../shared/enter.js";
import { icon } from "../shared/marks.js";
import { items, plain, rich } from "../shared/rich.js";
import { areUsable, faceName, facesOf, isFull, missing } from "./dice.js";
import { diceTable } from "./table.js";

/** @import { Port, Refusal } from "../shared/port.js" */
/** @import { Choice, Choices, Param, Parts, Roll } from "../shared/types.js" */

/** More reasons than this fold away; each is shown when its choice is pressed. */
const MOST_WHYS = 2;
/** More refused choices than this fold away too: what can be chosen would be lost among them. */
const MOST_REFUSED = 8;

/**
 * @typedef {object} Wanted
 * @property {string | null} name who acts; null for a call of the table's own
 * @property {string} action
 * @property {string} title
 * @property {Parts} [why] set if the action is refused: why
 * @property {boolean} table whether faces rolled at the table are asked for
 * @property {Record<string, unknown>} [params] given already
 * @property {Record<string, unknown>} [given] those of them that the button itself says, as a weapon
 * @property {boolean} [direct] whether nothing is needed, so that it need not be asked
 * @property {boolean} [explicit] whether the form opens even if nothing is needed
 * @property {boolean} [noted] whether the form asks for a note too
 * @property {Element} root what the form is drawn in
 * @property {(params: Record<string, unknown>) => void} [keep] takes what the next form for this begins with
 * @property {() => Record<string, unknown>} [more] arguments that stand beside the parameters
 * @property {(fields: Record<string, unknown>, refused: (refusal: Refusal) => void) => void} [send] instead of `do`
 * @property {(text: string) => void} say
 * @property {() => void} opened called when the form is there to be filled in
 * @property {(by: "sent" | "escape") => void} closed
 */

/**
 * @param {Port} port
 * @param {Wanted} wanted
 * @param {string} prefix for ids, unique on the page
 * @param {() => void} changed
 */
export function createForm(port, wanted, prefix, changed) {
  const { name, action, title, table: thrown, say } = wanted;
  /** @type {Record<string, unknown>} */
  let params = { ...wanted.params };
  /** @type {Record<string, string[]>} */
  const typed = {};
  /** @type {Choices | undefined} */
  let answer;
  /** Why Python refused what was sent last. @type {Parts | undefined} */
  let refused;
  /** Why the choice pressed last is refused. @type {Parts | undefined} */
  let told;
  let override = false;
  let note = "";
  let asked = 0;
  /** Whether `answer` is about what is filled in now. */
  let current = false;
  /** Whether Enter waits for the answer. */
  let eager = false;

  const rolls = () => facesOf(typed);

  /** @param {string} selector */
  const all = (selector) => /** @type {HTMLInputElement[]} */ ([...wanted.root.querySelectorAll(`#${prefix} ${selector}`)]);

  /**
   * Asks Python about what is filled in; only the latest answer counts. What was refused before is still to be read if
   * it `stays`.
   */
  const ask = async (stays = false) => {
    asked += 1;
    told = undefined;
    const number = asked;
    current = false;
    try {
      const more = override ? { override } : {};
      const given = await port.ask({ kind: "choices", name, action, params, rolls: rolls(), ...more });
      if (number !== asked) return false;
      if (!stays) refused = undefined;
      answer = given;
      current = true;
    } catch (refusal) {
      if (number !== asked) return false;
      fail(/** @type {Refusal} */ (refusal));
    }
    changed();
    if (stays) mend();
    if (eager) proceed();
    return true;
  };

  /** Leads to what is filled in wrong, if something is. */
  const mend = () => {
    const [field] = all(`[name="${answer?.ruling.param}"]`);
    field?.focus();
    return field;
  };

  /** @param {Refusal} refusal */
  const fail = ({ reason, rule }) => {
    refused = rule ? [`${reason} `, { rule }] : [reason];
    say(plain(refused));
    changed();
  };

  const submit = () => {
    const faces = rolls();
    const fields = {
      ...(name === null ? {} : { name, action }),
      params,
      ...(Object.keys(faces).length ? { rolls: faces } : {}),
      ...(override ? { override } : {}),
      ...(note ? { note } : {}),
      ...wanted.more?.(),
    };
    const send = wanted.send ?? ((given, no) => port.send({ kind: "do", ...given }, no));
    send(fields, (refusal) => {
      wanted.opened();
      fail(refusal);
      ask(true);
    });
    const kept = answer?.params.filter((param) => param.kept) ?? [];
    wanted.keep?.(Object.fromEntries(kept.map(({ id }) => [id, params[id]])));
    wanted.closed("sent");
  };

  const barrier = () => {
    if (override || !current || !answer) return refused;
    return answer.ruling.allowed ? refused : (refused ?? answer.ruling.reason ?? []);
  };

  const trySubmit = () => {
    const bar = refused === undefined ? barrier() : undefined;
    if (bar) say(plain(bar));
    else submit();
  };

  /** Goes on to the next die that is to be typed; where none is left, uses them all. */
  const proceed = () => {
    eager = thrown && !current && asked > 0;
    if (eager) return;
    const asks = answer?.dice ?? [];
    const boxes = all(".ck-face");
    const on = boxes.findIndex((box) => box.matches(":focus"));
    const error = asks.map((roll) => roll.error).find(Boolean);
    const next = missing(asks, rolls()) && [...boxes.slice(on + 1), ...boxes].find((box) => !box.value);
    if (error) say(error);
    else if (next) next.focus();
    else trySubmit();
  };

  /** Leaves the dice that are not typed to Python. */
  const rollRest = () => {
    const asks = answer?.dice ?? [];
    if (Object.keys(rolls()).length && !areUsable(asks, rolls())) say("Type the dice first.");
    else trySubmit();
  };

  /** Picking the only thing asked for is all there is to do. @param {Param} param */
  const isOnly = (param) =>
    param.type === "one" && Boolean(answer?.params.every((each) => (each === param) === each.required)) && !answer?.dice.length;

  /** @param {Param} param @param {unknown} value */
  const set = async (param, value) => {
    const only = isOnly(param);
    params = { ...params };
    if (value === undefined || value === "") delete params[param.id];
    else params[param.id] = value;
    if (only && !thrown && !mend()) {
      submit();
      return;
    }
    changed();
    if ((await ask()) && only && answer?.ruling.allowed && !answer.dice.length) submit();
  };

  /** @param {Param} param @param {Choice} choice @param {string} why */
  const pick = (param, choice, why) => {
    if (!choice.allowed && !override) {
      told = choice.why;
      say(why);
      changed();
      return;
    }
    if (param.type === "one") {
      set(param, params[param.id] === choice.value && !isOnly(param) ? undefined : choice.value);
      return;
    }
    const before = /** @type {unknown[]} */ (params[param.id] ?? []);
    const after = before.includes(choice.value) ? before.filter((each) => each !== choice.value) : [...before, choice.value];
    set(param, after.length ? after : undefined);
  };

  /** @param {Param} param */
  const choices = (param) => {
    /** Reasons that several share stand once. @type {Map<string, {id: string, parts: Parts}>} */
    const whys = new Map();
    for (const { allowed, why } of param.values ?? []) {
      const words = plain(why);
      if (!allowed && !whys.has(words)) whys.set(words, { id: `${prefix}-${param.id}-${whys.size}`, parts: why ?? [] });
    }
    const reasons = [...whys.values()].map(({ id, parts }) => html`<p class="ck-why" id=${id}>${items(parts)}</p>`);
    const row = (/** @type {Choice[]} */ some) => html`<div class="ck-acts">${some.map((choice) => {
      const words = plain(choice.why);
      const chosen = [params[param.id]].flat().includes(choice.value);
      return html`<button type="button" class="ck-act" aria-label=${plain(choice.label)}
        aria-pressed=${isOnly(param) && !chosen ? nothing : chosen}
        aria-disabled=${choice.allowed || override ? nothing : "true"}
        aria-describedby=${whys.get(words)?.id ?? nothing}
        @click=${() => pick(param, choice, words)}>${choice.allowed ? nothing : icon("slash")}${choice.label.map((part) => [rich([part]), " "])}</button>`;
    })}</div>`;
    const all = param.values ?? [];
    const no = all.filter(({ allowed }) => !allowed);
    const folds = no.length > MOST_REFUSED && !override;
    return html`<div role="group" aria-label="${title}: ${param.title}"><span class="ck-label">${param.title}</span>
      ${row(folds ? all.filter(({ allowed }) => allowed) : all)}${folds || whys.size > MOST_WHYS
        ? html`<details><summary>${folds ? `${no.length} that can’t be chosen` : "Why?"}</summary>${folds ? row(no) : nothing}${reasons}</details>`
        : reasons}</div>`;
  };

  /** @param {Param} param */
  const field = (param) => {
    if (param.type === "one" || param.type === "many") return choices(param);
    if (param.type === "flag") {
      return check(param.title, (isOn) => set(param, isOn || undefined));
    }
    const isNumber = param.type === "number";
    return html`<label class="ck-field">${param.title}<input type=${isNumber ? "number" : "text"} name=${param.id}
      value=${params[param.id] ?? nothing} aria-invalid=${answer?.ruling.param === param.id ? "true" : nothing} aria-describedby="${prefix}-bar" @input=${
      (/** @type {any} */ { target }) => set(param, isNumber && target.value !== "" ? Number(target.value) : target.value)
    } /></label>`;
  };

  /** @param {Roll} roll @param {number} index @param {InputEvent} event */
  const onFace = ({ purpose, sides }, index, event) => {
    const box = /** @type {HTMLInputElement} */ (event.target);
    const text = box.value.replace(/\D/g, "");
    if (box.value !== text) box.value = text;
    (typed[purpose] ??= [])[index] = text;
    // Only digits lead on: a face that is deleted keeps the focus.
    if (event.data && text && isFull(text, sides[index] ?? 0)) move(box, 1);
    ask();
  };

  /** @param {HTMLInputElement} box @param {number} by */
  const move = (box, by) => {
    const boxes = all(".ck-face");
    const to = boxes[boxes.indexOf(box) + by];
    to?.focus();
    to?.select();
  };

  /** @param {KeyboardEvent} event */
  const onFaceKey = (event) => {
    const box = /** @type {HTMLInputElement} */ (event.target);
    if (event.key !== "Backspace" || box.value) return;
    event.preventDefault();
    move(box, -1);
  };

  /** The boxes of one roll. @param {Roll} roll @param {string} id what says more of them @param {(event: KeyboardEvent) => void} [keys] */
  const faces = (roll, id, keys) =>
    roll.sides.map((sides, index) => {
      const face = Number(typed[roll.purpose]?.[index] || 1);
      const wrong = roll.error && (face < 1 || face > sides);
      const name = faceName(roll.sides, index);
      return html`<input class="ck-face" inputmode="numeric" autocomplete="off" placeholder=${keys ? `d${sides}` : "·"}
        maxlength=${String(sides).length} aria-label=${keys ? `${roll.legend}: ${name}` : name} aria-describedby=${id}
        aria-invalid=${wrong ? "true" : nothing} @keydown=${(/** @type {KeyboardEvent} */ event) => {
          onFaceKey(event);
          keys?.(event);
        }}
        @input=${(/** @type {InputEvent} */ event) => onFace(roll, index, event)} />`;
    });

  /** @param {Roll} roll @param {number} place @param {unknown} buttons */
  const dice = (roll, place, buttons) => {
    const id = `${prefix}-die${place}`;
    const hint = `Type what you rolled (1 to ${roll.sides[0]}). `;
    return html`<fieldset class="ck-ask"><legend>${roll.legend}</legend>
      <div class="row">${faces(roll, id)}${buttons}</div>
      <p class=${roll.error ? "ck-err" : "ck-sum"} id=${id}>${
        roll.error ? html`${icon("bang")}<span>${roll.error}</span>` : [hint, rich(roll.sum)]
      }</p></fieldset>`;
  };

  /** Dice that many roll, a line each. @param {import("./table.js").Line[]} lines */
  const table = (lines) => {
    const left = missing(lines, rolls());
    const all = lines.flatMap(({ sides }) => sides).length;
    return html`<div class="ck-cap"><h4>Dice</h4><span class="ck-label">${all - left} of ${all} typed</span></div>
      ${diceTable(lines, prefix, faces, () => wanted.root.querySelector("[type=submit]"))}`;
  };

  /** @param {Choices} given */
  const buttons = ({ dice: rollsAsked, params: asks }) => {
    const bar = barrier();
    const barred = bar && !refused;
    if (!rollsAsked.length) {
      return asks.length && asks.every((param) => isOnly(param) || !param.required) && asks.some(isOnly)
        ? nothing
        : html`<div class="row">${button(title, "is-main", barred)}</div>`;
    }
    const typed = rolls();
    const left = missing(rollsAsked, typed);
    const usable = areUsable(rollsAsked, typed) && !barred;
    const none = !Object.keys(typed).length;
    const use = rollsAsked.length === 1 ? "Use this roll" : "Use these";
    return [
      button(use, "is-main is-wide", left || !usable),
      left ? button(none ? "Roll for me" : `Roll the other ${left} for me`, "is-wide", none ? barred : !usable, rollRest) : nothing,
    ];
  };

  /** @param {string} text @param {string} kind @param {unknown} barred @param {() => void} [press] */
  const button = (text, kind, barred, press) =>
    html`<button type=${press ? "button" : "submit"} class="ck-btn ${kind}" aria-disabled=${barred ? "true" : nothing}
      aria-describedby="${prefix}-bar" @click=${press}>${text}</button>`;

  /** @param {Event} event */
  const onSubmit = (event) => {
    event.preventDefault();
    proceed();
  };

  /** @param {KeyboardEvent} event */
  const onKey = (event) => {
    submitOnEnter(event);
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    wanted.closed("escape");
  };

  /** @param {boolean} isOn */
  const overrule = (isOn) => {
    override = isOn;
    changed();
    ask();
  };

  const template = () => {
    const given = wanted.why && !override ? undefined : answer;
    const bar = barrier();
    const isRefused =
      wanted.why || override || (bar && current) || answer?.params.some(({ values }) => values?.some(({ allowed }) => !allowed));
    const [first, rest] = [true, false].map((is) => given?.params.filter(({ required }) => required === is) ?? []);
    const end = given ? buttons(given) : nothing;
    const tabled = Number(given?.dice.length) > 1 && given?.dice.every(({ who }) => who);
    return html`<form class="ck-targets" id=${prefix} aria-label=${name === null ? title : `${title}: ${name}`}
      @submit=${onSubmit} @keydown=${onKey}>${rest?.length
        ? html`<details ?open=${wanted.explicit || rest.some(({ id }) => params[id] != null && !(id in (wanted.given ?? {}))) || (!first?.length && (refused || !given?.ruling.allowed))}><summary>Options</summary>${repeat(rest, ({ id }) => id, field)}</details>`
        : nothing}${repeat(first ?? [], ({ id }) => id, field)}${tabled
        ? [table(/** @type {any} */ (given?.dice)), html`<div class="row">${end}${button("Back", "", false, () => wanted.closed("escape"))}</div>`]
        : repeat(
            given?.dice ?? [],
            ({ purpose }) => purpose,
            (roll, place) => dice(roll, place, roll === given?.dice.at(-1) ? end : nothing),
          )}
      <p class="ck-why" id="${prefix}-bar">${items(told ?? bar)}</p>
      ${wanted.noted && given
        ? html`<label class="ck-field">Note<input @input=${(/** @type {any} */ event) => (note = event.target.value.trim())} /></label>`
        : nothing}${isRefused && name !== null ? check("GM allows it", overrule) : nothing}${given?.dice.length ? nothing : end}</form>`;
  };

  const begin = async () => {
    if (wanted.why) {
      wanted.opened();
      return;
    }
    if (wanted.direct && !thrown) {
      submit();
      return;
    }
    await ask();
    if (form.dropped) return;
    const needed = wanted.explicit || answer?.dice.length || answer?.params.some(({ required }) => required);
    if (needed || refused || !answer?.ruling.allowed) wanted.opened();
    else submit();
  };
  /** Once it is `dropped`, an answer that comes late opens nothing and does nothing.
   * @type {{template: () => unknown, dropped?: boolean}} */
  const form = { template };
  begin();
  return form;
}

/** @param {string} title @param {(isOn: boolean) => void} turn */
const check = (title, turn) =>
  html`<label class="ck-check"><input type="checkbox" @change=${
    (/** @type {any} */ event) => turn(event.target.checked)
  } />${title}</label>`;

/**
 * Asks in an element of another widget. Answers with what takes the form away again.
 *
 * @param {HTMLElement} el
 * @param {Port} port
 * @param {Wanted} wanted
 * @returns {() => void}
 */
export function askIn(el, port, wanted) {
  let isOpen = false;
  const draw = () => render(isOpen ? form.template() : nothing, el);
  const close = () => {
    isOpen = false;
    draw();
  };
  const form = createForm(
    port,
    {
      ...wanted,
      root: el,
      opened: () => {
        isOpen = true;
        draw();
        wanted.opened();
      },
      closed: (by) => {
        close();
        wanted.closed(by);
      },
    },
    `ck${Math.random().toString(36).slice(2)}`,
    draw,
  );
  return () => {
    form.dropped = true;
    close();
  };
}
