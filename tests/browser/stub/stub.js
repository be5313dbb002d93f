/**
 * A host for one widget and its children, without a kernel: what anywidget 0.11 does in a notebook, with models whose
 * other side is the test.
 *
 * A module is imported once for all models, as in hosts that cache modules: state in module scope shows as a fault.
 */

const PREFIX = "anywidget:";

/** Listeners on what outlives a widget: a widget that leaves one behind leaks. */
const outside = new Set();

/** Tells whether a widget's module is calling, not the test's own tools, which listen on the document as well. */
function widgetIsCalling() {
  const files = new Error().stack.match(/https?:[^\s)]+\.js/g) ?? [];
  return files.some((file) => file.startsWith(location.origin) && new URL(file).pathname !== "/stub.js");
}

function watchListeners(target) {
  const { addEventListener, removeEventListener } = target;
  const find = (type, callback, options) => {
    const capture = typeof options === "boolean" ? options : Boolean(options?.capture);
    return [...outside].find(
      (entry) => entry.target === target && entry.type === type && entry.callback === callback && entry.capture === capture,
    );
  };
  target.addEventListener = function (type, callback, options) {
    if (callback && !options?.signal?.aborted && widgetIsCalling() && !find(type, callback, options)) {
      const entry = { target, type, callback, capture: typeof options === "boolean" ? options : Boolean(options?.capture) };
      outside.add(entry);
      options?.signal?.addEventListener("abort", () => outside.delete(entry));
    }
    return addEventListener.call(this, type, callback, options);
  };
  target.removeEventListener = function (type, callback, options) {
    outside.delete(find(type, callback, options));
    return removeEventListener.call(this, type, callback, options);
  };
}

for (const target of [window, document, document.documentElement, document.body]) watchListeners(target);

const { matchMedia } = window;
window.matchMedia = (query) => {
  const list = matchMedia.call(window, query);
  watchListeners(list);
  return list;
};

/** The front end's half of a widget: traits, events and messages, as Backbone and ipywidgets give them. */
class StubModel {
  #traits;
  #dirty = new Map();
  listeners = [];
  sent = [];
  saved = [];

  constructor(name, traits) {
    this.name = name;
    this.#traits = new Map(Object.entries(traits));
  }

