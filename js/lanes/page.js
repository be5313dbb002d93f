/**
 * A saved comparison as a page of its own: the widget as it is, and in the place of a notebook's kernel the words of the
 * rules that it cites. Nothing is loaded.
 */
import comparison from "../comparison/widget.js";
import { createModel } from "../shared/model.js";

/** @type {{view: import("../shared/types.js").ComparisonData, rules: Record<string, object>}} */
const { view, rules } = JSON.parse(document.getElementById("record")?.textContent ?? "");
const model = createModel({ view }, ({ id, rule }) => {
  if (rules[rule]) model.hear({ ...rules[rule], id });
});
const el = /** @type {HTMLElement} */ (document.getElementById("fight"));
comparison.initialize({ model });
comparison.render({ model, el, signal: new AbortController().signal });
