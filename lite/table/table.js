/** A table without a notebook: the Tracker on this page, its Python in a worker. */
import { createModel } from "./model.js";

const PARTS = ["ladder", "budget", "log", "map", "tracker"];
const worker = new Worker("worker.js", { type: "module" });
const [site, german] = await Promise.all(["site.json", "de.json"].map(async (name) => (await fetch(name)).json()));
const [choose, other, about, said, fight, fresh, kept, unkept, sure] = [
  ...["choose", "other", "about", "said", "fight", "new", "kept", "unkept", "sure"],
].map((id) => document.getElementById(id));
const { system, scene, language } = choose.elements;
const ask = (message) => worker.postMessage(message);

/** What a browser remembers of the page, if it remembers anything. */
const memory = {
  get: (name) => {
    try {
      return localStorage.getItem(`combatkit ${name}`) ?? "";
    } catch {
      return "";
    }
  },
  set: (name, value) => {
    try {
      localStorage.setItem(`combatkit ${name}`, value);
    } catch {}
  },
};

/** The tracker has all that the header leaves of the window, and the page's edge of 8 px. */
new ResizeObserver(([{ target }]) => fight.style.setProperty("--ck-room", `100svh - ${target.offsetHeight + 16}px`)).observe(
  document.querySelector("header"),
);

// ── the visitor's language: the page's own words, and those of a fight that is begun ──

const spoken = navigator.languages.map((each) => each.slice(0, 2)).find((each) => ["en", "de"].includes(each));
language.value = memory.get("language") || spoken || "en";
other.hidden = Boolean(spoken);

/** A sentence in a language, the page's if none is named, filled in. @param {string} text @param {Record<string, unknown>} [values] @param {string} [lang] */
const tr = (text, values = {}, lang = language.value) =>
  ((lang === "de" && german[text]) || text).replace(/\{(\w+)\}/g, (_, name) => String(values[name]));

/** What says each place of the page that has words: those of the page itself, and what was said last. @type {Map<Node, () => string>} */
const words = new Map();

/** Says something in a place; again when the language changes. @param {Node} place @param {string} text @param {Record<string, () => unknown>} [values] @param {string} [lang] */
function put(place, text, values = {}, lang = undefined) {
  const say = () => tr(text, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value()])), lang);
  words.set(place, say);
  place.textContent = say();
}

const texts = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
for (let node = texts.nextNode(); node; node = texts.nextNode()) {
  const text = node.data.trim();
  if (text in german) words.set(node, () => tr(text));
}
const { alt } = fight.querySelector("img");
words.set(fight.querySelector("img").getAttributeNode("alt"), () => tr(alt));

function translate() {
  document.documentElement.lang = language.value;
  for (const [place, say] of words) place.textContent = say();
}
language.onchange = () => {
  memory.set("language", language.value);
  translate();
  list();
  if (models.tracker) say("The language counts from the next fight.");
};

// ── what begins ──

const option = ({ id, title }) => {
  const made = new Option("", id);
  put(made, title);
  return made;
};
system.append(...site.systems.map(option));
/** Shows the fights of the system that is chosen, and stays with the same one if it has that. */
system.onchange = () => {
  const { value, length } = scene;
  const { scenes } = site.systems[system.selectedIndex];
  scene.replaceChildren(...scenes.map(option));
  if (length && scenes.some(({ id }) => id === value)) scene.value = value;
};

let models = {};
let fights = [];
let shown = new AbortController();
/** Whether Python hears what is asked; until then the page holds what is to come. */
let hears = false;
/** The fight that was chosen while Python loads; without one the last goes on. @type {{system: string, scene: string} | null} */
let chosen = null;

const last = memory.get("fight");
const comes = () => ask({ begin: chosen, language: language.value });
/** Shows that another fight is being made, and that the one that stands there is on its way out; or that it is not. */
function making(isMade) {
  if (isMade) say("The fight is being made.");
  fight.inert = isMade;
}

function begin() {
  chosen = { system: system.value, scene: scene.value };
  if (hears) making(true);
  else say("The rules are loading. Then it begins: {title}.", { title: () => scene.selectedOptions[0].text });
  if (hears) comes();
}

system.onchange();
translate();
if (last) {
  say("The rules are loading. Then your last fight is here again: {title}.", { title: () => last });
  fresh.open = false;
} else say("The rules are loading.");
choose.querySelector("button").disabled = false;
// What is chosen while Python loads is what comes, whether Begin is pressed or not.
choose.onchange = ({ target }) => {
  if (!models.tracker && target !== language) begin();
};
choose.onsubmit = (event) => {
  event.preventDefault();
  begin();
};

const widgets = Object.fromEntries(
  await Promise.all(PARTS.map(async (part) => [part, (await import(`./${part}.js`)).default])),
);

