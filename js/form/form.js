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

/** Of those who stand in a folded line so many are named. */
const NAMED = 3;
/** With more values to choose than this, one is looked for, and those after the first so many fold away. */
const MANY = 12;

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
 * @property {boolean} [final] whether nobody here can set a refusal aside
 * @property {boolean} [noted] whether the form asks for a note too
 * @property {Record<string, string[]>} [typed] faces typed before, by purpose; what is typed now goes in there too
 * @property {() => Record<string, unknown>} [more] arguments that stand beside the parameters
 * @property {(beside: Record<string, unknown>) => void} [unsent] takes those back that were refused
 * @property {(fields: Record<string, unknown>, refused: (refusal: Refusal) => void) => void} [send] instead of `do`
 * @property {(text: string) => void} say
 * @property {(why: Parts) => void} [barred] called instead of opening, where Python refuses what is asked
 * @property {() => void} opened called when the form is there to be filled in
 * @property {(by: "sent" | "escape") => void} closed
 *
 * @typedef {object} Form
 * @property {HTMLElement} el
 * @property {() => void} look asks again about what is filled in: much may be otherwise by now
 * @property {boolean} [dropped]
 */

/**
 * A form draws itself in an element of its own, and what is typed stays in there: whoever opens it shows the element where
 * it belongs, and may take it out of sight and put it back.
 *
 * @param {Port} port
 * @param {Wanted} wanted
 * @param {string} prefix for ids, unique on the page
 * @param {HTMLElement} [el]
 */
