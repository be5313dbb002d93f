/**
 * What is opened later: its script stands in no notebook, Python sends it when a widget is first shown.
 */
import { html, nothing, render, svg } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";

import { connect } from "./adapter.js";

/** @import { Model } from "./port.js" */

/**
 * Brings a script, once a model, however many views it has; its styles hold in the place for which it is brought.
 *
 * @param {Model} model
 * @param {string} name
 * @param {{el: HTMLElement, signal: AbortSignal}} [place]
 * @returns {Promise<any>} its module
 */
export async function bring(model, name, place) {
  const trait = `late_${name}`;
  /** @type {ReturnType<typeof load>} */
  const coming = model.get(trait) ?? load(model, name);
  model.set(trait, coming);
  const { module, sheet } = await coming;
  if (sheet && place && !place.signal.aborted) dress(/** @type {Document | ShadowRoot} */ (place.el.getRootNode()), sheet, place.signal);
  return module;
}

/** @param {Model} model @param {string} name */
async function load(model, name) {
  const { script, style, at } = await connect(model).ask({ kind: "late", name });
  // A page of ours says where the script is: its policy lets nothing run that was made here.
  const url = at ?? URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const module = await import(url);
  URL.revokeObjectURL(url);
  module.use({ html, nothing, render, svg, repeat });
  const sheet = style && new CSSStyleSheet();
  sheet?.replaceSync(style);
  return { module, sheet };
}

/** Another view may wear it too: each puts it on and takes off its own. @param {Document | ShadowRoot} home @param {CSSStyleSheet} sheet @param {AbortSignal} signal */
function dress(home, sheet, signal) {
  const worn = home.adoptedStyleSheets;
  worn.push(sheet);
  signal.addEventListener("abort", () => worn.splice(worn.indexOf(sheet), 1));
}