function show({ views }) {
  shown.abort();
  shown = new AbortController();
  const { signal } = shown;
  const parts = PARTS.filter((part) => views[part]);
  const refs = Object.fromEntries(parts.filter((part) => part !== "tracker").map((part) => [part, part]));
  // On a phone the map stands in the place of what can be done: it comes when it is asked for.
  const pane = models.map?.get("pane") ?? innerWidth > 720;
  const traits = (part) => (part === "tracker" ? { ...refs } : { within: true, pane });
  // What is left has nothing to say to those that come in its place.
  const sender = (part) => (content) => signal.aborted || ask({ part, content });
  models = Object.fromEntries(parts.map((part) => [part, createModel({ view: views[part], ...traits(part) }, sender(part))]));
  const exports = Object.fromEntries(parts.map((part) => [part, widgets[part].initialize({ model: models[part], signal })]));
  const host = {
    getWidget: async (part) => ({
      exports: exports[part],
      render: async (place) => widgets[part].render({ model: models[part], signal, host, ...place }),
    }),
  };
  say("");
  making(false);
  fresh.open = kept.open = false;
  fight.replaceChildren(document.createElement("div"));
  widgets.tracker.render({ model: models.tracker, el: fight.firstChild, signal, host });
}

/** Says which fight it is, and who is in it, in the fight's own language. @param {{title: string, sides: string[], lang: string}} told */
function name({ title, sides, lang }) {
  const called = () => title || tr("Your own fight", {}, lang);
  memory.set("fight", called());
  about.lang = lang;
  if (sides.length < 2) return put(about, "{title}", { title: called }, lang);
  const text = sides.length === 2 ? "{title}: {sides}. You play both." : "{title}: {sides}. You play them all.";
  put(about, text, { title: called, sides: () => sides.join(` ${tr("against", {}, lang)} `) }, lang);
}

/** Lists the fights that were played here, the newest first; the one that is shown is marked. */
function list() {
  kept.hidden = fights.length < 2;
  const locale = navigator.languages.find((each) => each.startsWith(language.value)) ?? language.value;
  const when = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", hour: "numeric", minute: "2-digit" });
  const rows = fights.map(({ id, title, system, begun, now, stage, rounds, ended, who }) => {
    const rules = site.systems.find((each) => each.id === system);
    const [row, button, called, stands, those, date] = ["li", "button", "b", "span", "small", "small"].map((name) => document.createElement(name));
    called.append(tr(title) || tr("Your own fight"));
    const round = rounds ? `${tr(rules.round)} ${rounds}` : tr(rules.surprise);
    stands.append(ended || (stage === "setup" ? tr("being set up") : round));
    those.append(who.map((names) => names.join(", ")).join(` ${tr("against")} `));
    date.append(`${tr(rules.title)} · ${when.format(new Date(begun))}`);
    button.append(called, " ", stands, " ", those, " ", date);
    button.type = "button";
    if (now) button.setAttribute("aria-current", "true");
    button.onclick = () => {
      if (now) return (kept.open = false);
      making(true);
      return ask({ open: id });
    };
    row.append(button);
    if (!now) row.append(off(id, called.textContent));
    return row;
  });
  kept.querySelector("ul").replaceChildren(...rows);
}
/** Takes a fight off the list, once that is meant. @param {string} id @param {string} title */
function off(id, title) {
  const button = document.createElement("button");
  button.type = "button";
  button.append("×");
  button.setAttribute("aria-label", tr("Take “{title}” off the list", { title }));
  button.onclick = () => confirm(tr("Take “{title}” off the list? It can't be opened here again.", { title })) && ask({ drop: id });
  return button;
}
// A fight has gone on since it was listed.
kept.ontoggle = () => kept.open && ask({ list: true });

worker.onmessage = ({ data }) => {
  if (data.part) return models[data.part].hear(data.content);
  if (data.views) show(data);
  if (data.about) name(data.about);
  if (data.fights) list((fights = data.fights));
  if (data.far) near(data.far);
  if (data.hears) hear();
  if (data.waits) say("The table is open in another tab. Close it there, and it goes on here.");
  if (data.unsure !== undefined) doubt(data);
  if (data.copy !== undefined) download(data);
  if (data.kept !== undefined) tell(data.kept);
  if (data.said) {
    making(false);
    say(data.said);
  }
};
worker.onerror = () => say("Python did not start here. Load the page again, or try another browser.");

function hear() {
  hears = true;
  comes();
}

/** How far it is until the table is there, while that is waited for. @param {[number, number]} far */
function near([value, max]) {
  const bar = fight.querySelector("progress");
  if (bar) Object.assign(bar, { value, max });
}

/** Says one sentence at a time. @param {string} text @param {Record<string, () => unknown>} [values] */
function say(text, values) {
  put(said, text, values);
  said.hidden = !text;
}

/** Asks before a fight that somebody has played leaves the page. */
async function doubt({ unsure, begin }) {
  say("");
  making(false);
  put(sure.querySelector("p"), "“{title}” is under way. It stays under Your fights.", { title: () => tr(unsure) || tr("Your own fight") });
  sure.onclose = () => {
    if (sure.returnValue) {
      making(true);
      ask({ begin, language: language.value, sure: true });
    }
    sure.returnValue = "";
  };
  sure.showModal();
}

/** Says that the browser keeps nothing, as long as that is so, and offers what there is. */
function tell(keeps) {
  unkept.hidden = keeps;
  put(
    unkept.firstChild,
    "This browser isn't keeping your fights: its storage is full or turned off. Download them before you close the page.",
  );
}
unkept.querySelector("button").onclick = () => ask({ copy: true });

function download({ copy, name }) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([copy]));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}

// A browser may throw away what it was not asked to keep; it wants to be asked once somebody has touched the page.
addEventListener("pointerup", () => void navigator.storage?.persist?.(), { once: true });

// What a visit has loaded is there the next time without a network.
if (navigator.serviceWorker) navigator.serviceWorker.register("offline.js");
