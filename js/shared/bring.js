/**
 * What is opened later: its script stands in no notebook, Python sends it when a widget is first shown.
 */
import { html, nothing, render, svg } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";

import { connect } from "./adapter.js";

/** @import { Model } from "./port.js" */

/**
 * Brings a script, once a model, however many views it has.
 *
 * @param {Model} model
 * @param {string} name
 * @returns {Promise<any>} its module
 */
export function bring(model, name) {
  const trait = `late_${name}`;
  /** @type {Promise<any>} */
  const coming = model.get(trait) ?? load(model, name);
  model.set(trait, coming);
  return coming;
}

/** @param {Model} model @param {string} name */
async function load(model, name) {
  const { script } = await connect(model).ask({ kind: "late", name });
  const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const module = await import(url);
  URL.revokeObjectURL(url);
  module.use({ html, nothing, render, svg, repeat });
  return module;
}
