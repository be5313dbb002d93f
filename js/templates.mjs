/**
 * An esbuild plugin: where a template of ours breaks its line, a single space stays. Lit keeps what stands in a template
 * to the letter, so the indentation of the sources would else be in every bundle.
 *
 * A space, not nothing: words and inline elements stand apart as before.
 */
import { readFile } from "node:fs/promises";

const TAGS = /\b(?:html|svg)$/;
/** What a regular expression may follow; after anything else a slash divides. */
const BEFORE_REGEX = /(?:^|[^\s\w$)\]}"'`]|\b(?:return|typeof|case))\s*$/;
const REGEX = /\/(?:\[(?:\\.|[^\]\\\n])*\]|\\.|[^/\\[\n])+\//y;
const SKIPPED = /\/\/[^\n]*|\/\*[^]*?\*\/|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/y;

/**
 * Gives a script with the line breaks of its `html` and `svg` templates collapsed, and nothing else changed.
 *
 * @param {string} source
 */
export function collapse(source) {
  let done = "";
  let at = 0;
  /** The open templates, with the braces open in the expression that is read; null in the text of one. */
  const open = [];
  const take = (pattern) => {
    pattern.lastIndex = at;
    const [found] = pattern.exec(source) ?? [];
    if (found === undefined) return false;
    done += found;
    at += found.length;
    return true;
  };
  while (at < source.length) {
    const last = open.at(-1);
    const char = source[at];
    if (last && last.braces === null) {
      if (char === "`") open.pop();
      if (take(/\$\{/y)) last.braces = 0;
      else if (take(/\s*\n\s*/y)) done = last.ours ? done.replace(/\s+$/, " ") : done;
      else take(/\\[^]|[^]/y);
      continue;
    }
    if (take(SKIPPED) || (char === "/" && BEFORE_REGEX.test(done.slice(-40)) && take(REGEX))) continue;
    if (char === "`") open.push({ ours: TAGS.test(done.slice(-20)), braces: null });
    else if (last && char === "{") last.braces += 1;
    else if (last && char === "}") last.braces = last.braces === 0 ? null : last.braces - 1;
    take(/[^]/y);
  }
  return done;
}

/** @type {import("esbuild").Plugin} */
export const templates = {
  name: "templates",
  setup(build) {
    build.onLoad({ filter: /\.js$/ }, async ({ path }) =>
      path.includes("node_modules") ? undefined : { contents: collapse(await readFile(path, "utf8")), loader: "js" },
    );
  },
};
