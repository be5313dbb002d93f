/** What is shipped: no style that nothing wears. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { build } from "esbuild";

import { OPTIONS } from "../options.mjs";

const HERE = join(import.meta.dirname, "..");
const WIDGETS = ["ladder", "budget", "log", "tracker", "rules", "comparison", "quiz", "exercise", "room", "screen", "map"];

async function bundle(entry) {
  return build({ ...OPTIONS, metafile: true, entryPoints: [join(HERE, entry)], absWorkingDir: HERE, outdir: "unwritten" });
}

async function sourceOf(entry) {
  const { metafile } = await bundle(entry);
  const own = Object.keys(metafile.inputs).filter((path) => !path.includes("node_modules"));
  return own.map((path) => readFileSync(join(HERE, path), "utf8")).join("\n");
}

for (const name of WIDGETS) {
  test(`${name} has no class in its sheet that nothing draws`, async () => {
    // Widgets share parts, and one that holds others may also lay out what they draw.
    const drawn = await Promise.all(WIDGETS.map((each) => sourceOf(`${each}/widget.js`)));
    const words = new Set(drawn.join("\n").match(/[\w-]+/g));
    // Put together from a part that varies.
    for (const word of ["a", "b", "c", "d"]) words.add(`ck-${word}`);
    for (const word of ["top", "mid", "end", "done", "now", "shortcuts"]) words.add(`is-${word}`);
    const hosts = ["vscode-light", "vscode-dark"];
    const { outputFiles } = await bundle(`${name}/view.css`);
    const rules = outputFiles[0].text.replace(/\{[^{}]*\}/g, (block) => (block.includes("{") ? block : "{}"));
    const classes = new Set([...rules.matchAll(/\.(-?[a-z_][\w-]*)/gi)].map(([, each]) => each));
    assert.deepEqual([...classes].filter((each) => !words.has(each) && !hosts.includes(each)), []);
  });
}

test("the tracker repeats no style of the widgets it holds", async () => {
  const own = readFileSync(join(HERE, "tracker/view.css"), "utf8");
  for (const name of ["ladder", "budget", "log"]) {
    const theirs = readFileSync(join(HERE, name, "view.css"), "utf8");
    const shared = [...theirs.matchAll(/@import "([^"]+)"/g)].map(([, path]) => path);
    assert.ok(shared.length);
    const rules = [...theirs.replace(/@import[^;]+;/g, "").matchAll(/^(\.[^{]+)\{([^{}]+)\}/gm)].map(([, at, body]) => at + body);
    assert.deepEqual(rules.filter((rule) => own.includes(rule)), []);
  }
});
