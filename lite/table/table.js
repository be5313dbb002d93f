/** A table without a notebook: the Tracker on this page, its Python in a worker. */
import { createModel } from "./model.js";

const PARTS = ["ladder", "budget", "log", "tracker"];
const worker = new Worker("worker.js", { type: "module" });
const site = await (await fetch("site.json")).json();
const [choose, said, fight, fresh, kept, unkept, sure] = ["choose", "said", "fight", "new", "kept", "unkept", "sure"].map(
  (id) => document.getElementById(id),
);
const { system, scene } = choose.elements;
const ask = (message) => worker.postMessage(message);

const option = ({ id, title }) => new Option(title, id);
system.append(...site.systems.map(option));
system.onchange = () => scene.replaceChildren(...site.systems[system.selectedIndex].scenes.map(option));
system.onchange();
choose.querySelector("button").disabled = false;
choose.onsubmit = (event) => {
  event.preventDefault();
  say("");
  if (!models.tracker) say(`${scene.selectedOptions[0].text} begins as soon as Python is here.`);
  ask({ begin: { system: system.value, scene: scene.value } });
};

let models = {};
let shown = new AbortController();
const widgets = Object.fromEntries(
  await Promise.all(PARTS.map(async (part) => [part, (await import(`./${part}.js`)).default])),
);

function show({ views, fights }) {
  shown.abort();
  shown = new AbortController();
  const { signal } = shown;
  const refs = { ladder: "ladder", budget: "budget", log: "log" };
  const traits = (part) => (part === "tracker" ? { ...refs } : { within: true });
  const sender = (part) => (content) => ask({ part, content });
  models = Object.fromEntries(PARTS.map((part) => [part, createModel({ view: views[part], ...traits(part) }, sender(part))]));
  const exports = Object.fromEntries(PARTS.map((part) => [part, widgets[part].initialize({ model: models[part], signal })]));
  const host = {
    getWidget: async (part) => ({
      exports: exports[part],
      render: async (place) => widgets[part].render({ model: models[part], signal, host, ...place }),
    }),
  };
  say("");
  fresh.open = kept.open = false;
  list(fights);
  fight.replaceChildren(document.createElement("div"));
  widgets.tracker.render({ model: models.tracker, el: fight.firstChild, signal, host });
}

/** Lists the fights that were played here, the newest first; the one that is shown is marked. */
function list(fights) {
  kept.hidden = fights.length < 2;
  const when = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
  const rows = fights.map(({ id, title, system, begun, now }) => {
    const [row, button] = ["li", "button"].map((name) => document.createElement(name));
    button.append(title);
    button.type = "button";
    if (now) button.setAttribute("aria-current", "true");
    button.onclick = () => (now ? (kept.open = false) : ask({ open: id }));
    row.append(button, ` ${system}, begun ${when.format(new Date(begun))}`);
    return row;
  });
  kept.querySelector("ul").replaceChildren(...rows);
}

worker.onmessage = ({ data }) => {
  if (data.views) show(data);
  else if (data.part) models[data.part].hear(data.content);
  else if (data.far) near(data.far);
  else if (data.unsure) doubt(data);
  else if (data.copy !== undefined) download(data);
  else if (data.kept !== undefined) tell(data.kept);
  else say(data.said);
};
worker.onerror = () => say("Python did not start here. Load the page again, or try another browser.");

/** How far it is until the table is there, while that is waited for. @param {[number, number, boolean]} far */
function near([value, max, isHere]) {
  const bar = fight.querySelector("progress");
  if (!bar) return;
  Object.assign(bar, { value, max });
  if (isHere) bar.previousSibling.textContent = "Python is here, and starts. ";
}

function say(text) {
  said.textContent = text;
  said.hidden = !text;
}

/** Asks before a fight that somebody has played leaves the page. */
async function doubt({ unsure, begin }) {
  sure.querySelector("p").textContent = `“${unsure}” is under way. It stays under Your fights.`;
  sure.onclose = () => {
    if (sure.returnValue) ask({ begin, sure: true });
    sure.returnValue = "";
  };
  sure.showModal();
}

/** Says that the browser keeps nothing, as long as that is so, and offers what there is. */
function tell(keeps) {
  unkept.hidden = keeps;
  unkept.firstChild.textContent =
    "This browser isn't keeping your fights: its storage is full or turned off. Download them before you close the page.";
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