export function createForm(port, wanted, prefix, el = document.createElement("div")) {
  const { name, action, title, table: thrown, say } = wanted;
  /** @type {Record<string, unknown>} */
  let params = { ...wanted.params };
  const { typed = {} } = wanted;
  /** @type {Choices | undefined} */
  let answer;
  /** Why Python refused what was sent last. @type {Parts | undefined} */
  let refused;
  /** Why the choice pressed last is refused. @type {Parts | undefined} */
  let told;
  /** The rolls that are left to Python one by one, by purpose. @type {Set<string>} */
  const auto = new Set();
  let override = false;
  let note = "";
  let asked = 0;
  /** Whether `answer` is about what is filled in now. */
  let current = false;
  /** The empty box that a full face has led on to: an Enter behind the face, out of habit, leads no further. @type {HTMLInputElement | undefined} */
  let led;
  /** What is looked for among many values, by parameter. @type {Record<string, string>} */
  const sought = {};
  /** Whether Enter waits for the answer. */
  let eager = false;

  const changed = () => render(template(), el);
  const show = () => {
    changed();
    wanted.opened();
  };

  /** The faces of dice that are asked for; others may have been typed before that. */
  const rolls = () => facesOf(Object.fromEntries((answer?.dice ?? []).map(({ purpose, sides }) => [purpose, (typed[purpose] ?? []).slice(0, sides.length)])));

  /** @param {string} selector */
  const all = (selector) => /** @type {HTMLInputElement[]} */ ([...el.querySelectorAll(selector)]);

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
      const more = { ...(override && { override }), ...(number === 1 && name !== null && { propose: true }) };
      const given = await port.ask({ kind: "choices", name, action, params, rolls: facesOf(typed), ...more });
      if (number !== asked) return false;
      if (!stays) refused = undefined;
      answer = given;
      params = { ...given.given, ...params };
      current = true;
    } catch (refusal) {
      if (number !== asked) return false;
      fail(/** @type {Refusal} */ (refusal));
    }
    const on = all(".ck-face").find((box) => box.matches(":focus"));
    changed();
    // What many roll stands in a table: a box that was moved there has lost the focus.
    if (on && !on.isConnected) all(".ck-face").find((box) => !box.value)?.focus();
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
    const beside = wanted.more?.() ?? {};
    const fields = {
      ...(name === null ? {} : { name, action }),
      params,
      ...(Object.keys(faces).length ? { rolls: faces } : {}),
      ...(override ? { override } : {}),
      ...(note ? { note } : {}),
      ...beside,
    };
    const send = wanted.send ?? ((given, no) => port.send({ kind: "do", ...given }, no));
    send(fields, (refusal) => {
      wanted.unsent?.(beside);
      show();
      fail(refusal);
      ask(true);
    });
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
    const next = missing(due(asks), rolls()) && [...boxes.slice(on + 1), ...boxes].find(isDue);
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

  /** Whether nothing that is asked for is left to say or type: then picking the last of it is all there is to do. @param {Choices} given */
  const isFilled = ({ params: asks, dice: rolled }) =>
    asks.every(({ id, required }) => !required || params[id] != null) && !missing(due(rolled), rolls()) && !rolled.some(({ error }) => error);

  /** The first field that is asked for and empty, where one can type. */
  const firstEmpty = () => {
    const empty = answer?.params.find(({ id, required }) => required && params[id] == null);
    return empty && all(`[name="${empty.id}"]`)[0];
  };

  /** @param {Param} param @param {unknown} value */
  const set = async (param, value) => {
    const only = isOnly(param);
    const isFirst = params[param.id] === undefined;
    params = { ...params };
    if (value === undefined || value === "") delete params[param.id];
    else params[param.id] = value;
    if (only && !thrown && !mend()) {
      submit();
      return;
    }
    changed();
    if (!(await ask()) || !answer) return;
    const whole = param.type === "one" && param.required && isFirst;
    if ((only || whole) && answer.ruling.allowed && isFilled(answer)) submit();
    else if (param.type === "one") (firstEmpty() ?? all(".ck-face").find((box) => !box.value))?.focus();
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
      set(param, params[param.id] === choice.value && !param.required ? undefined : choice.value);
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
        aria-pressed=${chosen || !isOnly(param) ? chosen : nothing}
        aria-disabled=${choice.allowed || override ? nothing : "true"}
        aria-describedby=${whys.get(words)?.id ?? nothing}
        @click=${() => pick(param, choice, words)}>${choice.allowed ? nothing : icon("slash")}${choice.label.map((part) => [rich([part]), " "])}</button>`;
    })}</div>`;
    const isLong = Number(param.values?.filter(({ allowed }) => allowed || override).length) > MANY;
    const words = (isLong && sought[param.id] || "").trim().toLowerCase();
    const all = (param.values ?? []).filter(({ label }) => plain(label).toLowerCase().includes(words));
    const can = all.filter(({ allowed }) => allowed || override);
    const no = all.filter((choice) => !can.includes(choice));
    // Whoever may be attacked and is no enemy folds away, where there are enemies.
    const allies = can.some(({ ally }) => !ally) ? can.filter(({ ally }) => ally) : [];
    const isHere = allies.some(({ value }) => value === params[param.id]);
    const [why] = whys.size === 1 ? [...whys.values()].map(({ parts }) => parts.filter((part) => typeof part === "string")) : [];
    const first = can.filter((choice) => !allies.includes(choice));
    const rest = isLong && !words ? first.splice(MANY) : [];
    return html`<div role="group" aria-label="${title}: ${param.title}">${
      can.length || !no.length || isLong
        ? line(allies.length ? "Enemies" : param.title, [isLong ? find(param, first[0]) : nothing, words && !all.length ? html`<p class="ck-why">Nothing matches.</p>` : row(first)])
        : nothing
    }${
      rest.length
        ? line("", html`<details ?open=${rest.some(({ value }) => value === params[param.id])}><summary>${rest.length} more</summary>${row(rest)}</details>`)
        : nothing
    }${allies.length ? line("Allies", html`<details ?open=${isHere}><summary>${named(allies)}</summary>${row(allies)}</details>`) : nothing}${
      no.length
        ? line(can.length ? "" : param.title, html`<details><summary>${icon("slash")}${named(no)}: ${why ?? "not now"}</summary>${row(no)}${reasons}</details>`)
        : nothing
    }</div>`;
  };

  /** Where one of many values is looked for; Enter takes the first that is found. @param {Param} param @param {Choice | undefined} hit */
  const find = (param, hit) => {
    const onFind = (/** @type {any} */ { target }) => {
      sought[param.id] = target.value;
      changed();
    };
    const onFindKey = (/** @type {KeyboardEvent} */ event) => {
      const words = sought[param.id];
      if (event.key === "Escape" && words) sought[param.id] = "";
      else if (event.key !== "Enter" || !words) return;
      else if (hit) pick(param, hit, plain(hit.why));
      event.preventDefault();
      event.stopPropagation();
      changed();
    };
    const name = `Find: ${param.title.toLowerCase()}`;
    return html`<div class="ck-field"><input type="search" placeholder=${name} aria-label=${name} autocomplete="off" .value=${sought[param.id] ?? ""} @input=${onFind} @keydown=${onFindKey} /></div>`;
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
    auto.delete(purpose);
    // Only digits lead on: a face that is deleted keeps the focus.
    led = event.data && text && isFull(text, sides[index] ?? 0) ? lead(box) : undefined;
    ask();
  };

  /** @param {HTMLInputElement | undefined} to */
  const enter = (to) => {
    to?.focus();
    to?.select();
    return to;
  };

  /** Leads on to the next die that is still to be typed; what is typed already is in nobody's way. @param {HTMLInputElement} box */
  const lead = (box) => {
    const boxes = all(".ck-face");
    const after = boxes.slice(boxes.indexOf(box) + 1);
    return enter([...after, ...boxes].find(isDue) ?? after[0]);
  };

  /** @param {KeyboardEvent} event @param {Roll} roll @param {((event: KeyboardEvent) => void) | undefined} keys of the table it stands in */
  const onFaceKey = (event, roll, keys) => {
    const box = /** @type {HTMLInputElement} */ (event.target);
    const isThere = event.key === "Enter" && !event.shiftKey && led === box && !box.value && !answer?.dice?.some(({ error }) => error);
    led = undefined;
    if (event.key === "Backspace" && !box.value) enter(all(".ck-face")[all(".ck-face").indexOf(box) - 1]);
    else if (/^r$/i.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey) leave(roll, box);
    else if (!isThere) {
      keys?.(event);
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  /** Leaves one roll to Python, and goes on to what is still to be typed. @param {Roll} roll @param {HTMLInputElement} box */
  const leave = ({ purpose }, box) => {
    delete typed[purpose];
    auto.add(purpose);
    changed();
    ask();
    const boxes = all(".ck-face");
    const next = [...boxes.slice(boxes.indexOf(box) + 1), ...boxes].find(isDue);
    // A table of many is sent by its button alone.
    if (next) next.focus();
    else if (isTabled()) el.querySelector(/** @type {"button"} */ ("[type=submit]"))?.focus();
    else proceed();
  };

  /** A die that is still to be typed. @param {HTMLInputElement} box */
  const isDue = (box) => !box.value && box.dataset.left === undefined;
  /** @param {Roll[]} asks */
  const due = (asks) => asks.filter(({ purpose }) => !auto.has(purpose));
  /** Whether many roll, a line each. */
  const isTabled = () => Number(answer?.dice.length) > 1 && Boolean(answer?.dice.every(({ who }) => who));

  /** The boxes of one roll. @param {Roll} roll @param {string} id what says more of them @param {(event: KeyboardEvent) => void} [keys] */
  const faces = (roll, id, keys) =>
    roll.sides.map((sides, index) => {
      const face = Number(typed[roll.purpose]?.[index] || 1);
      const wrong = roll.error && (face < 1 || face > sides);
      const name = faceName(roll.sides, index);
      return html`<input class="ck-face" inputmode="numeric" autocomplete="off" placeholder=${auto.has(roll.purpose) ? "me" : `d${sides}`}
        data-left=${auto.has(roll.purpose) ? "" : nothing} maxlength=${String(sides).length} aria-label="${keys ? `${roll.legend}: ${name}` : name}${auto.has(roll.purpose) ? ", rolled for you" : ""}" aria-keyshortcuts="R" aria-describedby=${id}
        aria-invalid=${wrong ? "true" : nothing} .value=${typed[roll.purpose]?.[index] ?? ""} @keydown=${(/** @type {KeyboardEvent} */ event) => onFaceKey(event, roll, keys)}
        @input=${(/** @type {InputEvent} */ event) => onFace(roll, index, event)} />`;
    });

  /** @param {Roll} roll @param {number} place */
  const dice = (roll, place) => {
    const id = `${prefix}-die${place}`;
    const hint = html`<span class="ck-sr">Type what you rolled (1 to ${roll.sides[0]}). </span>`;
    return html`<fieldset class="ck-ask"><legend class="ck-sr">${roll.legend}</legend>
      ${faces(roll, id)}<p class=${roll.error ? "ck-err" : "ck-sum"} id=${id}>${
        roll.error ? html`${icon("bang")}<span>${roll.error}</span>` : [hint, rich(roll.sum)]
      }</p></fieldset>`;
  };

  /** Dice that many roll, a line each. @param {import("./table.js").Line[]} lines */
  const table = (lines) => {
    const left = missing(due(lines), rolls());
    const all = lines.flatMap(({ sides }) => sides).length;
    return html`<div class="ck-cap"><h4>Dice</h4><span class="ck-label">${all - left} of ${all} typed</span></div>
      ${diceTable(lines, prefix, faces, () => el.querySelector("[type=submit]"))}`;
  };

  /** @param {Choices} given */
  const buttons = ({ dice: rollsAsked, params: asks }) => {
    const bar = barrier();
    const barred = bar && !refused;
    if (!rollsAsked.length) {
      const only = asks.find(isOnly);
      return only && params[only.id] == null && asks.every((param) => param === only || !param.required)
        ? nothing
        : button(withCap(title), "is-main", barred);
    }
    const typed = rolls();
    const left = missing(due(rollsAsked), typed);
    const usable = (areUsable(rollsAsked, typed) || !due(rollsAsked).length) && !barred;
    const none = !Object.keys(typed).length;
    const use = rollsAsked.length === 1 ? "Use this roll" : "Use these";
    return [
      button(withCap(use), "is-main is-wide", left || !usable),
      left ? button(none ? "Roll for me" : left === 1 ? "Roll the last one for me" : `Roll the other ${left} for me`, "is-wide", none ? barred : !usable, rollRest) : nothing,
    ];
  };

  /** @param {string} words */
  const withCap = (words) => html`${words}<kbd class="ck-k" aria-hidden="true">Enter</kbd>`;

  /** @param {unknown} text @param {string} kind @param {unknown} barred @param {() => void} [press] */
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

  /** Whether the options are open: they were asked for, one of them is filled in, or one turns out to be needed. @param {Param[]} first @param {Param[]} rest */
  const isWide = (first, rest) =>
    wanted.explicit ||
    rest.some(({ id }) => params[id] != null && !(id in (wanted.given ?? {}))) ||
    (Boolean(rest.length) && !first.length && (Boolean(refused) || !answer?.ruling.allowed));

  const template = () => {
    const given = wanted.why && !override ? undefined : answer;
    const bar = barrier();
    const isRefused =
      wanted.why || override || (bar && current) || answer?.params.some(({ values }) => values?.some(({ allowed }) => !allowed));
    const [first, rest] = [true, false].map((is) => given?.params.filter(({ required }) => required === is) ?? []);
    const end = given ? buttons(given) : nothing;
    return html`<form class="ck-targets" id=${prefix} aria-label=${name === null ? title : `${title}: ${name}`}
      @submit=${onSubmit} @keydown=${onKey}>${repeat(first ?? [], ({ id }) => id, field)}${
        given && isTabled()
          ? table(/** @type {any} */ (given.dice))
          : given?.dice.length
            ? line("Dice", html`<div class="ck-dice">${repeat(given.dice, ({ purpose }) => purpose, dice)}</div>`)
            : nothing
      }
      <p class="ck-why" id="${prefix}-bar">${items(told ?? bar)}</p>
      ${isRefused && name !== null && !wanted.final ? check("GM allows it", overrule) : nothing}
      <div class="row">${end}${
        given && isTabled()
          ? button("Back", "", false, () => wanted.closed("escape"))
          : button(html`Cancel<kbd class="ck-k" aria-hidden="true">Esc</kbd>`, "is-bare", false, () => wanted.closed("escape"))
      }${
        rest?.length || (wanted.noted && given)
          ? html`<details class="ck-more-of" ?open=${isWide(first ?? [], rest ?? [])}><summary>Options</summary>${repeat(rest ?? [], ({ id }) => id, field)}${
              wanted.noted
                ? html`<label class="ck-field">Note<input .value=${note} @input=${(/** @type {any} */ event) => (note = event.target.value.trim())} /></label>`
                : nothing
            }</details>`
          : nothing
      }</div></form>`;
  };

  const begin = async () => {
    if (wanted.why) {
      show();
      return;
    }
    if (wanted.direct && !thrown) {
      submit();
      return;
    }
    await ask();
    if (form.dropped) return;
    if (refused && wanted.barred) {
      wanted.barred(refused);
      return;
    }
    const needed = wanted.explicit || answer?.dice.length || answer?.params.some(({ required }) => required);
    if (needed || refused || !answer?.ruling.allowed) show();
    else submit();
  };
  /** Once it is `dropped`, an answer that comes late opens nothing and does nothing.
   * @type {Form} */
  const form = { el, look: () => void ask() };
  begin();
  return form;
}

/** A row: what it is about, and what there is. @param {string} label @param {unknown} inner */
const line = (label, inner) => html`<div class="ck-asks"><span class="ck-label">${label}</span><div>${inner}</div></div>`;

/** Who stands in a folded line. @param {Choice[]} choices */
const named = (choices) => {
  const names = choices.map(({ label }) => label.filter((part) => typeof part === "string").join(""));
  const more = names.length > NAMED + 1 ? names.splice(NAMED).length : 0;
  return `${names.join(", ")}${more ? ` and ${more} more` : ""}`;
};

/** @param {string} title @param {(isOn: boolean) => void} turn */
const check = (title, turn) =>
  html`<label class="ck-check"><input type="checkbox" @change=${
    (/** @type {any} */ event) => turn(event.target.checked)
  } />${title}</label>`;

/**
 * Asks in an element of another widget. Answers with what takes the form away again.
 *
 * @param {HTMLElement} place
 * @param {Port} port
 * @param {Wanted} wanted
 * @returns {() => void}
 */
export function askIn(place, port, wanted) {
  const el = document.createElement("div");
  const form = createForm(
    port,
    {
      ...wanted,
      opened: () => {
        place.append(el);
        wanted.opened();
      },
      closed: (by) => {
        el.remove();
        wanted.closed(by);
      },
    },
    `ck${Math.random().toString(36).slice(2)}`,
    el,
  );
  return () => {
    form.dropped = true;
    el.remove();
  };
}
