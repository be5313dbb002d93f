/**
 * The words of the front ends in another language: Python sends them with the view of a widget's root, and here they are
 * looked up where something is shown. A template is looked up as a whole, with `{0}` for what is filled in first.
 */
import { html as plainly } from "lit-html";

/** @import { Tongue } from "./types.js" */

/** What stands in a tag, and the attributes in it that are read. */
const TAG = /(<[^<>]*>)/;
const NAMES = "aria-label|aria-description|aria-valuetext|title|placeholder|label|alt";
const READ = new RegExp(`(\\s(?:${NAMES})=")([^"]*)(")`, "g");
const READ_AT = new RegExp(`\\s(?:${NAMES})=(?:"[^"]*"|\\S+)`, "g");
const HOLE = /\u0001(\d+)\u0002/;
const HOLES = new RegExp(HOLE, "g");
/** @type {Record<string, string>} */
const ESCAPED = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/**
 * @typedef {{strings: TemplateStringsArray, order: number[], words: Set<number>}} Made a template in another language: which value stands
 *   where, and which may be words of ours
 * @typedef {object} Known
 * @property {string} lang
 * @property {Record<string, string>} words
 * @property {string} die
 * @property {Map<string, string>} said
 * @property {WeakMap<TemplateStringsArray, Made>} made
 * @property {string[]} [own] names that look like words of ours
 * @property {[string, RegExp, string][]} [patterns] what stands fast in a template, what it looks like filled in, what is said
 */

/** @type {WeakMap<Tongue, Known>} */
const known = new WeakMap();
/** The same by its words: a whole view brings them again, and what stands is not made anew for that. @type {Map<string, Known>} */
const alike = new Map();
/** @type {Known | undefined} */
let now;

/**
 * Lets everything that is shown from here on be in a language; in English without one.
 *
 * @param {Tongue | undefined} tongue @param {string[]} [own] names that stay, though they look like words of ours
 */
export const speakIn = (tongue, own) => {
  now = tongue && known.get(tongue);
  if (tongue && !now) {
    const words = JSON.stringify(tongue);
    now = alike.get(words) ?? { ...tongue, said: new Map(), made: new WeakMap() };
    alike.set(words, now);
    known.set(tongue, now);
  }
  if (now && now.own !== own) Object.assign(now, { own, said: new Map() });
};

/** @param {Known} tongue */
const patternsOf = (tongue) =>
  (tongue.patterns ??= Object.entries(tongue.words)
    .filter(([text]) => /\{\d+\}/.test(text))
    .map(([text, said]) => {
      const pieces = text.split(/\{\d+\}/);
      const looks = pieces.map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("(.+?)");
      return /** @type {[string, RegExp, string]} */ ([pieces.reduce((a, b) => (b.length > a.length ? b : a)), new RegExp(`^${looks}$`, "su"), said]);
    })
    .sort(([a], [b]) => b.length - a.length));

/** @param {Known} tongue @param {string} text @returns {string} */
const find = (tongue, text) => {
  const bare = text.trim();
  if (bare !== text) return bare ? text.replace(bare, () => find(tongue, bare)) : text;
  const plain = tongue.words[text];
  if (plain !== undefined) return plain;
  for (const [part, looks, said] of patternsOf(tongue)) {
    const found = text.includes(part) && looks.exec(text);
    if (found) return said.replace(/\{(\d+)\}/g, (_, at) => tr(found[Number(at) + 1] ?? ""));
  }
  return text;
};

/** Names as one would say them. @param {string[]} names */
export const joined = (names) => new Intl.ListFormat(now?.lang ?? "en-GB").format(names);

/** Words of ours in the language; what it has none for stays. @param {string} text */
export const tr = (text) => {
  if (!now || !text || now.own?.includes(text)) return text;
  const said = now.said.get(text) ?? find(now, text);
  now.said.set(text, said);
  return said;
};

/** A die by its sides, as a box for one says it. @param {number} [sides] */
export const die = (sides) => `${now?.die ?? "d"}${sides}`;

/** A title within a sentence: English has it small there, but for OCV and its like, and others as it is. @param {string} title */
export const within = (title) => (now ? title : title.replace(/[A-Z](?=[a-z])/g, (letter) => letter.toLowerCase()));

/** @param {Known} tongue @param {string} text with its holes */
const segment = (tongue, text) => {
  /** @type {string[]} */
  const holes = [];
  const bare = text.replace(/\s+/g, " ").trim();
  const said = tongue.words[bare.replace(HOLES, (hole) => `{${holes.push(hole) - 1}}`)];
  if (said === undefined) return text;
  const filled = said.replace(/[&<>"]/g, (sign) => ESCAPED[sign] ?? sign).replace(/\{(\d+)\}/g, (_, at) => holes[at] ?? "");
  return `${/^\s/.test(text) ? " " : ""}${filled}${/\s$/.test(text) ? " " : ""}`;
};

/** @param {Known} tongue @param {TemplateStringsArray} strings @returns {Made} */
const make = (tongue, strings) => {
  const whole = strings.reduce((before, text, at) => `${before}\u0001${at - 1}\u0002${text}`);
  const words = new Set();
  const shown = whole
    .split(TAG)
    .map((piece, at) => {
      const isTag = at % 2;
      if (!isTag) for (const [, hole] of piece.matchAll(HOLES)) words.add(Number(hole));
      for (const [read] of isTag ? piece.matchAll(READ_AT) : []) for (const [, hole] of read.matchAll(HOLES)) words.add(Number(hole));
      return isTag ? piece.replace(READ, (_, before, text, after) => `${before}${segment(tongue, text)}${after}`) : segment(tongue, piece);
    })
    .join("")
    .split(HOLE);
  const texts = shown.filter((_, at) => at % 2 === 0);
  return { strings: /** @type {any} */ (Object.assign(texts, { raw: texts })), order: shown.filter((_, at) => at % 2).map(Number), words };
};

/** @type {typeof plainly} */
export const html = (strings, ...values) => {
  if (!now) return plainly(strings, ...values);
  let made = now.made.get(strings);
  if (!made) now.made.set(strings, (made = make(now, strings)));
  const { words } = made;
  return plainly(made.strings, ...made.order.map((at) => (words.has(at) && typeof values[at] === "string" ? tr(values[at]) : values[at])));
};
