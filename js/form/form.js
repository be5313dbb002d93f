/** The form by which an action asks what it still needs: its parameters, its dice, the GM's overruling. */
import { nothing, render } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";

import { keepDraft, takeDraft } from "../shared/draft.js";
import { element, ownPrefix } from "../shared/element.js";
import { inForm } from "../shared/enter.js";
import { enter, focusIn } from "../shared/focus.js";
import { isKey } from "../shared/letter.js";
import { icon } from "../shared/marks.js";
import { claim, isPlain } from "../shared/press.js";
import { isWord, items, plain, refusedBy, rich, section } from "../shared/rich.js";
import { tell } from "../shared/tell.js";
import { die, html, tr, within } from "../shared/tongue.js";
import { areUsable, faceName, facesOf, isFull, isOn, missing } from "./dice.js";
import { isAmong, isSame, spelled } from "./spelled.js";
import { diceTable } from "./table.js";

/** @import { Port, Refusal } from "../shared/port.js" */
/** @import { Choices, Parts, Roll } from "../shared/types.js" */
/** @import { Choice, Param, Spelled } from "./spelled.js" */

/** With more values to choose than this, one is looked for, and those after the first so many fold away. */
const MANY = 8;
const ROLL_IT = "Type what was rolled; R rolls it here.";
/** Who sets off what is kept ready: asked beside the words for it. */
const SETS_OFF = "trigger.actor";

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
 * @property {boolean} [explicit] whether the form opens with its options, even if nothing is needed
 * @property {boolean} [zoned] whether another zone asks whether it hits, and for how much
 * @property {boolean} [always] whether the form opens even if nothing is needed
 * @property {boolean} [override] whether the GM has set a refusal aside already
 * @property {string} [act] what the button is called that sends it, if not by the title
 * @property {unknown} [beside] stands in the place of Cancel
 * @property {boolean} [final] whether nobody here can set a refusal aside
 * @property {boolean} [calm] whether a choice only chooses: a button of its own does it, and what can be chosen is asked first
 * @property {boolean} [noted] whether the form asks for a note too
 * @property {boolean} [among] whether others are asked the same: a name answers only what is in sight, else it leads to them
 * @property {Record<string, string[]>} [typed] faces typed before, by purpose; what is typed now goes in there too
 * @property {(fields: Record<string, unknown>, refused: (refusal: Refusal) => void) => void} [send] instead of `do`
 * @property {number} [moment] which moment was shown as it was wanted, if that is not now
 * @property {(text: string) => void} say
 * @property {(why: Parts) => void} [barred] called instead of opening, where Python refuses what is asked
 * @property {() => void} [changed] called when it is drawn again
 * @property {() => void} opened called when the form is there to be filled in
 * @property {(by: "sent" | "escape") => void} closed
 *
 * What only the table can say: the question, what it rests on, and where it is answered.
 * @typedef {{text: Parts, sub: Parts, el: HTMLElement}} Question
 *
 * @typedef {object} Form
 * @property {HTMLElement} el
 * @property {() => void} look asks again about what is filled in: much may be otherwise by now
 * @property {() => string[]} aims at whom it is aimed
 * @property {() => boolean} isMany whether it may be aimed at several
 * @property {(name: string | string[]) => boolean} aimAt aims at somebody, if that is among what can be chosen; at those of several who are
 * @property {() => void} next aims at the next who can be chosen
 * @property {() => void} start goes to where it is filled in next
 * @property {() => Question | undefined} question what it asks elsewhere
 * @property {() => boolean} isTouched whether somebody has filled in something
 * @property {() => boolean} isThrown whether dice have been typed
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
export function createForm(port, wanted, prefix, el = element("div", { className: "ck-work-of" })) {
  const { name, action, title, table: thrown, say } = wanted;
  const of = { name, action, given: wanted.given ?? {} };
  /** What was filled in before the page was loaded anew. */
  const before = takeDraft(of);
  /** @type {Record<string, unknown>} */
  let params = { ...wanted.params, ...before?.params };
  /** What is filled in by itself. @type {Record<string, unknown>} */
  let proposed = { ...wanted.given };
  const { typed = { ...before?.typed } } = wanted;
  /** @type {Spelled | undefined} */
  let answer;
  /** Why Python refused what was sent last. @type {Parts | undefined} */
  let refused;
  /** Why the choice pressed last is refused. @type {Parts | undefined} */
  let told;
  /** Whether Enter has been pressed on a die that is still to be typed. */
  let waits = false;
  /** Where it is answered whether it hits, and for how much. */
  const zone = element("span", { className: "ck-asked" });
  /** The rolls that are left to Python one by one, by purpose. @type {Set<string>} */
  const auto = new Set();
  let { override = false } = wanted;
  let note = before?.note ?? "";
  let number = 0;
  /** Whether `answer` is about what is filled in now. */
  let current = false;
  /** The box that a full face has led on to: an Enter or Tab behind the face, out of habit, leads no further. @type {HTMLInputElement | undefined} */
  let led;
  /** The box with a full face that has led nowhere: the answer may bring more dice. @type {HTMLInputElement | undefined} */
  let leads;
  /** The box at which an Enter out of habit has led no further while the answer was on its way: if that takes the box away, the Enter was the last. @type {HTMLInputElement | undefined} */
  let stayed;
  /** What is looked for among many values, by parameter. @type {Record<string, string>} */
  const sought = {};
  /** The options were opened. */
  let wide = Boolean(wanted.explicit || before?.wide);
  /** They are in sight. */
  let isOpen = false;
  /** The lines of choices that are open, by what they hold. @type {Set<string>} */
  const unfolded = new Set();
  /** Every roll that was asked for so far: what a miss leaves out stays in sight. @type {Map<string, Roll>} */
  const known = new Map();
  let touched = Boolean(before);
  /** Whether what is filled in is kept for when the page is loaded anew. */
  let isKept = touched;
  /** Whether the latest question is not answered yet. */
  let pending = false;
  /** Whether the fight has gone on since the last question, which may have been answered before. */
  let stale = false;
  /** What waits for the answer: Enter, or the button. @type {(() => void) | undefined} */
  let eager;
  /** Whether Enter behind the last die of a table waits for it: there may be ties. */
  let late = false;
  /** Digits typed before the dice have come that they are for. */
  let held = "";

  /** Which moment was shown when somebody did something here last: what waits for an answer is meant for that one still. */
  let moment = wanted.moment ?? port.moment();
  for (const each of [el, zone]) {
    for (const event of ["click", "keydown", "input"]) each.addEventListener(event, () => (moment = port.moment()), { capture: true });
  }

  const keepIt = () => {
    if (isKept && !form.dropped) keepDraft({ of, params, typed, note, wide });
  };

  /** Somebody fills something in. */
  const touch = () => {
    touched = true;
    isKept = true;
  };

  /** @param {"sent" | "escape"} by */
  const close = (by) => {
    if (isKept) keepDraft();
    isKept = false;
    wanted.closed(by);
  };

  /** Draws; what is gone leaves the focus to what has come into its place, or to where the form goes on. */
  const changed = () => {
    const on = focusIn(el) ?? focusIn(zone);
    const row = on?.closest("[role=group]");
    const place = row ? [...row.querySelectorAll("button")].indexOf(/** @type {HTMLButtonElement} */ (on)) : -1;
    render(template(), el);
    render(asked() ? zoned() : nothing, zone);
    wanted.changed?.();
    keepIt();
    if (!on || on.isConnected) return;
    const next = row?.isConnected && row.querySelectorAll("button")[place];
    if (next) next.focus();
    else start();
    led = all("input.ck-face").find((box) => box.matches(":focus"));
  };
  const show = () => {
    changed();
    wanted.opened();
  };

  /** What is filled in, as it is sent: who sets something off is part of what sets it off. */
  const meant = () => {
    const { [SETS_OFF]: actor, ...rest } = params;
    return actor ? { ...rest, trigger: { actor, ...(rest.trigger ? { text: rest.trigger } : {}) } } : rest;
  };

  /** The faces of dice that are asked for; others may have been typed before that. */
  const rolls = () => facesOf(Object.fromEntries((answer?.dice ?? []).map(({ purpose, sides }) => [purpose, (typed[purpose] ?? []).slice(0, sides.length)])));

  /** What is asked in the zone, and not said yet. */
  const asked = () => (wanted.zoned && !override ? answer?.params.find((param) => isZoned(param) && isUnsaid(param)) : undefined);

  /** Goes to where it is filled in next: a die, what the zone asks, or where the form begins. */
  const start = () => {
    const die = all("input.ck-face").find(isDue);
    if (asked() && !die) zone.querySelector(/** @type {"input"} */ ("button, input"))?.focus();
    else enter(el);
  };

  /** @param {string} selector */
  const all = (selector) => /** @type {HTMLInputElement[]} */ ([...el.querySelectorAll(selector)]);

  /**
   * Asks Python about what is filled in; only the latest answer counts. What was refused before is still to be read if
   * it `stays`. Where the answer `sends` it, once nothing is left to say, it is sent and not drawn first.
   */
  const ask = async (stays = false, sends = false) => {
    number += 1;
    pending = true;
    told = undefined;
    waits = false;
    const mine = number;
    current = false;
    try {
      const more = { ...(override && { override }), ...(mine === 1 && name !== null && { propose: true }) };
      const given = await port.ask({ kind: "choices", name, action, params: meant(), rolls: facesOf(typed), ...more });
      if (mine !== number) return false;
      if (!stays) refused = undefined;
      answer = { ...given, params: given.params.map(spelled) };
      for (const roll of given.dice) known.set(roll.purpose, roll);
      proposed = { ...given.given, ...proposed };
      params = { ...given.given, ...params };
      current = true;
    } catch (refusal) {
      if (mine !== number) return false;
      fail(/** @type {Refusal} */ (refusal));
    }
    pending = false;
    // The fight went on after this was worked out: it is asked once more, whatever was to be done with it.
    if (stale) {
      stale = false;
      return ask(stays, sends);
    }
    if (sends && current && answer?.ruling.allowed && isFilled(answer)) {
      eager = undefined;
      submit();
      return false;
    }
    changed();
    // What the first digit alone would have missed is asked for again.
    // Where the box itself has gone, as one die that becomes a table, drawing has led on already.
    const next = leads?.matches(":focus") ? goTo(all("input.ck-face").find(isDue)) : leads?.isConnected === false && led;
    leads = undefined;
    if (next) led = eager || late ? undefined : next;
    // An Enter that has waited goes no further than there: it sends nothing that is still to be rolled.
    if (next) eager = undefined;
    if (stayed && !stayed.isConnected) eager = proceed;
    stayed = undefined;
    if (stays) mend();
    if (late) goOn();
    const digits = held;
    held = "";
    for (const digit of digits) {
      const box = all("input.ck-face:focus").find(({ value, maxLength }) => value.length < maxLength);
      if (!box) break;
      box.value += digit;
      box.dispatchEvent(new InputEvent("input", { data: digit }));
    }
    const act = eager;
    eager = undefined;
    act?.();
    return true;
  };

  /** Behind the last die of a table, goes to a die that has come to be rolled, else to what sends them. */
  const goOn = () => {
    late = !current;
    const next = all("input.ck-face").find(isDue) ?? /** @type {HTMLElement | null} */ (el.querySelector("[type=submit]"));
    if (current) next?.focus();
    return null;
  };

  /** Leads to what is filled in wrong, if something is. */
  const mend = () => {
    const [field] = all(`[name="${answer?.ruling.param}"]`);
    field?.focus();
    return field;
  };

  /** @param {Refusal} refusal */
  const fail = (refusal) => {
    refused = refusedBy(refusal);
    say(plain(refused));
    changed();
  };

  /** Whether it is what somebody has said already. @param {Record<string, unknown>} said */
  const isSaid = (said) => JSON.stringify(Object.entries(said).sort()) === JSON.stringify(Object.entries(params).sort());

  const submit = () => {
    // What is said again stands: to take it back has a button of its own.
    if (answer?.said?.some(isSaid) && !note) return close("sent");
    give();
  };

  const give = () => {
    const faces = rolls();
    const fields = {
      ...(name === null ? {} : { name, action }),
      params: meant(),
      ...(Object.keys(faces).length ? { rolls: faces } : {}),
      ...(override ? { override } : {}),
      ...(note ? { note } : {}),
      ...(moment ? { moment } : {}),
    };
    const send = wanted.send ?? ((given, no) => port.send({ kind: "do", ...given }, no));
    send(fields, (refusal) => {
      isKept = touched;
      show();
      fail(refusal);
      ask(true);
    });
    close("sent");
  };

  const barrier = () => {
    if (override || !current || !answer) return refused;
    return answer.ruling.allowed ? refused : (refused ?? answer.ruling.reason ?? []);
  };

  /** What is asked for and not said yet: without it an attack would come to nothing. @param {Param} param */
  const isUnsaid = ({ id, required }) => required && params[id] == null;

  const trySubmit = () => {
    const bar = refused === undefined ? barrier() : undefined;
    const unsaid = override ? undefined : answer?.params.find(isUnsaid);
    if (asked() && !missing(due(answer?.dice ?? []), rolls())) {
      say(plain([.../** @type {Question} */ (question()).text]));
      start();
    } else if (bar) say(plain(bar));
    else if (unsaid) say(unsaid.title);
    else submit();
  };

  /** What is still to be filled in, in the order of the form: empty dice and fields, and where to choose. */
  const unfilled = () =>
    all("input.ck-face, [data-due]").flatMap((each) => (each.matches(".ck-face") ? (isDue(each) ? [each] : []) : (each.querySelector("input, .ck-pick:not(.is-more, [aria-disabled])") ?? each.querySelector("button") ?? [])));

  /** Goes on to what is filled in next, behind what has the focus or before it; says whether there is anything. */
  const goAhead = () => {
    const on = focusIn(el);
    const open = /** @type {HTMLElement[]} */ (unfilled());
    const next = open.find((each) => on && on.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING) ?? open.find((each) => each !== on);
    next?.focus();
    return Boolean(next);
  };

  /** Enter in a field goes on as Tab does until all is filled, and then sends: dice that the table rolls are neither rolled nor passed over by it. */
  const proceed = () => {
    if (pending) {
      eager = proceed;
      return;
    }
    const error = answer?.dice.map((roll) => roll.error).find(Boolean);
    const [die] = all("input.ck-face:focus");
    waits = Boolean(die && isDue(die));
    if (error) say(error);
    else if (waits) {
      say(ROLL_IT);
      changed();
    } else if (goAhead()) return;
    // Who goes when is sent by the button alone.
    else if (answer?.dice.some(({ who }) => who)) goOn();
    else trySubmit();
  };

  /** The button leaves the dice that are not typed to Python. */
  const rollRest = () => {
    if (pending) {
      eager = rollRest;
      return;
    }
    const asks = answer?.dice ?? [];
    const error = asks.map((roll) => roll.error).find(Boolean);
    if (error) say(error);
    else if (missing(due(asks), rolls()) && Object.keys(rolls()).length && !areUsable(asks, rolls())) say("Type all dice of a roll, or none of them.");
    else trySubmit();
  };

  /** Whether picking one of these is all that is left to do: then nothing else sends it. What is kept for later is only
   * selected. @param {Param} param */
  const isSent = (param) => {
    const others = besides(param);
    return param.type === "one" && param.required && (!wanted.calm || param.id === "outcome") && !answer?.dice.length && others.every(({ id }) => params[id] != null) && !(param.id === "action" && answer?.params.some(({ id }) => id === "trigger")) && (params[param.id] == null || !others.length);
  };

  /** What else is asked for. @param {Param} param */
  const besides = (param) => answer?.params.filter((each) => each.required && each !== param) ?? [];

  /** Whether nothing that is asked for is left to say or type. @param {Spelled} given */
  const isFilled = ({ params: asks, dice: rolled }) =>
    asks.every(({ id, required }) => !required || params[id] != null) && !missing(due(rolled), rolls()) && !rolled.some(({ error }) => error);

  /** @param {Param} param @param {unknown} value @param {boolean} [stays] whether it sends nothing */
  const set = async (param, value, stays) => {
    touch();
    const only = !stays && isSent(param);
    const alone = only && !besides(param).length;
    params = { ...params };
    if (value === undefined || value === "") delete params[param.id];
    else params[param.id] = value;
    if (alone && !thrown && !mend()) {
      submit();
      return;
    }
    const sends = only || isZoned(param);
    if (!sends) changed();
    if (!(await ask(false, sends)) || !answer) return;
    if (asked()) start();
    else if (param.type === "one" && !mend() && !goAhead()) /** @type {HTMLElement | null} */ (el.querySelector(".is-main:not([aria-disabled])"))?.focus();
  };

  /** @param {Param} param @param {Choice} choice @param {string} why @param {boolean} [aims] whether it sends nothing */
  const pick = (param, choice, why, aims) => {
    if (!choice.allowed && !override) {
      told = choice.why;
      say(why);
      changed();
      return;
    }
    if (param.type === "one") {
      if (param.id === "action" && !choice.more && param.values?.some(({ more: asks }) => asks)) params = { ...wanted.params };
      set(param, isSame(params[param.id], choice.value) && !param.required ? undefined : choice.value, choice.more || aims);
      return;
    }
    const before = /** @type {unknown[]} */ ([params[param.id] ?? []].flat());
    const after = before.includes(choice.value) ? before.filter((each) => each !== choice.value) : [...before, choice.value];
    set(param, after.length ? after : undefined);
  };

  /** A word that opens more. @param {string} words @param {boolean} isOpen @param {() => unknown} turn */
  const more = (words, isOpen, turn) => html`<button type="button" class="ck-pick is-more" aria-expanded=${isOpen} @click=${() => {
    turn();
    changed();
  }}>${words}${icon("fold")}</button>`;

  /** Of reasons that are alike but for a name or a number the first; the others are heard, and told where they are pressed. @typedef {{id: string, parts: Parts, of: string}} Reason @param {Reason[]} whys */
  const reasons = (whys) =>
    [...new Set(whys.map(({ of }) => of))].map((kind) => {
      const [first, ...alike] = whys.filter(({ of }) => of === kind);
      return first && html`<p class="ck-why" id=${first.id}>${items(first.parts)}${alike.length ? html`<span>${alike.length} more likewise</span>` : nothing}</p>${
        alike.map(({ id, parts }) => html`<span class="ck-sr" id=${id}>${plain(parts)}</span>`)}`;
    });

  /** @param {Param} param @param {unknown} [behind] */
  const choices = (param, behind = nothing) => {
    /** Reasons that several share stand once. @type {Map<string, Reason>} */
    const whys = new Map();
    for (const { allowed, why, value } of param.values ?? []) {
      const words = plain(why);
      const of = words.replaceAll(String(value), "").replace(/\d+/g, "");
      if (!allowed && !whys.has(words)) whys.set(words, { id: `${prefix}-${param.id}-${whys.size}`, parts: why ?? [], of });
    }
    const isChosen = (/** @type {Choice} */ { value }) => isAmong(params[param.id], value);
    const pickOf = (/** @type {Choice} */ choice) => {
      const words = plain(choice.why);
      const chosen = isChosen(choice);
      const sends = chosen && isSent(param) && Boolean(choice.allowed || override);
      return html`<button type="button" class="ck-pick ${sends ? "is-main" : ""}" aria-description=${choice.small ?? (isSent(param) && !choice.more ? "does it at once" : nothing)}
        aria-pressed=${chosen || !isSent(param) ? chosen : nothing}
        aria-disabled=${choice.allowed || override ? nothing : "true"}
        aria-describedby=${whys.get(words)?.id ?? nothing}
        @keydown=${onPickKey} @click=${() => pick(param, choice, words)}>${choice.allowed ? nothing : icon("slash")}${choice.label.map((part) => [rich([part]), " "])}${choice.more && isSent(param) ? html`<span aria-hidden="true">…</span>` : nothing}${choice.small ? html`<small aria-hidden="true">${choice.small}</small>` : nothing}${sends ? html`<kbd class="ck-k" aria-hidden="true">Enter</kbd>` : nothing}</button>`;
    };
    const isLong = Number(param.values?.filter(({ allowed }) => allowed || override).length) > MANY;
    const words = (isLong && sought[param.id] || "").trim().toLowerCase();
    const all = (param.values ?? []).filter(({ label, names }) => [plain(label), names].join(" ").toLowerCase().includes(words));
    const can = all.filter(({ allowed }) => allowed || override);
    const no = all.filter((choice) => !can.includes(choice));
    // Whoever may be attacked and is no enemy, or is down, folds away; where nobody else can be, it is said first why.
    const first = can.filter(({ aside }) => !aside);
    const isBarred = can.length > 0 && !first.length;
    const rest = isLong && !words ? first.splice(MANY) : [];
    const lines = /** @type {[string, string, Choice[]][]} */ ([["rest", `${rest.length} more`, rest], ...["Allies", "Down"].map((word) => [word, word, can.filter(({ aside }) => aside === word)]), ["no", `${no.length} can't be chosen`, no]]).filter(([, , some]) => some.length);
    if (isBarred) lines.reverse();
    const isOpen = (/** @type {string} */ id, /** @type {Choice[]} */ some) => unfolded.has(`${param.id} ${id}`) || (id === "no" ? isBarred : some.some(isChosen));
    return html`${isLong ? find(param, first[0]) : nothing}<div class="ck-row" role="group" data-due=${isUnsaid(param) ? "" : nothing} aria-label="${title}: ${param.title}">${
      param.id === "target" || !(first.length + lines.length) ? nothing : html`<span class="ck-quiet">${param.title}</span>`
    }${first.map(pickOf)}${words && !all.length ? html`<span class="ck-quiet">Nothing matches.</span>` : nothing}${lines.map(([id, said, some]) =>
      isOpen(id, some) ? some.map(pickOf) : more(said, false, () => unfolded.add(`${param.id} ${id}`)),
    )}${behind}</div>${no.length && isOpen("no", no) ? reasons([...whys.values()]) : nothing}`;
  };

  /** Gives a sheet what it lacks, where it stays, and goes on. @param {string} text */
  const keep = async (text) => {
    const { name: whose, stat, weapons = [], place = -1 } = /** @type {NonNullable<Choices["lacks"]>} */ (answer?.lacks);
    const given = place < 0 ? Number(text) : weapons.map((row, index) => (index === place ? { ...row, damage: text } : row));
    port.send({ kind: "edit", name: whose, [stat]: given }, fail);
    if (await ask(false, true)) start();
  };

  /** A box for what a sheet lacks, and for how much a blow is: dice stay on the sheet, a number is this blow's.
   * @param {string} said @param {string} name @param {(text: string) => unknown} take */
  const box = (said, name, take) => html`<label class="ck-row"><span class="ck-quiet">${said}</span><input class="ck-field is-short" autocomplete="off" aria-label=${name} placeholder="?" @keydown=${(/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter") return;
    claim(event);
    take(/** @type {HTMLInputElement} */ (event.target).value.trim());
  }} /></label>`;

  /** A box of its own for each number that is lacking: the next one begins empty. @param {NonNullable<Choices["lacks"]>} lack */
  const lacking = (lack) =>
    repeat([lack], ({ name: whose, stat }) => `${whose} ${stat}`, ({ name: whose, title: said }) =>
      box(wanted.zoned ? said : `${whose}'s ${said}`, `${whose}'s ${said}`, (text) => (/^[+-]?\d+$/.test(text) ? keep(text) : say("Type a number."))));

  /** Says how much a blow is; what is no amount is asked for again. @param {string} text */
  const deal = async (text) => {
    if (/d/i.test(text) && answer?.lacks?.weapons) return keep(text);
    const before = params;
    params = { ...params, damage: text };
    await ask();
    if (!barrier()) return submit();
    if (answer?.ruling.param === "damage") {
      params = before;
      await ask();
      say("Type a number, or dice.");
    }
    return start();
  };

  /** What stands in the zone: hit or miss and the number that would tell, then how much. */
  const zoned = () => {
    const param = /** @type {Param} */ (asked());
    const lack = answer?.lacks;
    const said = param.values?.slice(0, 2).map(
      (choice, index) => html`<button type="button" class="ck-btn ${index ? "" : "is-main"}" @click=${() => pick(param, choice, plain(choice.why))}>${titled(plain(choice.label))}</button>`,
    );
    const amount = () => [box("", param.title, deal), html`<button type="button" class="ck-btn is-main" @click=${() => deal(zone.querySelector("input")?.value.trim() ?? "")}>Damage</button>`];
    return html`<span class="ck-row" role="group" aria-label=${param.title} @keydown=${onKey}>${said ?? amount()}${said && lack ? lacking(lack) : nothing}</span>`;
  };

  /** @type {() => Question | undefined} */
  const question = () => {
    const param = asked();
    if (!param) return undefined;
    const [bar = ""] = barrier() ?? [];
    const sub = param.values ? (typeof bar === "string" ? bar : "") : `A number, or dice${answer?.lacks?.weapons ? `: dice stay on ${answer.lacks.name}'s sheet` : ""}.`;
    const at = form.aims().join(", ");
    const stays = param.values && answer?.lacks ? [" ", `What is typed stays on ${answer.lacks.name}'s sheet.`] : [];
    return { text: [`${name} · ${title}${at && ` ${tr(`against ${at}`)}`}: `, { strong: param.title }], sub: [sub, ...stays], el: zone };
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
      claim(event);
      changed();
    };
    const name = param.id === "action" ? "Find an action" : `Find: ${within(param.title)}`;
    const hint = param.id === "target" ? "Type a name, or click a rung" : name;
    return html`<div class="ck-find"><input type="search" class="ck-field" placeholder=${hint} aria-label=${name} autocomplete="off" .value=${sought[param.id] ?? ""} @input=${onFind} @keydown=${onFindKey} /></div>`;
  };

  /** @param {Param} param @param {unknown} [behind] stands behind its choices */
  const field = (param, behind) => {
    if (isPicked(param)) return choices(param, behind);
    const isNumber = param.type === "number";
    const hint = `${prefix}-${param.id}-hint`;
    const near = param.near?.map(([value, title]) => {
      const take = (/** @type {any} */ { currentTarget }) => {
        currentTarget.closest(".ck-row").previousElementSibling.lastElementChild.value = value;
        set(param, value);
      };
      return html`<button type="button" class="ck-pick" aria-pressed=${params[param.id] === value} @keydown=${onPickKey} @click=${take}>${title} <small>${value}</small></button>`;
    });
    const said = html`<label class="ck-lab" data-due=${isUnsaid(param) ? "" : nothing}><span>${param.title}${param.hint ? html`<span id=${hint} aria-hidden="true"> · ${param.hint}</span>` : nothing}</span><input class="ck-field" type=${isNumber ? "number" : "text"} name=${param.id}
      placeholder=${param.example ?? nothing} value=${params[param.id] ?? nothing} aria-invalid=${answer?.ruling.param === param.id ? "true" : nothing} aria-describedby="${param.hint ? `${hint} ` : ""}${prefix}-bar" @input=${
      (/** @type {any} */ { target }) => set(param, isNumber && target.value !== "" ? Number(target.value) : target.value)
    } /></label>`;
    return near ? html`${said}<div class="ck-row" role="group" aria-label="Near places">${near}</div>` : said;
  };

  /** @param {Roll} roll @param {number} index @param {InputEvent} event */
  const onFace = ({ purpose, sides }, index, event) => {
    const box = /** @type {HTMLInputElement} */ (event.target);
    const text = box.value.replace(/\D/g, "");
    touch();
    if (box.value !== text) box.value = text;
    (typed[purpose] ??= [])[index] = text;
    auto.delete(purpose);
    // Only digits lead on: a face that is deleted, or not on its die, keeps the focus.
    const most = sides[index] ?? 0;
    const typedOut = Boolean(event.data && text && isFull(text, most));
    const full = typedOut && isOn(text, most);
    // What is typed next takes the place of what is on no die.
    if (typedOut && !full) box.select();
    led = full ? lead(box) : undefined;
    leads = full && !led ? box : undefined;
    ask();
  };

  /** @param {HTMLInputElement | undefined} to */
  const goTo = (to) => {
    to?.focus();
    to?.select();
    return to;
  };

  /** Leads on to the next die that is still to be typed; what is typed already is in nobody's way. @param {HTMLInputElement} box */
  const lead = (box) => {
    const boxes = all("input.ck-face");
    const after = boxes.slice(boxes.indexOf(box) + 1);
    return goTo([...after, ...boxes].find(isDue) ?? after[0]);
  };

  /** @param {KeyboardEvent} event @param {Roll} roll @param {((event: KeyboardEvent) => void) | undefined} keys of the table it stands in */
  const onFaceKey = (event, roll, keys) => {
    const box = /** @type {HTMLInputElement} */ (event.target);
    const isTab = event.key === "Tab" && !event.shiftKey;
    const isThere = led === box && (isTab || (event.key === "Enter" && !event.shiftKey && !box.value && !answer?.dice?.some(({ error }) => error)));
    led = undefined;
    if (/^\d$/.test(event.key) && !current && (late || leads === box)) {
      held += event.key;
      claim(event);
      return;
    }
    // Behind the last die Tab goes to what sends them, not to what throws them away.
    if (isTab && !isThere && box.value && box === all("input.ck-face").at(-1)) goOn();
    else if (event.key === "Backspace" && !box.value) goTo(all("input.ck-face")[all("input.ck-face").indexOf(box) - 1]);
    else if (/^r$/i.test(event.key) && isPlain(event)) leave(roll, box);
    else if (!isThere) {
      keys?.(event);
      return;
    } else if (event.key === "Enter" && !current) stayed = box;
    claim(event);
  };

  /** Leaves one roll to Python, and goes on to what is still to be typed. @param {Roll} roll @param {HTMLInputElement} box */
  const leave = ({ purpose }, box) => {
    delete typed[purpose];
    auto.add(purpose);
    changed();
    ask();
    const boxes = all("input.ck-face");
    const next = [...boxes.slice(boxes.indexOf(box) + 1), ...boxes].find(isDue);
    if (next) next.focus();
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
      return html`<input class="ck-face" inputmode="numeric" autocomplete="off" placeholder=${auto.has(roll.purpose) ? "me" : die(sides)}
        data-left=${auto.has(roll.purpose) ? "" : nothing} maxlength=${String(sides).length} aria-label="${keys ? `${roll.legend}: ${name}` : name}${auto.has(roll.purpose) ? ", rolled for you" : ""}" aria-keyshortcuts="R" aria-describedby=${id}
        aria-invalid=${wrong ? "true" : nothing} .value=${typed[roll.purpose]?.[index] ?? ""} @keydown=${(/** @type {KeyboardEvent} */ event) => onFaceKey(event, roll, keys)}
        @input=${(/** @type {InputEvent} */ event) => onFace(roll, index, event)} />`;
    });

  /** @param {Roll} roll @param {number} place */
  const dice = (roll, place) => {
    const id = `${prefix}-die${place}`;
    const hint = html`<span class="ck-sr">Type what you rolled (1 to ${roll.sides[0]}). </span>`;
    return html`<fieldset class="ck-row"><legend class=${name === null ? "ck-label" : "ck-sr"}>${roll.legend}</legend>
      ${roll.word && name !== null ? html`<span class="ck-quiet" aria-hidden="true">${roll.word}</span>` : nothing}${faces(roll, id)}<span class=${roll.error ? "ck-err" : "ck-sum"} id=${id}>${
        roll.error ? html`${icon("bang")}<span>${roll.error}</span>` : [hint, rich(roll.sum.filter(isWord)), section(roll.sum, roll.legend)]
      }</span></fieldset>`;
  };

  /** Dice that a miss leaves out stay in sight, and can't be typed. @param {Roll[]} asks */
  const spared = (asks) => {
    const left = asks.length && !missing(asks, rolls()) ? [...known.values()].filter(({ purpose, who }) => !who && !asks.some((roll) => roll.purpose === purpose)) : [];
    return left.map(({ sides, word }) => html`<span class="ck-row" aria-hidden="true"><span class="ck-quiet">${word}</span>${sides.map(() => html`<span class="ck-face is-off">–</span>`)}<span class="ck-sum ck-quiet">none</span></span>`);
  };

  /** Dice that many roll, a line each. @param {import("./table.js").Line[]} lines */
  const table = (lines) => {
    const left = missing(due(lines), rolls());
    const all = lines.flatMap(({ sides }) => sides).length;
    return html`<div class="ck-cap"><h4>Dice</h4><span class="ck-label">${all - left} of ${all} typed</span></div>
      ${diceTable(lines, prefix, faces, goOn, answer?.order)}`;
  };

  /** What the one button does that sends it. @param {Spelled} given */
  const solid = ({ dice: asks, params: fields }) => {
    if (asked()) return nothing;
    const barred = (barrier() && !refused) || (!override && fields.some(isUnsaid));
    const sent = fields.find(isSent);
    // Where none can be pressed, it is said above why; the others fold away.
    if (sent) return override || sent.values?.some(({ allowed, aside }) => allowed && !aside) ? html`<span class="ck-quiet">${wanted.act ? "Press a name to attack" : wanted.among ? "Press one to declare it" : "Press one to do it"}</span>` : nothing;
    const typed = rolls();
    const left = missing(due(asks), typed);
    const none = !Object.keys(typed).length && !auto.size;
    const said = asks.find(({ purpose }) => purpose === "attack")?.sum.map((part) => (typeof part === "object" ? part.strong : undefined));
    const verdict = left ? (none ? "Roll all" : "Roll the rest") : said?.includes("misses") ? "Miss" : said?.includes("hits") ? "Hit" : (wanted.act ?? (wanted.calm ? tr(`${title} now`) : title));
    const usable = left ? none || areUsable(asks, typed) : !due(asks).length || areUsable(asks, typed);
    // Enter in a die rolls none.
    return button(html`${verdict}${left ? nothing : html`<kbd class="ck-k" aria-hidden="true">Enter</kbd>`}`, "is-main", barred || (asks.length && !usable));
  };

  /** @param {unknown} text @param {string} kind @param {unknown} barred @param {() => void} [press] */
  const button = (text, kind, barred, press) =>
    html`<button type=${press ? "button" : "submit"} class="ck-btn ${kind}" aria-disabled=${barred ? "true" : nothing}
      aria-describedby="${prefix}-bar" @click=${press}>${text}</button>`;

  /** @param {SubmitEvent} event */
  const onSubmit = (event) => {
    event.preventDefault();
    if (event.submitter) rollRest();
    else proceed();
  };

  /**
   * Enter on what is chosen already goes on, as in a field; Space takes it back. A letter that is no key
   * around this is looked for: Enter would take what has the focus, whatever had been typed.
   *
   * @param {KeyboardEvent} event
   */
  const onPickKey = (event) => {
    const on = /** @type {HTMLElement} */ (event.currentTarget);
    const box = /** @type {HTMLElement | undefined} */ (on.closest(".ck-row")?.previousElementSibling?.querySelector("[type=search]"));
    if (box && /^\p{L}$/u.test(event.key) && isPlain(event) && !isKey(event)) {
      event.stopPropagation();
      box.focus();
      return;
    }
    if (event.key !== "Enter" || on.ariaPressed !== "true") return;
    claim(event);
    proceed();
  };

  const onKey = inForm(() => close("escape"));

  /** @param {boolean} isOn */
  const overrule = (isOn) => {
    override = isOn;
    changed();
    ask();
  };

  /** Whether the options are open: they were asked for, one of them is filled in, or one turns out to be needed. @param {Param[]} first @param {Param[]} rest */
  const isWide = (first, rest) =>
    wide ||
    rest.some((param) => params[param.id] != null && !(param.id in (wanted.given ?? {})) && !(wanted.zoned && (isZoned(param) || params[param.id] === proposed[param.id]))) ||
    (Boolean(rest.length) && !first.length && !asked() && (Boolean(refused) || !answer?.ruling.allowed));

  const template = () => {
    const given = wanted.why && !override ? undefined : answer;
    const bar = barrier();
    // What the rules allow and is refused all the same, as by a file that is played elsewhere, no GM can allow.
    const isRuled = !answer?.ruling.allowed || refused?.some((part) => typeof part === "object" && part.rule);
    const isRefused = wanted.why || override || told || (bar && current && isRuled && !answer?.ruling.param && !asked());
    const [first = [], rest = []] = [true, false].map((is) => given?.params.filter((param) => ((param.required && !(wanted.zoned && isZoned(param))) || param.id.startsWith("trigger")) === is) ?? []);
    const tabled = given && isTabled();
    const lines = given && !tabled ? [...given.dice.map(dice), ...spared(given.dice)] : [];
    // The last dice share their line with the buttons, unless they are all there is: what they need is said behind them.
    const last = lines.length > 1 ? lines.pop() : nothing;
    isOpen = isWide(first, rest);
    const options = given && (rest.length || wanted.noted) ? more("Options", isOpen, () => (wide = !isOpen)) : nothing;
    // Behind the first choices there is room; a button of its own in the last line would push the others down.
    const behind = first.find(isPicked);
    return html`<form class="ck-work" id=${prefix} aria-label=${name === null ? title : `${title}: ${name}`}
      @submit=${onSubmit} @keydown=${onKey}>${repeat(first, ({ id }) => id, (param) => field(param, param === behind ? options : undefined))}${given?.lacks && name !== null && !wanted.zoned && params.outcome == null ? lacking(given.lacks) : nothing}${given?.foretold ? html`<div class="ck-row"><span>${behind?.values?.[1] && isSent(behind) ? html`<b>${form.aims().join(", ")}</b> · ` : nothing}${rich(given.foretold.filter(isWord))}</span>${section(given.foretold, title)}</div>` : nothing}${given?.guards?.map(guard) ?? nothing}
      ${isOpen ? html`<div class="ck-wide">${repeat(rest.filter((param) => param !== asked()), ({ id }) => id, (param) => field(param))}${
        wanted.noted ? html`<label class="ck-lab">Note<input class="ck-field" .value=${note} @input=${(/** @type {any} */ event) => {
          note = event.target.value.trim();
          isKept = true;
          keepIt();
        }} /></label>` : nothing
      }</div>` : nothing}
      ${tabled ? table(/** @type {any} */ (given?.dice)) : lines}
      <p class="ck-why ${refused ? "is-no" : ""}" id="${prefix}-bar">${items(told ?? (asked() ? undefined : bar) ?? (waits ? [tr(ROLL_IT)] : undefined))}</p>
      ${isRefused && name !== null && !wanted.final
        ? html`<label class="ck-check"><input type="checkbox" .checked=${override} @change=${(/** @type {any} */ { target }) => overrule(target.checked)} />GM allows it</label>`
        : nothing}
      <div class="ck-row">${last}${behind ? nothing : options}<span class="ck-ends">${answer?.said?.some(isSaid) ? button("Take it back", "", false, give) : nothing}${
        wanted.beside ?? button(tabled ? "Back" : "Cancel", tabled ? "" : "is-bare", false, () => close("escape"))
      }${given ? solid(given) : nothing}</span></div></form>`;
  };

  /** What whoever is aimed at may do first. @param {import("../shared/types.js").Guard} guards */
  const guard = ({ name: whose, action: does, title: words }) =>
    html`<div class="ck-row"><span class="ck-quiet">Before it is rolled</span><button type="button" class="ck-pick is-guard" aria-keyshortcuts="A" @click=${(/** @type {Event} */ { currentTarget }) =>
      tell(/** @type {Element} */ (currentTarget), "ck-answer", { name: whose, action: does, needs: true, back: true })}>${words}: ${whose}<kbd class="ck-k" aria-hidden="true">A</kbd></button></div>`;

  /** Escape before Python has answered: what was asked for is wanted no more. @param {KeyboardEvent} event */
  const onEarly = (event) => {
    if (event.key !== "Escape" || form.dropped) return;
    claim(event);
    form.dropped = true;
    close("escape");
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
    if (!wanted.always) addEventListener("keydown", onEarly, { capture: true });
    await ask();
    removeEventListener("keydown", onEarly, { capture: true });
    if (form.dropped) return;
    if (refused && wanted.barred) {
      wanted.barred(refused);
      return;
    }
    const chooses = wanted.calm && answer?.params.some(({ type, values }) => type === "one" && Number(values?.length) > 1);
    if (chooses && !answer?.params.some(({ required }) => required)) wide = true;
    const needed = before || chooses || wanted.always || wanted.override || wanted.explicit || answer?.dice.length || answer?.params.some(({ required }) => required);
    if (needed || refused || !answer?.ruling.allowed) show();
    else submit();
  };
  /** Whom it may be aimed at, and those chosen. */
  const target = () => answer?.params.find(({ id, values }) => id === "target" && values);
  /** Once it is `dropped`, an answer that comes late opens nothing and does nothing.
   * @type {Form} */
  const form = {
    el,
    look: () => {
      if (!pending) ask();
      else if (number > 1) stale = true;
    },
    start,
    isTouched: () => touched,
    isThrown: () => Object.keys(facesOf(typed)).length > 0,
    question,
    aims: () => (target() ? /** @type {string[]} */ ([params.target ?? []].flat()) : []),
    isMany: () => target()?.type === "many",
    aimAt: (name) => {
      const param = target();
      if (Array.isArray(name)) {
        const to = name.filter((each) => param?.values?.some(({ value, allowed }) => allowed && value === each));
        if (param) set(param, to.length ? to : undefined);
        return Boolean(param);
      }
      const choice = param?.values?.find(({ value }) => value === name);
      // Where nobody at all can be chosen, what is done takes no target: a name leads elsewhere.
      if (!param || !choice || (!param.required && ((wanted.among && !isOpen) || !param.values?.some(({ allowed }) => allowed)))) return false;
      pick(param, choice, plain(choice.why), true);
      return true;
    },
    next: () => {
      const can = target()?.values?.filter(({ allowed, aside }) => allowed && !aside) ?? [];
      const at = can.findIndex(({ value }) => [params.target].flat().includes(value));
      const to = can[(at + 1) % can.length]?.value;
      if (to === undefined) return;
      params = { ...params, target: target()?.type === "many" ? [to] : to };
      say(`Target: ${to}.`);
      changed();
      ask();
    },
  };
  begin();
  return form;
}

/** Whether an attack hits, and for how much, is asked where everything is asked. @param {Param} param */
const isZoned = ({ told }) => Boolean(told);

/** @param {string} word */
const titled = (word) => word.charAt(0).toUpperCase() + word.slice(1);

/** Whether it is filled in by choosing. @param {Param} param */
const isPicked = ({ type }) => type === "one" || type === "many";

/**
 * Asks in an element of another widget. Answers with what takes the form away again.
 *
 * @param {HTMLElement} place
 * @param {Port} port
 * @param {Wanted} wanted
 * @returns {() => void}
 */
export function askIn(place, port, wanted) {
  const el = element("div");
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
    ownPrefix(),
    el,
  );
  place.addEventListener("ck-look", form.look);
  return () => {
    place.removeEventListener("ck-look", form.look);
    form.dropped = true;
    el.remove();
  };
}
