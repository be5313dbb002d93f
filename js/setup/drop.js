/** A file that is dropped or chosen, or rows that are pasted: sent piece by piece, reviewed, and only then added. */
import { nothing } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";

import { check, labelled } from "../more/forms.js";
import { leftByEscape, submitOnEnter } from "../shared/enter.js";
import { icon } from "../shared/marks.js";
import { claim } from "../shared/press.js";
import { html } from "../shared/tongue.js";

/** @import { Desk } from "../tracker/view.js" */

/**
 * @typedef {{stat: string, title: string, why: string, proposed: string | null, open: boolean}} Asked
 * @typedef {{row: number, name: string, side: string, count: number, says: string, unused: string, left: string[], more: number, unread: string[], asks: Asked[]}} Row
 * @typedef {{file: string, title: string, found: number, rows: Row[], more: number, keeps: boolean}} Review
 */

/** @typedef {{file: string, says: string, leaves: boolean}} Copy */

/** How many bytes of a file fit into a message, and how many it may have. */
const PIECE = 11_000;
const MOST = 1 << 20;
const LONGEST = 200;
/** What can be chosen; Python tells by its content what a file is. */
const ENDINGS = ".csv,.tsv,.txt,.xlsx,.json,.toml,.parquet,.hdc,.xml,.yml,.yaml,.db,.fight,.combat";

/** Text of a table: a second line, and something between the cells of the first. */
const TABLE = /^.*[\t;,].*\r?\n\s*\S/;
const PASTED = "pasted rows.txt";

const KINDS = "A spreadsheet, a saved fight, or what Foundry, HERO Designer and others save";

