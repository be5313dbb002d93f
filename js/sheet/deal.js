/** Damage and healing on the rungs: the ladder is the form. Who is ticked, by half, how much; Python says what it comes to. */
import { html, nothing, render } from "lit-html";

import { askIn } from "../form/form.js";
import { minus, vitalsOf } from "../shared/amount.js";
import { submitOnEnter } from "../shared/enter.js";
import { enter } from "../shared/focus.js";
import { icon } from "../shared/marks.js";
import { items, plain } from "../shared/rich.js";

/** @import { Intent, Refusal } from "../shared/port.js" */
/** @import { Dealing, Parts, Row } from "../shared/types.js" */
/** @import { Desk } from "./sheet.js" */

/** How many are named beside the form; it says how many more there are. */
const NAMED = 4;

const place = () => Object.assign(document.createElement("div"), { className: "ck-under" });

/** @param {Desk} desk */
export function createDeal({ port, say, view, draw, rungOf }) {
  /** Whose rung it stands under. @type {string | undefined} */
  let at;
  /** @type {Set<string>} */
  let ticked = new Set();
  /** @type {Set<string>} */
  let halved = new Set();
  let amount = "";
  /** @type {string | undefined} */
  let chosen;
  /** Whether conditions are asked for too. */
  let wide = false;
  /** @type {Dealing | undefined} */
  let answer;
  /** Why Python refused what was sent. @type {Parts | undefined} */
  let refused;
  let asked = 0;
  /** The form that asks for faces rolled at the table. @type {(() => void) | undefined} */
  let dice;
  /** What the form stands in: it keeps what is typed while its rung is out of sight. */
  let el = place();

  const names = () => [...ticked];
  const half = () => names().filter((name) => halved.has(name));
  const nameAt = (/** @type {string | undefined} */ id) => (id === undefined ? undefined : view().rows[id]?.name);
  /** @param {string} selector */
  const find = (selector) => /** @type {HTMLElement | null} */ (el.querySelector(`.ck-deal ${selector}`));
  /** Damage is dealt now; in the past it is out of sight. */
  const isOpen = () => at !== undefined && !view().past;

  const question = () => ({ kind: "deal", names: names(), amount: amount.trim(), half: half(), ...(chosen && { vital: chosen }) });

  /** Asks what it would come to; only the latest answer counts. */
  const ask = async () => {
    const number = (asked += 1);
    try {
      const found = await port.ask(question());
      if (number === asked) answer = found;
    } catch (refusal) {
      if (number === asked) refused = [/** @type {Refusal} */ (refusal).reason];
    }
    if (number === asked && at !== undefined) draw();
  };

  const change = () => {
    refused = undefined;
    draw();
    ask();
  };

  /** @param {boolean} [focus] */
  const shut = (focus = true) => {
    const id = at;
    dice?.();
    dice = at = answer = refused = undefined;
    asked += 1;
    draw();
    if (focus) /** @type {HTMLElement | null | undefined} */ (rungOf(id)?.querySelector("button.ck-vital") ?? rungOf(id))?.focus();
  };

  /** @param {Refusal} refusal */
  const fail = ({ reason, rule }) => {
    refused = rule ? [`${reason} `, { rule }] : [reason];
    say(plain(refused));
    draw();
  };

  /**
   * Sends a call; it is done where the question after it is answered first.
   *
   * @param {Intent} call
   * @param {(refusal: Refusal) => void} [told]
   */
  const send = async (call, told = fail) => {
    const from = at;
    let no = false;
    port.send(call, (refusal) => {
      no = true;
      told(refusal);
    });
    await port.ask(question()).catch(() => {});
    if (!no && at !== undefined && at === from) shut();
  };

  /** @param {"damage" | "heal"} kind @param {string} title */
  const give = async (kind, title) => {
    const text = amount.trim();
    if (!text || !ticked.size) {
      fail({ reason: text ? "Tick at least one combatant." : "Type how much: a number, or dice such as 2d6+3." });
      find("input")?.focus();
      return;
    }
    const note = /** @type {HTMLInputElement | null} */ (find("[name=note]"))?.value.trim();
    const call = {
      ...{ names: names(), amount: /^\d+$/.test(text) ? Number(text) : text },
      ...(half().length && { half: half() }),
      ...(chosen && { vital: chosen }),
      ...(note && { note }),
    };
    dice?.();
    dice = undefined;
    if (view().dice !== "table" || typeof call.amount === "number") return send({ kind, ...call });
    const under = /** @type {HTMLElement | null} */ (el.querySelector("[data-ask=deal]"));
    if (!under) return;
    dice = askIn(under, port, {
      ...{ name: null, action: kind, title, params: call, table: true, say },
      send: (/** @type {any} */ { params, rolls }, /** @type {any} */ no) => send({ kind, ...params, ...(rolls && { rolls }) }, no),
      opened: () => enter(under),
      closed: () => (dice = undefined),
    });
  };

  const setTo = () => {
    const vital = answer?.vital;
    if (!/^\s*\d+\s*$/.test(amount) || !vital || !ticked.size) return fail({ reason: "Set takes a number." });
    send({ kind: "set", names: names(), vital, amount: Number(amount) });
  };

  const setCondition = () => {
    const [condition, until] = ["condition", "until"].map((name) => /** @type {HTMLInputElement | null} */ (find(`[name=${name}]`))?.value.trim());
    if (!condition || !ticked.size) return fail({ reason: "Type a condition." });
    send({ kind: "condition", name: names(), condition, ...(until && { until }) });
  };

  /** @param {string} name */
  const toggle = (name) => {
    if (!ticked.delete(name)) ticked.add(name);
    change();
  };
  /** @param {string} name */
  const toggleHalf = (name) => {
    if (!halved.delete(name)) halved.add(name);
    ticked.add(name);
    change();
  };

  /** @param {KeyboardEvent} event */
  const onKey = (event) => {
    const field = /** @type {HTMLInputElement} */ (event.target).name;
    if (event.key === "Escape") shut();
    else if (event.key === "Enter" && field === "condition") setCondition();
    else if (event.key === "Enter" && event.shiftKey && field === "amount") give("heal", "Heal");
    else return submitOnEnter(event);
    event.preventDefault();
    event.stopPropagation();
  };

  const told = () => {
    const all = names();
    if (!all.length) return "Tick who it's for on the ladder.";
    const some = all.slice(0, NAMED).map((name) => (halved.has(name) ? `half for ${name}` : name));
    return `${some.join(", ")}${all.length > NAMED ? ` and ${all.length - NAMED} more` : ""}. Tick others on the ladder.`;
  };

  /** @param {string} title @param {() => unknown} press @param {boolean} [open] @param {boolean} [barred] */
  const button = (title, press, open, barred) =>
    html`<button type="button" class="ck-btn" aria-expanded=${open ?? nothing} aria-disabled=${barred ? "true" : nothing} @click=${press}>${title}</button>`;

  const form = () => {
    const { vitals = [], vital, conditions = [], untils = [""], why = [], high } = answer ?? {};
    const number = /^\s*\d+\s*$/.test(amount) ? ` to ${Number(amount)}` : "";
    const bar = refused ?? why;
    return html`<form class="ck-deal ck-under" aria-label="Damage or heal" @keydown=${onKey}
      @submit=${(/** @type {Event} */ event) => {
        event.preventDefault();
        give("damage", "Damage");
      }}><span class="ck-label">${told()}</span
      ><input name="amount" class="is-num" aria-label="How much" placeholder="2d6+3" autocomplete="off" .value=${amount}
        @input=${(/** @type {any} */ { target }) => {
          amount = target.value;
          change();
        }} />${
        vitals.length > 1
          ? html`<select aria-label="Which" @change=${(/** @type {any} */ { target }) => {
              chosen = target.value;
              change();
            }}>${vitals.map(([id, title]) => html`<option value=${id} ?selected=${id === vital}>${title}</option>`)}</select>`
          : nothing
      }<button class="ck-btn is-main">Damage</button>${button("Heal", () => give("heal", "Heal"))}${button(`Set${number}`, setTo, undefined, Boolean(high?.length))}${button("Cancel", () => shut())}
      <input name="note" class="is-note" aria-label="Note" placeholder="Note for the log" autocomplete="off" />${button(
        "Condition",
        () => {
          wide = !wide;
          draw();
          if (wide) find("[name=condition]")?.focus();
        },
        wide,
      )}${
        wide
          ? html`<span class="ck-conds"><input name="condition" aria-label="Which condition" placeholder="Condition" list="ck-conditions" autocomplete="off" /><datalist id="ck-conditions">${conditions.map((each) => html`<option value=${each}></option>`)}</datalist
            ><select name="until" aria-label="Until">${untils.map((each) => html`<option value=${each}>${each || "until the GM ends it"}</option>`)}</select>${button("Set condition", setCondition)}</span>`
          : nothing
      }<p class="ck-why">${bar.length ? [icon("slash"), items(bar)] : nothing}</p></form
      ><div class="ck-under" data-ask="deal"></div>`;
  };

  return {
    isOpen,
    /** @param {string} id */
    open: (id) => {
      const name = nameAt(id);
      if (name === undefined) return;
      if (at !== undefined) {
        if (at === id) shut();
        else toggle(name);
        return;
      }
      at = id;
      el = place();
      ticked = new Set([name]);
      halved = new Set();
      amount = "";
      chosen = refused = undefined;
      wide = false;
      change();
      find("input")?.focus();
      find("input")?.scrollIntoView({ block: "nearest" });
    },
    /**
     * What stands over the bar, and what that is called: what is left, and while damage is dealt what it would come to.
     *
     * @param {Row} row
     * @returns {[unknown, string]}
     */
    vital: (row) => {
      const { vitals } = view();
      const kept = vitalsOf(row);
      // While damage is dealt, only what it comes off is told.
      const first = !isOpen() ? 0 : Math.max(0, vitals.findIndex(([id]) => id === answer?.vital));
      const held = isOpen() && ticked.has(row.name) ? answer?.rungs[row.name] : undefined;
      const shown = held ? [held] : !isOpen() ? kept : [kept[first]];
      const several = shown.length > 1;
      /** @type {string[]} */
      const said = [];
      const bars = shown.map((each, index) => {
        const [now, full, then] = each ?? [];
        const title = vitals[first + index]?.[1].toLowerCase();
        said.push(`${title ? `${title} ` : ""}${now == null ? "unknown" : minus(now)}${full == null ? "" : ` of ${full}`}${then == null ? "" : `, then ${minus(then)}`}`);
        // The name has it all in words; of three numbers in a row, no name could have just what is seen.
        const rest = then != null ? ` → ${minus(then)}` : several || full == null ? "" : `/${full}`;
        return html`<span class="ck-vital-n ${then == null ? "" : "is-going"}" aria-hidden="true" data-rest=${rest}
          .style="--v:${now};--f:${full};--w:${then}">${minus(now)}</span>`;
      });
      return [bars, `${row.name}: ${said.join(", ")}. Damage or heal`];
    },
    /** @param {string} id */
    isAt: (id) => id === at,
    /** @param {Row} row */
    tick: (row) =>
      !isOpen()
        ? undefined
        : html`<label class="ck-tick"><input type="checkbox" aria-label=${row.name} .checked=${ticked.has(row.name)}
            @change=${() => toggle(row.name)} /></label>`,
    /**
     * What a key does on a rung while damage is dealt, if anything.
     *
     * @param {string | undefined} id
     * @param {string} key
     */
    keyOn: (id, key) => {
      const name = nameAt(id);
      if (!isOpen() || name === undefined) return undefined;
      return { Escape: () => shut(), " ": () => toggle(name), h: () => toggleHalf(name) }[key];
    },
    /** @param {Row} row */
    half: (row) =>
      !isOpen() || !ticked.has(row.name)
        ? undefined
        : html`<button type="button" class="ck-chip is-half" aria-label="Half for ${row.name}" aria-keyshortcuts="H" aria-pressed=${halved.has(row.name)}
            @click=${() => toggleHalf(row.name)}>half</button>`,
    /** @param {string} id */
    under: (id) => {
      if (id !== at || !isOpen()) return nothing;
      render(form(), el);
      return el;
    },
    come: () => {
      if (at === undefined || view().past) return;
      const here = new Set(Object.values(view().rows).map(({ name }) => name));
      ticked = new Set(names().filter((name) => here.has(name)));
      if (!view().acts || !view().rows[at]) shut(false);
      else ask();
    },
  };
}
