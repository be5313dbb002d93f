import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { html, speakIn, tr, within } from "../shared/tongue.js";

const GERMAN = {
  lang: "de",
  die: "W",
  words: {
    "Back to {0}": "Zurück zu {0}",
    "Dead": "Tot",
    "Done": "Fertig",
    "{0} of {1} ticked": "Von {1} sind {0} angekreuzt",
    "Rule {0}": "Regel {0}",
    "Sign": "<b>&\"",
    "Combat": "Kampf",
  },
};
afterEach(() => speakIn(undefined));

/** What a template comes to. @param {any} template */
const filled = ({ strings, values }) => strings.reduce((/** @type {string} */ text, /** @type {string} */ part, /** @type {number} */ at) => `${text}${values[at - 1]}${part}`);

test("in English a template is what it was", () => {
  const strings = (/** @type {any} */ (html`<p>Back to ${1}</p>`)).strings;
  assert.equal(strings[0], "<p>Back to ");
});

test("a template is looked up as a whole, and may put what fills it elsewhere", () => {
  speakIn(GERMAN);
  const ticked = (/** @type {number} */ count, /** @type {number} */ all) => html`<b>
      ${count} of ${all} ticked</b>`;
  assert.equal(filled(ticked(2, 7)), "<b> Von 7 sind 2 angekreuzt</b>");
  assert.equal(/** @type {any} */ (ticked(1, 2)).strings, /** @type {any} */ (ticked(3, 4)).strings, "it is made once");
});

test("words that come again make nothing anew", () => {
  const back = () => /** @type {any} */ (html`<p>Back to ${1}</p>`).strings;
  speakIn(GERMAN);
  const before = back();
  speakIn(structuredClone(GERMAN));
  assert.equal(back(), before);
});

test("what is read aloud is looked up, and what no one reads is not", () => {
  speakIn(GERMAN);
  assert.equal(filled(html`<i class="Done" aria-label="Rule ${5}" title="Done" data-rule=${"Done"}>${"Done"}</i>`), '<i class="Done" aria-label="Regel 5" title="Fertig" data-rule=Done>Fertig</i>');
});

test("words that fill a template are looked up where they are read", () => {
  speakIn(GERMAN);
  assert.equal(filled(html`<i class=${"Dead"} aria-label=${"Dead"}>${"Dead"} ${"Mara"}</i>`), "<i class=Dead aria-label=Tot>Tot Mara</i>");
});

test("a translation is text, never markup", () => {
  speakIn(GERMAN);
  assert.equal(filled(html`<p>Sign</p>`), "<p>&lt;b&gt;&amp;&quot;</p>");
});

test("a sentence is known by what stands between its fields", () => {
  speakIn(GERMAN);
  assert.equal(tr("Back to Dead"), "Zurück zu Tot");
  assert.equal(tr(" Done "), " Fertig ");
  assert.equal(tr("Nothing of ours"), "Nothing of ours");
  speakIn(undefined);
  assert.equal(tr("Done"), "Done");
});

test("a name that looks like words of ours stays one", () => {
  speakIn(GERMAN, ["Dead", "Back to Done"]);
  assert.deepEqual(["Dead", "Back to Dead", "Back to Done"].map(tr), ["Dead", "Zurück zu Dead", "Back to Done"]);
  speakIn(GERMAN);
  assert.equal(tr("Dead"), "Tot");
});

test("a title within a sentence is small, but for what is all capitals", () => {
  speakIn(undefined);
  assert.deepEqual(["OCV modifier", "Combat Value", "Range in hexes"].map(within), ["OCV modifier", "combat value", "range in hexes"]);
});
