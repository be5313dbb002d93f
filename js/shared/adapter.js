/**
 * The one place where a widget meets its model: deltas in, intents and questions out, and when it is drawn.
 */
import { applyDelta } from "./delta.js";
import { element } from "./element.js";
import { listen, tell } from "./tell.js";
import { speakIn, tr } from "./tongue.js";

/** @import { Intent, Model, Port, Refusal } from "./port.js" */

/** How many intents may be under way before the oldest is taken as done: an accepted one is never answered. */
const UNDER_WAY = 64;
/** What a widget alone says when there is nobody to send anything to. */
export const CUT = "Not connected: run the cell again to go on.";
/** Where the picture in words stands. */
const WORDS = ":scope>pre";

/**
 * Keeps a model's `view` up to date for as long as the model lives: once a model, however many views show it.
 *
 * The traits are set and never saved: Python has them already.
 *
 * @param {Model} model
 * @returns {{take: (message: any) => void}} what takes a message that came by way of another widget: it may come again,
 *   or late
 */
export function follow(model) {
  /** @param {any} message */
  const hear = (message) => {
    if (message.kind === "full" && message.view) model.set("view", message.view);
    // Another page has no view of it any more; this one has.
    if (message.kind === "gone" && model.get("views")) model.send(whole(model));
    const view = model.get("view");
    if (message.kind === "delta" && !(view?.revision >= message.revision)) {
      if (view?.revision === message.base) model.set("view", applyDelta(view, message));
      else model.send({ kind: "full" });
    }
    // The newest for each part, for whoever shows it, now or later.
    if (message.parts) model.set("parts", { ...model.get("parts"), ...message.parts });
  };
  model.on("msg:custom", hear);
  /** @type {unknown} */
  let last;
  return {
    take: (message) => {
      if (message !== last && !(message.view?.revision < model.get("view")?.revision)) hear((last = message));
    },
  };
}

/** Asks for everything: what it is part of may be shown nowhere, and then it gets messages of its own. @param {Model} model */
const whole = (model) => ({ kind: model.get("within") ? "alone" : "full" });

/**
 * Counts the views that stand by themselves, and says when the last one goes: Python then rests until one comes back.
 *
 * @param {Model} model
 * @param {AbortSignal} signal
 */
function count(model, signal) {
  model.set("views", (model.get("views") ?? 0) + 1);
  if (model.get("gone") || model.get("within")) model.send(whole(model));
  model.set("gone", false);
  signal.addEventListener("abort", () => {
    model.set("views", model.get("views") - 1);
    if (model.get("views")) return;
    model.set("gone", true);
    try {
      model.send({ kind: "gone" });
    } catch {
      // The kernel has gone before it: there is nobody to tell.
    }
  });
}

/**
 * Opens a port to Python: what is sent has a number, by which its refusal or its answer comes back here and nowhere else.
 *
 * @param {Model} model
 * @returns {Port}
 */
export function connect(model) {
  /** @type {Map<number, {refuse: (refusal: Refusal) => void, answer?: (answer: any) => void}>} */
  const waiting = new Map();
  // Several views and pages share one model, so each counts from a place of its own.
  let last = Math.floor(Math.random() * 2 ** 32) * 2 ** 16;

  model.on("msg:custom", (message) => {
    const asked = waiting.get(message.id);
    if (!asked) return;
    waiting.delete(message.id);
    if (message.kind === "refused") asked.refuse(message);
    else asked.answer?.(message);
  });

  /**
   * @param {Intent} content
   * @param {(refusal: Refusal) => void} refuse
   * @param {(answer: any) => void} [answer]
   */
  const post = (content, refuse, answer) => {
    last += 1;
    waiting.set(last, { refuse, answer });
    for (const id of waiting.keys()) {
      if (waiting.size <= UNDER_WAY) break;
      waiting.delete(id);
    }
    try {
      model.send({ ...content, id: last });
    } catch {
      // The kernel has gone: whoever shows this says so, once, and what was asked has no answer.
      waiting.delete(last);
      model.set("cut", true);
    }
  };
  return {
    send: post,
    ask: (question) => new Promise((answer, refuse) => post(question, refuse, answer)),
    moment: () => model.get("moment"),
  };
}

/**
 * Makes a widget's root in its element and draws the model's view in it, now and whenever it changes. The widget around
 * it, if any, learns from an event that the person has done something here.
 *
 * What comes is drawn at once, and what follows it before the next frame together in that: a burst costs two drawings.
 *
 * @param {string} name whose sheet holds here; what stands in another widget is styled by that one's
 * @param {{model: Model, el: HTMLElement, signal: AbortSignal, heed?: (event: Event) => void}} place `heed` says what is filled in wrong;
 *   where nothing can be filled in there is none
 * @param {(inside: HTMLElement, port: Port, part: boolean) => (view: any) => void} open makes the view and gives what updates it;
 *   `part` says whether it stands in another widget
 */
