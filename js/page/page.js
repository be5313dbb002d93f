/**
 * A saved fight as a page of its own: the widgets as they are, and in the place of a notebook's kernel a record that
 * only tells what was to be seen. Nothing is loaded, and nothing can be done but look.
 */
import { render } from "lit-html";

import { open as budget } from "../budget/open.js";
import { open as ladder } from "../ladder/open.js";
import log from "../log/widget.js";
import { element } from "../shared/element.js";
import { createModel } from "../shared/model.js";
import { html, speakIn, tr } from "../shared/tongue.js";
import { open as tracker } from "../tracker/open.js";
import { won } from "../tracker/won.js";
import { createRecord } from "./record.js";

/** @import { Host } from "../shared/port.js" */
/** @import { Part, Saved } from "./record.js" */

/** A script of its own has brought the map, if there is one. @type {Partial<Record<Part, any>>} */
const WIDGETS = { tracker: tracker({}), ladder: ladder({}), budget: budget({}), log, .../** @type {any} */ (globalThis).ck };
const PARTS = /** @type {Part[]} */ (Object.keys(WIDGETS));
const NOTHING_ELSE = "This is a saved fight: you can look through it, but not play on.";

/** @param {HTMLElement} el @param {Saved} saved */
function show(el, saved) {
  const record = createRecord(saved);
  speakIn(saved.views.tracker.tongue, saved.views.tracker.own);
  /** @param {number} seq */
  const go = (seq) => {
    const views = record.viewsAt(seq);
    for (const part of PARTS) models[part].set("view", views[part]);
  };
  /** @param {any} content */
  const hear = ({ kind, ...given }) => {
    if (kind === "at") {
      const seq = given.seq ?? record.events;
      go(given.rounds ? record.roundFrom(seq, given.rounds) : seq);
      return undefined;
    }
    if (kind === "log") return { kind, ...record.linesOf(given.from, given.to) };
    if (saved.pictures?.[given.picture]) return saved.pictures[given.picture];
    if (kind === "rule" && saved.rules[given.rule]) return { kind, ...saved.rules[given.rule] };
    return { kind: "refused", reason: NOTHING_ELSE, rule: "" };
  };
  const views = record.viewsAt(saved.opens);
  const refs = Object.fromEntries(PARTS.map((part) => [part, part]));
  /** @param {Part} part */
  const modelOf = (part) => {
    const model = createModel({ view: views[part], ...(part === "tracker" && refs) }, (content) => {
      const answer = hear(content);
      if (answer) model.hear({ ...answer, id: content.id });
    });
    return model;
  };
  const models = /** @type {Record<Part, ReturnType<typeof modelOf>>} */ (Object.fromEntries(PARTS.map((part) => [part, modelOf(part)])));
  const exports = Object.fromEntries(PARTS.map((part) => [part, WIDGETS[part].initialize({ model: models[part] })]));
  const { signal } = new AbortController();
  /** @type {Host} */
  const host = {
    getWidget: async (ref) => {
      const part = /** @type {Part} */ (ref);
      return {
        exports: exports[part],
        render: async (place) => WIDGETS[part].render({ model: models[part], signal, host, ...place }),
      };
    },
  };
  WIDGETS.tracker.render({ model: models.tracker, el, signal, host });
  if (!saved.card) return;
  const end = element("section", { className: "ck ck-end-card", ariaLabel: tr("The end"), lang: document.documentElement.lang });
  end.dataset.ck = "tracker";
  render(html`<div class="ck-in">${won(saved.card)}</div>`, end);
  el.before(end);
}

/** The arrows step through the fight wherever nothing else takes them. @param {KeyboardEvent} event */
function onKey(event) {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const range = /** @type {HTMLInputElement | null} */ (document.querySelector("[type=range]"));
  if (!by || !range || event.target !== document.body || event.altKey || event.ctrlKey || event.metaKey) return;
  range.stepUp(by);
  range.dispatchEvent(new Event("input"));
}

show(
  /** @type {HTMLElement} */ (document.getElementById("fight")),
  JSON.parse(/** @type {HTMLElement} */ (document.getElementById("record")).textContent ?? ""),
);
document.addEventListener("keydown", onKey);