  get state() {
    return Object.fromEntries(this.#traits);
  }

  get(name) {
    return this.#traits.get(name);
  }

  set(name, value) {
    const given = typeof name === "object" ? name : { [name]: value };
    const changed = Object.entries(given).filter(
      ([key, next]) => JSON.stringify(this.#traits.get(key)) !== JSON.stringify(next),
    );
    for (const [key, next] of Object.entries(given)) this.#traits.set(key, next);
    for (const [key, next] of changed) this.#dirty.set(key, next);
    for (const [key, next] of changed) this.trigger(`change:${key}`, this, next, {});
    if (changed.length) this.trigger("change", this, {});
  }

  /** An update from Python: nothing of it is to be sent back. */
  receive(traits) {
    this.set(traits);
    for (const key of Object.keys(traits)) this.#dirty.delete(key);
  }

  save_changes() {
    if (this.#dirty.size) this.saved.push(structuredClone(Object.fromEntries(this.#dirty)));
    this.#dirty.clear();
  }

  /** Where Python is behind the page it answers; else that is the test's. */
  send(content) {
    if (stub.answered) this.#ask(structuredClone(content));
    else this.sent.push(structuredClone(content));
  }

  async #ask(content) {
    stub.asking += 1;
    const said = await window.toPython(this.name, content);
    stub.asking -= 1;
    for (const [name, message] of said) stub.model(name).trigger("msg:custom", message, []);
  }

  on(names, callback, context) {
    for (const name of names.split(/\s+/)) this.listeners.push({ name, callback, context });
  }

  off(names, callback, context) {
    const wanted = names?.split(/\s+/);
    this.listeners = this.listeners.filter(
      (entry) =>
        (wanted && !wanted.includes(entry.name)) ||
        (callback && entry.callback !== callback) ||
        (context && entry.context !== context),
    );
  }

  trigger(name, ...args) {
    for (const entry of this.listeners.filter((each) => each.name === name)) entry.callback(...args);
  }
}

/** What a widget gets to see of its model; the context lets the host take its listeners away. */
function proxy(model, context) {
  return {
    get: (name) => model.get(name),
    set: (name, value) => model.set(name, value),
    save_changes: () => model.save_changes(),
    send: (content) => model.send(content),
    on: (names, callback) => model.on(names, callback, context),
    off: (names, callback) => model.off(names, callback, context),
  };
}

class Host {
  /** Whether Python is behind the page. */
  answered = false;
  /** How many messages Python has not answered yet. */
  asking = 0;
  #bindings = new Map();
  #views = [];
  #closing = new AbortController();

  /** Makes the model of one widget, imports its module and initializes it. */
  async add(id, { address, css, traits }) {
    const model = new StubModel(id, traits);
    const context = Symbol("initialize");
    const { signal } = this.#closing;
    if (css !== undefined && !document.getElementById(`css-${address}`)) {
      const style = document.createElement("style");
      style.id = `css-${address}`;
      style.textContent = css;
      document.head.append(style);
    }
    const { default: found } = await import(address);
    const widget = typeof found === "function" ? await found() : found;
    const result = await widget.initialize?.({ model: proxy(model, context), signal });
    signal.addEventListener("abort", () => {
      model.off(null, null, context);
      if (typeof result === "function") result();
    });
    this.#bindings.set(id, { model, widget, exports: typeof result === "object" ? result : undefined });
  }

  model(id) {
    const binding = this.#bindings.get(id);
    if (!binding) throw new Error(`no stub model "${id}": there are ${[...this.#bindings.keys()].join(", ")}`);
    return binding.model;
  }

  /** Shows one more view of a widget. */
  async show(id) {
    const el = document.createElement("div");
    el.dataset.view = id;
    document.getElementById("views").append(el);
    const own = new AbortController();
    this.#views.push(own);
    const signal = AbortSignal.any([this.#closing.signal, own.signal]);
    await this.#render(id, el, signal, this.#hostFor(signal));
    signal.addEventListener("abort", () => el.remove());
  }

  /** Ends the oldest view, as running its cell again does. */
  hide() {
    this.#views.shift().abort();
  }

  /** Ends all views and models, as closing the notebook does. */
  abort() {
    this.#closing.abort();
    this.#closing = new AbortController();
  }

  listenerCount() {
    const models = [...this.#bindings.values()].map(({ model }) => model.listeners.length);
    return models.reduce((sum, count) => sum + count, outside.size);
  }

  async #render(id, el, signal, host) {
    const { model, widget } = this.#bindings.get(id);
    const context = { el };
    const cleanup = await widget.render?.({ model: proxy(model, context), el, signal, host });
    const dispose = () => {
      model.off(null, null, context);
      cleanup?.();
    };
    if (signal.aborted) dispose();
    else signal.addEventListener("abort", dispose);
  }

  #hostFor(signal) {
    const idOf = (ref) => {
      if (typeof ref !== "string" || !ref.startsWith(PREFIX)) throw new Error(`Invalid widget reference: ${ref}`);
      return ref.slice(PREFIX.length);
    };
    const host = {
      getModel: async (ref) => {
        const context = Symbol("getModel");
        const model = this.model(idOf(ref));
        signal.addEventListener("abort", () => model.off(null, null, context));
        return proxy(model, context);
      },
      getWidget: async (ref) => {
        const id = idOf(ref);
        this.model(id);
        return {
          exports: this.#bindings.get(id).exports,
          render: ({ el, signal: own }) => this.#render(id, el, own ?? signal, host),
        };
      },
    };
    return host;
  }
}

window.stub = new Host();