export function show(name, { model, el, signal, heed }, open) {
  const part = Boolean(el.closest("[data-ck-part]"));
  const root = el.appendChild(element("div", { className: "ck" }));
  if (!part) root.dataset.ck = name;
  // JupyterLab asks what has the focus first, and a notebook's shortcuts are for whatever in it has: so that two D in a
  // widget delete no cell, each element must say so itself.
  /** @param {any} on */
  const keepKeys = (on) => (on.dataset.lmSuppressShortcuts = "true");
  keepKeys(root);
  listen(root, "focusin", signal, ({ target }) => keepKeys(target));
  // Saving stays the host's: what was played here is in the notebook only once that is saved. A host asks at the document,
  // so the word is taken back before that, for this one key.
  /** @param {KeyboardEvent} event */
  const letSave = ({ key, ctrlKey, metaKey, target }) => {
    if (key !== "s" || !(ctrlKey || metaKey) || !root.contains(/** @type {Node} */ (target))) return;
    const keepers = [root, ...root.querySelectorAll("[data-lm-suppress-shortcuts]")];
    for (const on of /** @type {HTMLElement[]} */ (keepers)) delete on.dataset.lmSuppressShortcuts;
    setTimeout(() => keepers.forEach(keepKeys));
  };
  if (!part) listen(window, "keydown", signal, letSave, true);
  if (!part && heed) listen(root, "invalid", signal, heed, true);
  const inside = root.appendChild(element("div", { className: "ck-in" }));
  const { send, ...rest } = connect(model);
  /** @type {Port} */
  const port = {
    ...rest,
    send: (intent, refused) => {
      tell(inside, "ck-acted");
      send(intent, refused);
    },
  };
  /** @type {((view: any) => void) | undefined} */
  let update;
  let frame = 0;
  let stale = false;
  const draw = () => {
    stale = false;
    const view = model.get("view");
    /** @type {any} The root has its language for whatever stands in it. */
    const whose = part ? el.closest(".ck") : root;
    if (!part) Object.assign(whose, { tongue: view?.tongue, own: view?.own });
    root.lang = whose?.tongue?.lang ?? "en";
    attempt(root, () => {
      speakIn(whose?.tongue, whose?.own);
      update ??= open(inside, port, part);
      update(view);
    }).then(plainly);
  };
  /** Where nothing could be drawn, the picture in words stands in its place until something is. */
  const plainly = async () => {
    if (inside.firstElementChild || root.querySelector(WORDS)) return;
    const words = root.appendChild(element("pre"));
    words.textContent = (await port.ask({ kind: "static" })).text;
  };
  // What came before the person's act must not pass for its outcome.
  const settle = () => {
    if (stale) draw();
  };
  model.on("change:view", () => {
    stale = true;
    if (frame) return;
    frame = requestAnimationFrame(() => {
      frame = 0;
      settle();
    });
    draw();
  });
  listen(root, "ck-acted", signal, settle, true);
  model.on("change:cut", () => {
    if (signal.aborted || tell(inside, "ck-cut")) return;
    alertIn(root).textContent = tr(CUT);
  });
  signal.addEventListener("abort", () => {
    cancelAnimationFrame(frame);
    root.remove();
  });
  draw();
  if (!part) count(model, signal);
}

/**
 * A widget that one function makes; whatever it stands in is given what takes its messages.
 *
 * @param {string} name
 * @param {(root: HTMLElement, port: Port, place: {part: boolean, signal: AbortSignal}) => (view: any) => void} create
 * @param {(event: Event) => void} [heed] says what is filled in wrong
 */
export const widget = (name, create, heed) => ({
  /** @param {{model: Model}} place */
  initialize: ({ model }) => follow(model),

  /** @param {{model: Model, el: HTMLElement, signal: AbortSignal}} place */
  render: (place) => show(name, { ...place, heed }, (root, port, part) => create(root, port, { part, signal: place.signal })),
});

/** What says at once, below whatever is shown, that something went wrong. @param {HTMLElement} root */
const alertIn = (root) => root.appendChild(element("p", { className: "ck-alert", role: "alert" }));

/**
 * Does something and, if it throws, says so in place, as text, below whatever is shown there already.
 *
 * @param {HTMLElement} root
 * @param {() => unknown} work
 */
export async function attempt(root, work) {
  const old = root.querySelector(":scope>.ck-alert");
  try {
    const done = work();
    if (done instanceof Promise) await done;
    old?.remove();
    root.querySelector(WORDS)?.remove();
  } catch (error) {
    (old ?? alertIn(root)).textContent = tr(`This part of the widget failed: ${/** @type {any} */ (error)?.message ?? error}`);
    console.error(error);
  }
}
