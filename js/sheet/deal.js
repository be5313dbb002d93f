/** Damage and healing: the ladder is the form. Who is ticked, by half, how much; Python says what it comes to. */
import { nothing, render } from "lit-html";

import { askIn } from "../form/form.js";
import { minus, vitalsOf } from "../shared/amount.js";
import { element } from "../shared/element.js";
import { submitOnEnter } from "../shared/enter.js";
import { enter } from "../shared/focus.js";
import { icon, side } from "../shared/marks.js";
import { claim } from "../shared/press.js";
import { items, plain, refusedBy } from "../shared/rich.js";
import { tell } from "../shared/tell.js";
import { html, tr, within } from "../shared/tongue.js";
import { vital as drawn } from "../shared/vital.js";
import { completed } from "../shared/wrong.js";

/** @import { Intent, Refusal } from "../shared/port.js" */
/** @import { Dealing, Parts, Row } from "../shared/types.js" */
/** @import { Desk } from "./sheet.js" */

/** @param {Desk} desk */
export function createDeal({ root, port, say, view, draw, back }) {
  /** From whose bar it was opened. @type {string | undefined} */
  let at;
  /** @type {Set<string>} */
  let ticked = new Set();
  /** Who is ticked since they had the focus, or were attacked last: they give way to the first who is clicked. @type {string | undefined} */
  let guess;
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
  /** Put aside by something else, with what is typed. */
  let kept = false;
  /** What the form stands in: it keeps what is typed while it is out of sight. */
  const el = element("div");

  const names = () => [...ticked];
  const half = () => names().filter((name) => halved.has(name));
  const nameAt = (/** @type {string | undefined} */ id) => (id === undefined ? undefined : view().rows[id]?.name);
  /** @param {string} selector */
  const find = (selector) => /** @type {HTMLElement | null} */ (el.querySelector(`.ck-deal ${selector}`));
  /** Damage is dealt now; in the past it is out of sight. */
  const isOpen = () => at !== undefined && !view().past;

  /** Draws the ladder and the form, which stands on the desk if there is one. */
  const put = () => {
    if (isOpen()) render(form(), el);
    const halves = half().length;
    const note = halves ? `${ticked.size} ticked, ${halves} of them half` : `${ticked.size} ticked`;
    tell(root, "ck-desk", { at: "damage", title: "Damage or heal", note, ...(at !== undefined && { el, left: setAside }) });
    draw();
  };

  /** Something else takes its place: what is typed is there when it is opened again. */
  const setAside = () => {
    at = undefined;
    kept = true;
    asked += 1;
    draw();
  };

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
    if (number === asked && at !== undefined) put();
  };

  const change = () => {
    refused = undefined;
    put();
    ask();
  };

  /** @param {boolean} [focus] */
  const shut = (focus = true) => {
    const id = at;
    dice?.();
    dice = at = answer = refused = undefined;
    kept = false;
    asked += 1;
    put();
    if (focus) back(id, "button.ck-vital");
  };

  /** @param {Refusal} refusal */
  const fail = (refusal) => {
    refused = refusedBy(refusal);
    say(plain(refused));
    put();
  };

  /**
   * Sends a call; it is done where the question after it is answered first. What is typed beside it, a number or a
   * condition, is still to be given.
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
    if (no || at === undefined || at !== from) return;
    const [number, condition] = ["amount", "condition"].map((id) => /** @type {HTMLInputElement | null} */ (find(`[name=${id}]`)));
    const isCondition = call.kind === "condition";
    const left = isCondition ? number : condition;
    if (!left?.value.trim()) return shut();
    if (isCondition && condition) condition.value = "";
    else amount = "";
    change();
    left.focus();
  };

  /** @param {"damage" | "heal"} kind */
  const give = async (kind) => {
    const text = amount.trim();
    if (!text || !ticked.size) {
      fail({ reason: text ? "Tick at least one combatant." : "Type how much: a number, or dice such as 2d6+3." });
      find("input")?.focus();
      return;
    }
    const note = /** @type {HTMLInputElement | null} */ (find("[name=note]"))?.value.trim();
    const attacker = kind === "damage" && /** @type {HTMLSelectElement | null} */ (find("[name=attacker]"))?.value;
    const call = {
      ...{ names: names(), amount: /^\d+$/.test(text) ? Number(text) : text },
      ...(half().length && { half: half() }),
      ...(chosen && { vital: chosen }),
      ...(note && { note }),
      ...(attacker && { attacker }),
    };
    dice?.();
    dice = undefined;
    if (view().dice !== "table" || typeof call.amount === "number") return send({ kind, ...call });
    const under = /** @type {HTMLElement | null} */ (el.querySelector("[data-ask=deal]"));
    if (!under) return;
    dice = askIn(under, port, {
      ...{ name: null, action: kind, title: kind === "heal" ? "Heal" : "Damage", params: call, table: true, say },
      send: (/** @type {any} */ { params, rolls }, /** @type {any} */ no) => send({ kind, ...params, ...(rolls && { rolls }) }, no),
      opened: () => enter(under),
      closed: () => {
        dice = undefined;
        put();
      },
    });
    put();
  };

  const setTo = () => {
    const vital = answer?.vital;
    if (!/^\s*[-−]?\d+\s*$/.test(amount) || !vital || !ticked.size) return fail({ reason: "Set takes a number." });
    send({ kind: "set", names: names(), vital, amount: Number(amount.replace("−", "-")) });
  };

  const setCondition = () => {
    const [condition, until] = ["condition", "until"].map((name) => /** @type {HTMLInputElement | null} */ (find(`[name=${name}]`))?.value.trim());
    if (!condition || !ticked.size) return fail({ reason: "Type a condition." });
    const reason = completed(/** @type {HTMLInputElement} */ (find("[name=condition]")), answer?.conditions ?? []);
    if (reason) return fail({ reason });
    send({ kind: "condition", name: names(), condition, ...(until && { until }) });
  };

  /** @param {string} name */
  const toggle = (name) => {
    guess = undefined;
    if (!ticked.delete(name)) ticked.add(name);
    change();
  };
  /** @param {string} name */
  const click = (name) => {
    if (guess && guess !== name) ticked.delete(guess);
    toggle(name);
  };
  /** @param {string} name */
  const toggleHalf = (name) => {
    guess = undefined;
    if (!halved.delete(name)) halved.add(name);
    ticked.add(name);
    change();
  };

  /** @param {KeyboardEvent} event */
  const onKey = (event) => {
    const field = /** @type {HTMLInputElement} */ (event.target).name;
    if (event.key === "Escape") shut();
    else if (event.key === "Enter" && (field === "condition" || field === "until")) setCondition();
    else if (event.key === "Enter" && event.shiftKey && field === "amount") give("heal");
    else return submitOnEnter(event);
    claim(event);
  };

  /** @param {string} title @param {() => unknown} press @param {string} [kind] @param {boolean} [barred] */
  const button = (title, press, kind = "", barred) =>
    html`<button type="button" class="ck-btn ${kind}" aria-disabled=${barred ? "true" : nothing} @click=${press}>${title}</button>`;

  /** What it comes to, for each who is ticked. */
  const outcome = () => {
    const rows = new Map(Object.values(view().rows).map((row) => [row.name, row]));
    const all = names().filter((name) => rows.has(name));
    if (!all.length) return nothing;
    return html`<h5 class="is-next">What it comes to</h5><ol class="ck-list" role="list">${all.map((name) => {
      const row = /** @type {Row} */ (rows.get(name));
      const [now, , then] = answer?.rungs[name] ?? [];
      const by = halved.has(name) ? `half of ${amount.trim() || "it"}` : "all";
      const to = then == null ? nothing : answer?.words[name] ?? html`${minus(Number(now) - then)}, <b>${minus(then)}</b> left`;
      return html`<li>${side(view().sides[row.side]?.mark)}<b>${name}</b><small>${by}${now == null ? nothing : `; has ${minus(now)}`}</small><span class="a">${to}</span></li>`;
    })}</ol>`;
  };

  const form = () => {
    const { vitals = [], vital, conditions = [], untils = [""], why = [], high } = answer ?? {};
    const number = /^\s*\d+\s*$/.test(amount) ? ` to ${Number(amount)}` : "";
    const bar = refused ?? why;
    const toggle = () => {
      wide = !wide;
      put();
      if (wide) find("[name=condition]")?.focus();
    };
    return html`<form class="ck-deal ck-work is-free" aria-label="Damage or heal" @keydown=${onKey}
      @submit=${(/** @type {Event} */ event) => {
        event.preventDefault();
        give("damage");
      }}><div class="ck-row"><input name="amount" class="ck-face is-num" aria-label="How much" placeholder="2d6+3" autocomplete="off" .value=${amount}
        @input=${(/** @type {any} */ { target }) => {
          amount = target.value;
          change();
        }} />${
        vitals.length > 1
          ? html`<select class="ck-field" aria-label="Which" @change=${(/** @type {any} */ { target }) => {
              chosen = target.value;
              change();
            }}>${vitals.map(([id, title]) => html`<option value=${id} ?selected=${id === vital}>${title}</option>`)}</select>`
          : nothing
      }<button class="ck-btn is-high ${dice ? "" : "is-main"}">Damage${dice ? nothing : html`<kbd class="ck-k" aria-hidden="true">Enter</kbd>`}</button><button type="button" class="ck-btn is-high" @click=${() => give("heal")}>Heal<kbd class="ck-k" aria-hidden="true">⇧ Enter</kbd></button></div>
      <div class="ck-row"><input name="note" class="ck-field is-note" aria-label="Note" placeholder="Note for the log" autocomplete="off" />${button(`Set${number}`, setTo, "", Boolean(high?.length))}${dice ? nothing : button("Cancel", () => shut(), "is-bare")}</div>
      <div class="ck-row"><button type="button" class="ck-pick is-more" aria-label="Condition" aria-expanded=${wide} @click=${toggle}>${wide ? nothing : "Condition"}${icon("fold")}</button>${
        wide
          ? html`<input name="condition" class="ck-field" aria-label="Which condition" placeholder="Condition" list="ck-conditions" autocomplete="off" /><datalist id="ck-conditions">${conditions.map((each) => html`<option value=${each}></option>`)}</datalist
            ><input name="until" class="ck-field" aria-label="Until" placeholder="until the GM ends it" list="ck-untils" autocomplete="off" /><datalist id="ck-untils">${untils.filter(Boolean).map((each) => html`<option value=${each}></option>`)}</datalist>${button("Set condition", setCondition)}`
          : nothing
      }<select name="attacker" class="ck-field" aria-label="Who deals it"><option value="">dealt by …</option>${[...new Set(Object.values(view().rows).map(({ name }) => name))].map((name) => html`<option>${name}</option>`)}</select></div><p class="ck-why">${bar.length ? [icon("slash"), items(bar)] : nothing}</p></form
      ><div data-ask="deal"></div><p class="ck-words">Press somebody on the ladder or a map to tick them; half stands beside the tick. <span>Digits go to the number, wherever the focus is. <kbd class="ck-k">Space bar</kbd> ticks, <kbd class="ck-k">H</kbd> halves it.</span></p>${outcome()}`;
  };

  return {
    isOpen,
    /** @param {string} id @param {boolean} [isGuess] whether they are ticked as a guess; if false nobody is, else they were pressed */
    open: (id, isGuess) => {
      const name = nameAt(id);
      if (name === undefined) return;
      if (at !== undefined) {
        if (at === id || isGuess === false) shut();
        else click(name);
        return;
      }
      at = id;
      if (!kept) {
        render(nothing, el);
        [ticked, halved, amount] = [new Set(), new Set(), ""];
        chosen = undefined;
        wide = false;
      }
      kept = false;
      // Whoever was ticked by hand before it was put aside is no guess.
      guess = isGuess && !ticked.has(name) ? name : undefined;
      if (isGuess !== false) ticked.add(name);
      change();
      const number = /** @type {HTMLInputElement | null} */ (find("input"));
      number?.focus();
      number?.select();
    },
    /** A click on a rung, or on somebody on the map, ticks them while damage is dealt. @param {string} name */
    pick: (name) => {
      if (!isOpen()) return false;
      click(name);
      return true;
    },
    /**
     * A figure goes to the number, wherever the focus is, and so does its sign: −10 is not 10. A click leaves the focus on
     * whom it ticks, on the ladder or a map: what the form's buttons say of Enter holds there too.
     *
     * @param {KeyboardEvent} event
     */
    takes: (event) => {
      const on = /** @type {HTMLElement} */ (event.target);
      const field = find("[name=amount]");
      if (isOpen() && event.key === "Enter" && on.matches("li, [role=gridcell], .ck-box input")) {
        claim(event);
        if (!event.repeat) give(event.shiftKey ? "heal" : "damage");
      }
      if (!isOpen() || !/^[\d+−-]$/.test(event.key) || on.matches("input:not([type=checkbox], [type=range]), select, textarea") || !field) return;
      field.focus();
      event.stopPropagation();
    },
    /**
     * What stands over the bar, and what that is called: what is left, and while damage is dealt what it would come to.
     *
     * @param {Row} row
     * @param {number} [gone] what the last call took
     * @returns {[unknown, string]}
     */
    vital: (row, gone) => {
      const { vitals } = view();
      const kept = vitalsOf(row);
      // While damage is dealt, only what it comes off is told.
      const first = !isOpen() ? 0 : Math.max(0, vitals.findIndex(([id]) => id === answer?.vital));
      const held = isOpen() && ticked.has(row.name) ? answer?.rungs[row.name] : undefined;
      const temporary = first ? undefined : row.temporary;
      const shown = held ? [held] : !isOpen() ? kept : [kept[first] ?? []];
      const said = shown.map(([now, full, then], index) => {
        const title = within(vitals[first + index]?.[1] ?? "");
        return `${title ? `${title} ` : ""}${now == null ? "unknown" : minus(now)}${full == null ? "" : ` of ${full}`}${then == null ? "" : `, then ${minus(then)}`}${temporary && !index ? tr(`, ${temporary} temporary`) : ""}`;
      });
      return [drawn(shown, gone, temporary), `${row.name}: ${said.join(", ")}. Damage or heal`];
    },
    /** @param {string} id */
    isAt: (id) => id === at,
    /** Tick and half, while damage is dealt. @param {Row} row */
    answers: (row) => {
      if (!isOpen() || !row.vital) return undefined;
      const isOn = ticked.has(row.name);
      const isHalf = halved.has(row.name);
      return html`${
        isOn
          ? html`<button type="button" class="ck-btn is-mini" aria-label="Half for ${row.name}" aria-keyshortcuts="H" aria-pressed=${isHalf} @click=${() => toggleHalf(row.name)}>half</button>`
          : nothing
      }<label class="ck-box"><input type="checkbox" aria-label=${row.name} .checked=${isOn} @change=${() => click(row.name)} /></label>`;
    },
    /**
     * What a key does on a rung while damage is dealt, if anything.
     *
     * @param {string | undefined} id
     * @param {string} key
     */
    keyOn: (id, key) => {
      const name = nameAt(id);
      if (!isOpen() || name === undefined) return undefined;
      return { Escape: () => shut(), " ": () => click(name), h: () => toggleHalf(name) }[key];
    },
    alone: () => (isOpen() && !root.closest(".ck-shell") ? el : nothing),
    come: () => {
      if (at === undefined || view().past) return;
      const here = new Set(Object.values(view().rows).map(({ name }) => name));
      ticked = new Set(names().filter((name) => here.has(name)));
      if (!view().acts || !view().rows[at]) shut(false);
      else ask();
    },
  };
}
