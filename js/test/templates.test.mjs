import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { transform } from "esbuild";

import { collapse } from "../templates.mjs";

const JS = join(import.meta.dirname, "..");

test("a line break in a template becomes one space", () => {
  assert.equal(collapse("html`<b\n    class=x\n  >\n  a  b\\n\n</b>`"), "html`<b class=x > a  b\\n </b>`");
  assert.equal(collapse("html`${a}\n  ${b}`"), "html`${a} ${b}`");
});

test("code in a template keeps its lines, and a template in it loses them", () => {
  const inner = "html`<p>\n${a.map((x) => {\n  // a ` in words }\n  return x ? { k: svg`<g>\n</g>` } : `plain\n text`;\n})}\n</p>`";
  const done = "html`<p> ${a.map((x) => {\n  // a ` in words }\n  return x ? { k: svg`<g> </g>` } : `plain\n text`;\n})} </p>`";
  assert.equal(collapse(inner), done);
});

test("what only looks like a template stays", () => {
  for (const source of [
    "'html`\\n'\n\n;\"`\"\n\n  x",
    "/* html`\n\n */ a",
    "x = /[`/]`/\n\n  y / 2 / z",
    "a[0] / b\n\n  (c) / `\n  d`",
    "return /`/\n  .test(x)",
  ]) {
    assert.equal(collapse(source), source);
  }
});

test("our own scripts say the same but for the white space of their templates", async () => {
  const minified = async (text) => (await transform(text, { minify: true })).code.replace(/\\n|\s+/g, " ").replace(/ +/g, " ");
  for (const folder of ["budget", "ladder", "log", "shared", "tracker"]) {
    for (const name of readdirSync(join(JS, folder)).filter((each) => each.endsWith(".js"))) {
      const source = readFileSync(join(JS, folder, name), "utf8");
      assert.equal(await minified(collapse(source)), await minified(source), `${folder}/${name}`);
    }
  }
});
