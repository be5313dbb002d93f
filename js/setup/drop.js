/** A file that is dropped or chosen: sent piece by piece, reviewed, and only then added. */
import { html, nothing } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";

import { check, labelled } from "../more/forms.js";
import { leftByEscape, submitOnEnter } from "../shared/enter.js";
import { icon } from "../shared/marks.js";

/** @import { Desk } from "../tracker/view.js" */

/**
 * @typedef {{stat: string, title: string, why: string, proposed: string | null, open: boolean}} Asked
 * @typedef {{row: number, name: string, side: string, count: number, says: string, left: string[], more: number, asks: Asked[]}} Row
 * @typedef {{file: string, title: string, found: number, rows: Row[], more: number}} Review
 */

/** @typedef {{file: string, says: string, leaves: boolean}} Copy */

/** How many bytes of a file fit into a message, and how many it may have. */
const PIECE = 11_000;
const MOST = 1 << 20;
const LONGEST = 200;
/** What can be chosen; Python tells by its content what a file is. */
const ENDINGS = ".csv,.tsv,.txt,.xlsx,.json,.toml,.parquet,.hdc,.xml,.yml,.yaml,.db,.fight,.combat";

const KINDS = "A spreadsheet, a saved fight, or what Foundry, HERO Designer and others save";

/** @param {Desk} desk */
export function createDrop({ ask, send, button, say, draw, find }) {
  /** @type {Review | undefined} */
  let review;
  /** A saved fight that may be gone on with. @type {Copy | undefined} */
  let copy;
  let file = 0;
  /** What there is to say of the file. */
  let news = "";
  let sent = false;

  /** @param {string} words */
  const tell = (words) => {
    news = words;
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
      tell(`${name} ${words}; give a file of 1 to ${MOST.toLocaleString("en")} bytes.${
        /\.(fight|combat)$/.test(name) ? ` In a cell, ck.Tracker(ck.load("${name}")) opens it.` : ""}`);
      return;
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
      tell(copy ? `${name} is a saved fight. ${copy.says}.` : `${name}: ${review?.found} found. Nothing is added until you say so.`);
      find(".is-add, .ck-review .is-main")?.focus();
    } catch (refused) {
      const { reason, message } = /** @type {any} */ (refused);
      if (mine === file) tell(reason ?? message);
    }
  };

  const shut = () => {
    review = copy = undefined;
    news = "";
    draw();
    find(".ck-file .ck-btn")?.focus();
  };

  const onEscape = leftByEscape(shut);

  /** @param {SubmitEvent} event */
  const onSubmit = (event) => {
    event.preventDefault();
    const data = new FormData(/** @type {HTMLFormElement} */ (event.target));
    const rows = (review?.rows ?? [])
      .filter(({ row }) => data.has(`add-${row}`))
      .map(({ row, asks }) => {
        const answers = asks.map(({ stat }) => [stat, String(data.get(`${stat}-${row}`) ?? "").trim()]).filter(([, text]) => text);
        return { row, side: String(data.get(`side-${row}`)).trim(), given: Object.fromEntries(answers) };
      });
    sent = true;
    send({ kind: "bring", rows }, "drop", () => (sent = false));
  };

  /** @param {Asked} asked @param {Row} row */
  const question = ({ stat, title, why, proposed, open }, { row, name }) =>
    open
      ? html`${labelled(title, html`<input name="${stat}-${row}" value=${proposed ?? nothing} aria-label="${title} of ${name}" aria-description=${why} autocomplete="off" />`)}<small>${why}</small>`
      : html`<small>${icon("bang")} ${title}: ${why}</small>`;

  /** How many combatants some rows are. @param {Row[]} rows */
  const total = (rows) => rows.reduce((sum, { count }) => sum + count, 0);

  /** @param {Row} row */
  const line = (row) => html`<li class="ck-mem">
      ${check(`add-${row.row}`, "on", row.count > 1 ? `${row.name} (${row.count})` : row.name, true)}
      ${labelled("Side", html`<input name="side-${row.row}" value=${row.side} aria-label="Side of ${row.name}" required autocomplete="off" />`)}
      <div><small>${row.says || "only the name"}</small>${row.asks.map((asked) => question(asked, row))}</div>
      ${row.left.length
        ? html`<details><summary>${row.left.length + row.more} left out</summary><small>${row.left.map((each) => html`<span>${each}</span>`)}${row.more ? html`<span>${row.more} more</span>` : nothing}</small></details>`
        : html`<small>nothing left out</small>`}
    </li>`;

  /** @param {Review} given */
  const form = (given) => {
    const count = () => {
      const data = new FormData(/** @type {HTMLFormElement} */ (find(".ck-review")));
      const main = /** @type {HTMLElement} */ (find(".is-add"));
      main.textContent = `Add ${total(given.rows.filter(({ row }) => data.has(`add-${row}`)))}`;
    };
    /** @param {boolean} on */
    const tickAll = (on) => {
      for (const { row } of given.rows) /** @type {HTMLInputElement} */ (find(`[name="add-${row}"]`)).checked = on;
      count();
    };
    const onKey = (/** @type {KeyboardEvent} */ event) => {
      if (/** @type {HTMLElement} */ (event.target).matches('input:not([type="checkbox"])')) submitOnEnter(event);
      onEscape(event);
    };
    const more = given.more ? ` The first ${given.rows.length} of ${given.rows.length + given.more} entries; put the file in the shelf's folder to reach the rest.` : "";
    return html`<form class="ck-review ck-over" aria-label="Review of ${given.file}" @submit=${onSubmit} @change=${count} @keydown=${onKey}>
      <div class="ck-cap"><h4>${given.file}: ${given.title}</h4><span class="ck-label">nothing is added until you say so</span></div>
      ${more ? html`<p class="ck-quiet">${more}</p>` : nothing}
      <div class="ck-pair">${button("All", () => tickAll(true))}${button("None", () => tickAll(false))}</div>
      <ol role="list" aria-label="In the file">${given.rows.map(line)}</ol>
      <div class="ck-pair"><button class="ck-btn is-add is-main">Add ${total(given.rows)}</button>${button("Not now", shut)}</div>
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

  /** Takes what is dragged for itself, if it is a file. @param {DragEvent} event */
  const over = (event) => {
    const isFile = event.dataTransfer?.types.includes("Files");
    if (isFile) {
      event.preventDefault();
      event.stopPropagation();
    }
    return isFile;
  };

  return {
    /** What lets a file be dropped on an element. */
    over,
    drop: (/** @type {DragEvent} */ event) => {
      if (over(event)) read(event.dataTransfer?.files[0]);
    },
    review: () => [repeat(review ? [review] : [], (each) => each, form), copy ? saved(copy) : nothing],
    chooser: () => {
      const onChange = (/** @type {any} */ { target }) => {
        read(target.files[0]);
        target.value = "";
      };
      const choose = () => find('.ck-file [type="file"]')?.click();
      return html`<div class="ck-file"><div><b>Drop a file anywhere</b><small title=${KINDS}>${news && !review ? news : KINDS}</small></div>
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
