import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, test } from "node:test";
import { promisify } from "node:util";

const run = promisify(execFile);
const JS = dirname(import.meta.dirname);

/** A source folder and an output folder of their own for each test. */
let source;
let output;

beforeEach(async () => {
  source = await mkdtemp(join(tmpdir(), "combatkit-js-"));
  output = join(source, "out");
  await symlink(join(JS, "node_modules"), join(source, "node_modules"));
});

afterEach(() => rm(source, { recursive: true }));

async function write(path, text) {
  await mkdir(dirname(join(source, path)), { recursive: true });
  await writeFile(join(source, path), text);
}

const build = () => run(process.execPath, [join(JS, "build.mjs"), output, source]);

test("each folder with a widget becomes one script and one style sheet, with all they import", async () => {
  await write("shared/names.js", "export const NAME = 'from shared';");
  await write("shared/tokens.css", ".ck { --ck-gap: 4px; }");
  await write("dot/widget.js", "import { NAME } from '../shared/names.js'; export default { render: () => NAME };");
  await write("dot/view.css", "@import '../shared/tokens.css'; .ck-dot { gap: var(--ck-gap); }");
  await write("bare/widget.js", "import { html } from 'lit-html'; export default { render: () => html`<b>∞</b>` };");

  const { stdout } = await build();
  assert.deepEqual((await readdir(output)).sort(), ["bare.js", "dot.css", "dot.js"]);
  assert.match(stdout, /of 81920 bytes {2}dot\.js/);
  assert.match(stdout, /of 65536 bytes {2}dot\.css/);

  const { default: dot } = await import(join(output, "dot.js"));
  assert.equal(dot.render(), "from shared");
  const bare = await readFile(join(output, "bare.js"), "utf8");
  assert.doesNotMatch(bare, /\bfrom\s*["']|\bimport\b/);
  assert.match(bare, /∞/);
  assert.match(bare, /lit-html: Copyright Google LLC, SPDX-License-Identifier: BSD-3-Clause/);
  const css = await readFile(join(output, "dot.css"), "utf8");
  assert.match(css, /--ck-gap/);
  assert.doesNotMatch(css, /@import/);
});

test("a widget's sheet holds in its root only, a page's everywhere", async () => {
  const css = "&.ck { color: red; } .a { animation: move; } @keyframes move { from { top: 0; } to { top: 1px; } }";
  await write("dot/widget.js", "export default {};");
  await write("dot/view.css", css);
  await write("leaf/page.js", "");
  await write("leaf/view.css", "body { margin: 0; }");
  await build();
  const nested = await readFile(join(output, "dot.css"), "utf8");
  assert.match(nested, /^\[data-ck=dot\]\{&\.ck\{color:red\}\.a\{animation:move\}\}@keyframes move\{.*\}\s*$/);
  assert.equal((await readFile(join(output, "leaf.css"), "utf8")).trim(), "body{margin:0}");
});

test("a bundle whose widget is gone goes too, and nothing else", async () => {
  await write("dot/widget.js", "export default {};");
  await write("out/gone.js", "");
  await write("out/gone.css", "");
  await write("out/kept.svg", "");
  await build();
  assert.deepEqual((await readdir(output)).sort(), ["dot.js", "kept.svg"]);
});

test("a bundle over its limit fails the build and is named", async () => {
  await write("big/widget.js", `export default ${JSON.stringify("x".repeat(80 * 1024))};`);
  await write("big/view.css", `.ck-big::before { content: "${"y".repeat(64 * 1024)}"; }`);
  await assert.rejects(build(), ({ code, stderr }) => {
    assert.equal(code, 1);
    assert.match(stderr, /big\.js is \d+ bytes; the limit is 81920/);
    assert.match(stderr, /big\.css is \d+ bytes; the limit is 65536/);
    return true;
  });
});

test("an import that leads nowhere fails the build", async () => {
  await write("dot/widget.js", "import './nowhere.js';");
  await assert.rejects(build(), ({ stderr }) => /nowhere\.js/.test(stderr));
});
