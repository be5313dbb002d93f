/** A table without a notebook: the Tracker on this page, its Python in a worker. */
import { createModel } from "./model.js";

const PARTS = ["ladder", "budget", "log", "tracker"];
const site = await (await fetch("site.json")).json();
const [form, said, fight] = ["choose", "said", "fight"].map((id) => document.getElementById(id));
const { system, scene } = form.elements;
const widgets = Object.fromEntries(
  await Promise.all(PARTS.map(async (part) => [part, (await import(`./${part}.js`)).default])),
);
const worker = new Worker("worker.js", { type: "module" });

let models = {};
let shown = new AbortController();
/** Whether somebody has chosen something: what comes later leaves that alone. */
let chosen = false;

function show(views) {
  shown.abort();
  shown = new AbortController();
  const { signal } = shown;
  const refs = { ladder: "ladder", budget: "budget", log: "log" };
  const traits = (part) => (part === "tracker" ? { ...refs } : { within: true });
  const sender = (part) => (content) => worker.postMessage({ part, content });
  models = Object.fromEntries(PARTS.map((part) => [part, createModel({ view: views[part], ...traits(part) }, sender(part))]));
  const exports = Object.fromEntries(PARTS.map((part) => [part, widgets[part].initialize({ model: models[part], signal })]));
  const host = {
    getWidget: async (part) => ({
      exports: exports[part],
      render: async (place) => widgets[part].render({ model: models[part], signal, host, ...place }),
    }),
  };
  said.hidden = true;
  fight.replaceChildren(document.createElement("div"));
  widgets.tracker.render({ model: models.tracker, el: fight.firstChild, signal, host });
}

worker.onmessage = ({ data }) => {
  if (data.views) {
    show(data.views);
    if (!chosen && system.value !== data.system) choose(data.system);
  } else if (data.part) models[data.part].hear(data.content);
  else say(data.said);
};
worker.onerror = () => say("Python did not start here. Load the page again, or try another browser.");

function say(text) {
  said.textContent = text;
  said.hidden = false;
}

const option = ({ id, title }) => new Option(title, id);
system.append(...site.systems.map(option));
system.onchange = () => scene.replaceChildren(...site.systems[system.selectedIndex].scenes.map(option));
function choose(id) {
  system.value = id;
  system.onchange();
}
choose(site.systems[0].id);
form.onchange = () => {
  chosen = true;
};
form.onsubmit = (event) => {
  event.preventDefault();
  worker.postMessage({ begin: { system: system.value, scene: scene.value } });
};

// What a visit has loaded is there the next time without a network.
if (navigator.serviceWorker) navigator.serviceWorker.register("offline.js");