/** @param {Desk} desk */
export function createDrop({ ask, refuse, call, send, button, say, draw, find }) {
  /** @type {Review | undefined} */
  let review;
  /** A saved fight that may be gone on with. @type {Copy | undefined} */
  let copy;
  let file = 0;
  /** Which of its rows are to be added. @type {Set<number>} */
  let ticked = new Set();
  let sent = false;

  /** @param {string} words */
  const tell = (words) => {
    say(words);
    draw();
  };

  /** @param {File | undefined} given */
  const read = async (given) => {
    if (!given) return;
    const mine = (file += 1);
    const name = given.name.slice(-LONGEST);
    review = copy = undefined;
    if (!given.size || given.size > MOST) {
      const words = given.size ? `has ${given.size.toLocaleString("en")} bytes` : "is empty";
      const instead = /\.(fight|combat)$/.test(name) ? ` In a cell, ck.Tracker(ck.load("${name}")) opens it.` : "";
      return refuse({ reason: `${name} ${words}; give a file of 1 to ${MOST.toLocaleString("en")} bytes.${instead}`, rule: "" });
    }
    tell(`Reading ${name} …`);
    try {
      const bytes = new Uint8Array(await given.arrayBuffer());
      /** @type {{at: number, review?: Review, copy?: Copy}} */
      let answer = { at: 0 };
      while (answer.at < bytes.length && mine === file) {
        const data = btoa(String.fromCharCode(...bytes.subarray(answer.at, answer.at + PIECE)));
        answer = await ask({ kind: "file", name, size: bytes.length, at: answer.at, data });
      }
      if (mine !== file) return;
      ({ review, copy } = answer);
      ticked = new Set(review?.rows.map(({ row }) => row));
      tell(copy ? `${name} is a saved fight. ${copy.says}.` : `${name}: ${review?.found} found. Nothing is added until you say so.`);
      // Its end may be far below: what is read first is what has to be in sight.
      find(".ck-review .is-main")?.focus({ preventScroll: true });
      find(".ck-review > .ck-cap")?.scrollIntoView({ block: "nearest" });
    } catch (refused) {
      const { reason, message, rule = "" } = /** @type {any} */ (refused);
      if (mine === file) refuse({ reason: reason ?? message, rule });
    }
  };

  const shut = () => {
    review = copy = undefined;
    draw();
    find(".ck-file .ck-btn")?.focus();
  };

  const onEscape = leftByEscape(shut);

  /** @param {SubmitEvent} event */
  const onSubmit = (event) => {
    event.preventDefault();
    const data = new FormData(/** @type {HTMLFormElement} */ (event.target));
    const rows = (review?.rows ?? [])
      .filter(({ row }) => ticked.has(row))
      .map(({ row, name, asks }) => {
        const given = ["name", ...asks.map(({ stat }) => stat)].map((stat) => [stat, String(data.get(`${stat}-${row}`) ?? "").trim()]);
        return { row, side: String(data.get(`side-${row}`)).trim(), given: Object.fromEntries(given.filter(([stat, text]) => text && !(stat === "name" && text === name))) };
      });
    sent = true;
    call({ kind: "bring", rows, ...(data.has("keep") && { keep: true }) }, `Bring in ${total()}`, "drop", () => (sent = false));
  };

  /** @param {Asked} asked @param {Row} row */
  const question = ({ stat, title, why, proposed, open }, { row, name }) =>
    open
      ? labelled(title.replace(/[:;].*/, ""), html`<input name="${stat}-${row}" value=${proposed ?? nothing} title=${why} aria-label="${title} of ${name}" aria-description=${why} autocomplete="off" />`)
      : html`<small>${icon("bang")} ${title}: ${why}</small>`;

  /** How many combatants are ticked. */
  const total = () => (review?.rows ?? []).reduce((sum, { row, count }) => sum + (ticked.has(row) ? count : 0), 0);

  /** @param {string} title @param {unknown} inner */
  const told = (title, inner) => html`<div class="ck-told"><span class="ck-label">${title}</span>${inner}</div>`;

  /** @param {Row} each */
  const line = (each) => {
    const { row, name, count, side, says, unused, left, more, unread } = each;
    const named = each.asks.find(({ stat }) => stat === "name");
    const asks = each.asks.filter((asked) => asked !== named);
    const words = [count > 1 ? `${count} of them` : "", says || "only the name"].filter(Boolean).join(" · ");
    const tick = (/** @type {any} */ { target }) => {
      if (target.checked) ticked.add(row);
      else ticked.delete(row);
      draw();
    };
    return html`<li class="ck-mem">
      <label class="ck-check"><input type="checkbox" aria-label=${count > 1 ? `${name} (${count})` : name} .checked=${ticked.has(row)} @change=${tick} /></label>
      <span class="ck-field"><input name="name-${row}" value=${named?.proposed ?? name} title=${named?.why ?? nothing} aria-label="Name of ${name}" aria-description=${named?.why ?? nothing} required autocomplete="off" /></span>
      <span class="ck-field"><input name="side-${row}" value=${side} aria-label="Side of ${name}" required autocomplete="off" /></span>
      <small title=${words}>${words}</small>
      ${asks.length ? told("Not in the file", html`<div class="ck-asks">${asks.map((asked) => question(asked, each))}</div>`) : nothing}${
        unused ? told("Not used here", html`<details><summary>${unused}</summary>${left.map((words) => html`<span>${words}</span>`)}${more ? html`<span>${more} more</span>` : nothing}</details>`) : nothing
      }${unread.length ? told("Could not read", html`<div>${unread.map((words) => html`<span>${words}</span>`)}</div>`) : nothing}
    </li>`;
  };

  /** @param {Review} given */
  const form = (given) => {
    const { file: name, rows, more } = given;
    const tickAll = (/** @type {number[]} */ these) => {
      ticked = new Set(these);
      draw();
    };
    const onKey = (/** @type {KeyboardEvent} */ event) => {
      if (/** @type {HTMLElement} */ (event.target).matches('input:not([type="checkbox"])')) submitOnEnter(event);
      onEscape(event);
    };
    return html`<form class="ck-review ck-over" aria-label="Review of ${name}" @submit=${onSubmit} @keydown=${onKey}>
      <div class="ck-cap"><h4>${name}</h4><span class="ck-label">${given.title}</span><span class="ck-end">${ticked.size} of ${rows.length} ticked</span>${
        button("None", () => tickAll([]), { kind: "is-bare" })}${button("All", () => tickAll(rows.map(({ row }) => row)), { kind: "is-bare" })}</div>
      <ol role="list" aria-label="In the file">${rows.map(line)}</ol>
      ${more ? html`<p class="ck-quiet">The first ${rows.length} of ${rows.length + more} entries; put the file in the shelf's folder to reach the rest.</p>` : nothing}
      <div class="ck-pair"><button class="ck-btn is-main">Add ${total()}<kbd class="ck-k" aria-hidden="true">Enter</kbd></button>${button(html`Not now<kbd class="ck-k" aria-hidden="true">Esc</kbd>`, shut, { kind: "is-bare" })}${
        given.keeps ? html`<span class="ck-end">${check("keep", "on", "Keep them on the shelf too", false)}</span>` : nothing}</div>
    </form>`;
  };

  /** @param {Copy} given */
  const saved = ({ file: name, says, leaves }) => {
    const open = () => send({ kind: "open", ...(leaves && { leave: true }) }, "drop");
    return html`<div class="ck-review ck-over" role="group" aria-label="Saved fight ${name}" @keydown=${onEscape}>
      <div class="ck-cap"><h4>${name}: a saved fight</h4><span class="ck-label">${says}</span></div>
      ${leaves ? html`<p class="ck-quiet">The fight set up here isn't kept in a file; if you open this one, it's gone.</p>` : nothing}
      <div class="ck-pair">${button(leaves ? "Drop it and play the saved one" : "Play on", open, { kind: "is-main" })}${button("Not now", shut)}</div>
    </div>`;
  };

  return {
    /** Takes a file that is dropped or pasted, and the rows of a table. @param {DragEvent | ClipboardEvent} event */
    heed: (event) => {
      const data = "clipboardData" in event ? event.clipboardData : event.dataTransfer;
      const text = event.type === "paste" ? (data?.getData("text/plain") ?? "") : "";
      const isTable = TABLE.test(text);
      // Spreadsheets put a picture of the cells beside their text.
      if (!isTable && (text || !data?.types.includes("Files"))) return;
      claim(event);
      if (event.type !== "dragover") read(isTable ? new File([text], PASTED) : data?.files[0]);
    },
    /** What is under review, in the result zone. */
    word: () =>
      review && {
        text: [`${review.file} holds ${review.found} for these rules; ${total() === 1 ? "one is" : total() === review.found ? "all are" : `${total() || "none"} are`} ticked.`],
        sub: [`${review.title}. Nothing is added until you say so.`],
        ...{ mark: icon("file", "l"), kind: "is-word" },
      },
    review: () => [repeat(review ? [review] : [], (each) => each, form), copy ? saved(copy) : nothing],
    chooser: () => {
      const onChange = (/** @type {any} */ { target }) => {
        read(target.files[0]);
        target.value = "";
      };
      const choose = () => find('.ck-file [type="file"]')?.click();
      return html`<div class="ck-file"><div><b>Drop a file anywhere</b><small title=${KINDS}>${KINDS}</small></div>
        <input type="file" accept=${ENDINGS} hidden aria-label="File" @change=${onChange} />${button("Choose a file", choose)}</div>`;
    },
    /** Called when what was sent has come to something. */
    done: () => {
      if (!sent) return;
      sent = false;
      shut();
    },
  };
}
