/**
 * Bundles each widget: `<name>/widget.js` becomes `<output>/<name>.js`, `<name>/view.css` becomes `<output>/<name>.css`.
 * So does a page that holds widgets, `<name>/page.js`, and one that fetches them, `<name>/seat.js`.
 *
 * One entry a widget and no splitting, because anywidget loads a bundle from a blob, where relative imports fail.
 * A page loads each widget's bundle before it shows anything, so one that grows too large fails the build.
 *
 * A widget's sheet is nested in the widget's root, `[data-ck="<name>"]`, so that it styles nothing else on a page, neither a
 * host nor another widget. Nesting, since every browser that knows `light-dark()` has it, and `@scope` came years later.
 *
 * Usage: node build.mjs <output folder> [<source folder>]
 */
import { existsSync } from "node:fs";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { basename, extname, join, resolve } from "node:path";
import process from "node:process";

import { build, transform } from "esbuild";

import { OPTIONS } from "./options.mjs";

const SCRIPTS = ["widget.js", "seat.js", "page.js"];
const LIMITS = { ".js": 80 * 1024, ".css": 64 * 1024 };
const ENDINGS = [".js", ".css"];
/** How a template is laid out for whoever reads it here: a browser needs no more than the break. */
const INDENT = /\n\s+/g;
const KEYFRAMES = /@keyframes [\w-]+\{(?:[^{}]*\{[^{}]*\})*\s*\}/g;

/**
 * Finds the entries of one source folder.
 *
 * @param {string} source
 * @returns {Promise<{in: string, out: string}[]>}
 */
async function findEntries(source) {
  const folders = (await readdir(source, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  return folders
    .map((folder) => folder.name)
    .sort()
    .flatMap((name) =>
      SCRIPTS.flatMap((script) =>
        [script, "view.css"]
          .filter((file) => existsSync(join(source, name, script)) && existsSync(join(source, name, file)))
          .map((file) => ({ in: join(source, name, file), out: name })),
      ),
    );
}

/**
 * Nests a sheet in its widget's root. Animations can't be nested: they stand behind it.
 *
 * @param {string} css
 * @param {string} name
 */
async function nest(css, name) {
  const animations = css.match(KEYFRAMES) ?? [];
  const nested = `[data-ck="${name}"]{${css.replace(KEYFRAMES, "")}}${animations.join("")}`;
  return (await transform(nested, { loader: "css", minify: true, charset: "utf8" })).code;
}

/**
 * Builds all widgets of a source folder and removes bundles whose source is gone.
 *
 * @param {string} output
 * @param {string} source
 * @returns {Promise<string[]>} what is wrong with the result, if anything
 */
async function buildAll(output, source) {
  const entryPoints = await findEntries(source);
  const { outputFiles } = await build({ ...OPTIONS, entryPoints, outdir: output, logLevel: "warning" });

  await mkdir(output, { recursive: true });
  const wanted = new Set(outputFiles.map((file) => basename(file.path)));
  for (const name of await readdir(output)) {
    if (ENDINGS.includes(extname(name)) && !wanted.has(name)) await rm(join(output, name));
  }

  const problems = [];
  for (const { path, text } of outputFiles) {
    const name = basename(path, ".css");
    const isNested = path.endsWith(".css") && existsSync(join(source, name, "widget.js"));
    const contents = Buffer.from(isNested ? await nest(text, name) : text.replace(INDENT, "\n"));
    await writeFile(path, contents);
    const limit = LIMITS[extname(path)];
    console.log(`${String(contents.byteLength).padStart(6)} of ${limit} bytes  ${basename(path)}`);
    if (contents.byteLength > limit) {
      problems.push(`${basename(path)} is ${contents.byteLength} bytes; the limit is ${limit}`);
    }
  }
  return problems;
}

const [output, source = import.meta.dirname] = process.argv.slice(2);
if (output === undefined) {
  console.error("usage: node build.mjs <output folder> [<source folder>]");
  process.exit(2);
}
const problems = await buildAll(resolve(output), resolve(source));
for (const problem of problems) console.error(problem);
process.exitCode = problems.length ? 1 : 0;
