/** The fields of the tracker's forms, as data: how each looks is `forms.js`, what was filled in becomes arguments here. */

import { tr, within } from "../shared/tongue.js";

/** @import { Setup, Stat, TrackerData } from "../shared/types.js" */

/**
 * A field: `several` ticks any of its options, `one` chooses one, `list` is text with commas, `either` text that is
 * a number where it looks like one, `rows` has lines of `parts`; the others are what they say. `text` offers its options
 * and takes anything.
 *
 * @typedef {object} Field
 * @property {string} name
 * @property {string} title
 * @property {"text" | "number" | "list" | "check" | "one" | "several" | "either" | "rows"} type
 * @property {[string, string][]} [options] values and their titles
 * @property {unknown} [usual] what Python takes if nothing is filled in
 * @property {unknown} [value] what is filled in at first
 * @property {boolean} [rest] whether it folds away with others that a fight does without
 * @property {boolean} [wide] whether it takes the room of two
 * @property {[string, string, string][]} [parts] of one with lines: id, title, kind
 * @property {string} [example] what may be typed, where nothing is
 * @property {string} [rangeless] how a weapon is used whose range nobody states
 * @property {boolean} [required]
 * @property {number | null} [min]
 * @property {number | null} [max]
 */

/** @type {Record<Stat["type"], Field["type"]>} */
const TYPES = { int: "number", text: "text", list: "list", bool: "check", either: "either", rows: "rows" };

/** @param {string[]} texts @returns {[string, string][]} */
const same = (texts) => texts.map((text) => [text, text]);

/** @type {Field} */
const NOTE = { name: "note", title: "Note", type: "text" };

/** Whom it is about: nobody, until somebody is chosen, on the ladder or here. @param {TrackerData["gm"]} gm @param {string} [who] @returns {Field} */
const whom = (gm, who) => ({ name: "name", title: "Who", type: "one", required: true, value: who, options: [["", "Choose"], ...same(gm?.names ?? [])] });

/** @type {Field} */
export const NAME = { name: "name", title: "Name", type: "text", required: true };

/**
 * Whose side somebody is on: one there is, or any other.
 *
 * @param {Setup | undefined} setup
 * @returns {Field}
 */
export const sideField = (setup) => {
  const sides = (setup?.sides ?? []).map(({ name }) => name);
  // Those there are stand in the empty field: nobody guesses what a side is called.
  return { name: "side", title: "Side", type: "text", required: true, wide: true, options: same(sides), example: sides.join(", ") || tr("heroes") };
};

/** Whose side somebody who is typed in is on, as it seems: one's own, not the foes'. @param {Setup | undefined} setup */
const ownSide = ({ sides = [], party, foes } = /** @type {Setup} */ ({})) => party ?? sides.find(({ name }) => name !== foes)?.name ?? tr("heroes");

/**
 * The stats that can be typed, with what somebody has in them.
 *
 * @param {Setup | undefined} setup
 * @param {Record<string, unknown>} [held]
 * @param {boolean} [isRow] whether there is room for a row of them only
 * @returns {Field[]}
 */
export const statFields = (setup, held = {}, isRow = false) =>
  (setup?.stats ?? []).map(({ id, type, first, row, default: usual, ...rest }) => ({
    ...rest,
    ...{ name: id, type: TYPES[type], usual, rest: !(isRow ? row : first) },
    ...(id in held && { value: held[id] }),
  }));

/** What of an attack is typed in one line, and in which order, where commas part it. @param {Field} field */
const typedTitle = ({ parts = [], example = "" }) => {
  const flags = example.split(",").map((word) => flagOf(parts, word));
  const said = parts.filter((part, at) => (part[2] === "bool" ? flags.includes(part) : at < flags.filter((flag) => !flag).length));
  return said.length > 2 ? `Attack: ${said.map(([, title]) => within(title)).join(", ")}` : "Attack";
};

/** What is true or false of an attack, and typed as its own name, wherever it stands. @param {NonNullable<Field["parts"]>} parts @param {string} word */
const flagOf = (parts, word) => parts.find(([id, title, type]) => type === "bool" && [id, title.toLowerCase()].includes(word.trim().toLowerCase()));

/**
 * What is typed of one attack: what it adds, the third part, may stand behind its name, as a sheet has it. Nothing
 * where a number could be that, or what follows it: Python refuses it, and says how to write each. Nothing of one
 * with a part called by its name ("range 20") either: Python reads it.
 *
 * @param {Field} field
 * @param {string} text
 */
export const typedOf = ({ parts = [] }, text) => {
  if (/, *[a-z]+ \d/i.test(text)) return [];
  const words = text.replace(/[\s,]+$/, "").split(",");
  if (parts[2]?.[2] === "int" && words.length < parts.length && /^[^,]+\s\(?[+\u2212-]\d+\)?(\s+\d+[dw][^,]*)?,[^,]*,\s*[^\s+\u2212-]/i.test(text)) {
    if (!isNaN(+(words[2] ?? ""))) return [];
    words.splice(2, 0, "");
  }
  return words;
};

/**
 * How an attack is made, by what is typed of it: with its range, in melee, or as one without any, and what stands behind
 * its damage, by title. Nothing if it has no name.
 *
 * @param {Field} field
 * @param {unknown[]} words in the order of its parts
 */
export const madeAs = ({ parts = [] }, words) => {
  const said = words.map((word) => String(word ?? "").trim());
  const flag = said.find((word) => flagOf(parts, word));
  const plain = said.filter((word) => word !== flag);
  const [name] = plain;
  const range = plain[parts.findIndex(([id]) => id === "range")] || flag || "";
  const more = /** @type {[string, string][]} */ (parts.flatMap(([id, title], at) => (at > 1 && id !== "range" && plain[at] ? [[title, plain[at]]] : [])));
  return name ? { name, range, more } : undefined;
};

/**
 * What is asked of somebody new: first what a fight needs.
 *
 * @param {Setup | undefined} setup
 * @param {string} [side] whose side they are on, as it seems
 * @param {boolean} [isRow]
 * @returns {Field[]}
 */
const newcomer = (setup, side, isRow) => {
  /** @type {Field} */
  const npc = { name: "npc", title: "GM plays them", type: "check" };
  // What they attack with is typed in one line, as a roster has it; on a sheet it then stands in boxes.
  const stats = statFields(setup, {}, isRow).map((field) => (field.type === "rows" ? { ...field, title: typedTitle(field), type: /** @type {const} */ ("text"), wide: true } : field));
  return [
    { ...NAME, wide: true },
    { ...sideField(setup), value: side },
    { name: "count", title: "How many", type: "number", min: 1, usual: 1 },
    ...(isRow ? [...stats, npc] : [npc, ...stats]),
  ];
};

/**
 * What each form asks, by the call it makes, and what of it the call takes otherwise. One that `stays` is there for the
 * next when it is done; another would then do the same to whoever comes first.
 *
 * @type {Record<string, {title: string, button: string, stays?: boolean, fields: (view: TrackerData, who?: string) => Field[], call?: (given: Record<string, unknown>, view: TrackerData, side?: unknown) => Record<string, unknown>}>}
 */
export const SHEETS = {
  add: { title: "By hand", button: "Add", stays: true, fields: ({ setup }) => newcomer(setup, ownSide(setup), true) },
  join: {
    title: "Bring somebody in",
    button: "Bring in",
    stays: true,
    fields: ({ setup }) => newcomer(setup, ownSide(setup)),
    // Who comes back is on the side they were on, unless another is named than the one that stood there.
    call: ({ side, ...rest }, { setup, gm }, stood = ownSide(setup)) => (side === stood && gm?.gone?.includes(String(rest.name)) ? rest : { side, ...rest }),
  },
  leave: {
    title: "Take out of the fight",
    button: "Take out",
    fields: ({ gm }, who) => [whom(gm, who)],
  },
  condition: {
    title: "Set a condition",
    button: "Set",
    fields: ({ gm }, who) => [
      whom(gm, who),
      { name: "condition", title: "Condition", type: "text", required: true, options: same(gm?.conditions ?? []) },
      { name: "until", title: "Until", type: "one", options: (gm?.untils ?? [""]).map((text) => [text, text || "the GM ends it"]) },
      NOTE,
      { name: "off", title: "Remove it", type: "check" },
    ],
  },
  place: {
    title: "Change the order",
    button: "Move",
    fields: ({ gm }, who = gm?.names[0]) => {
      const names = same(gm?.names ?? []);
      return [
        { name: "name", title: "Who", type: "one", options: names, value: who },
        { name: "where", title: "Goes", type: "one", options: [["before", "before"], ["after", "after"]] },
        { name: "whom", title: "Combatant", type: "one", options: [...names.filter(([name]) => name !== who), ...names.filter(([name]) => name === who)] }, // nobody goes before themselves
        NOTE,
      ];
    },
    call: ({ where, whom, ...rest }) => ({ ...rest, [String(where)]: whom }),
  },
  trigger: {
    title: "Call for reactions",
    button: "Ask for reactions",
    fields: ({ gm }) => [
      { name: "text", title: "What happens?", type: "text", required: true },
      { name: "by", title: "Who does it?", type: "several", options: same(gm?.names ?? []) },
    ],
  },
};

/**
 * A default as it stands in its box.
 *
 * @param {unknown} usual
 */
export const usualText = (usual) => (usual == null ? "" : [usual].flat().join(", "));

/**
 * What was typed, as an argument.
 *
 * @param {Field["type"]} type
 * @param {string} text
 */
const typedAs = (type, text) =>
  type === "number" || (type === "either" && /^[+-]?\d+$/.test(text))
    ? Number(text)
    : type === "list"
      ? text.split(",").map((each) => each.trim()).filter(Boolean)
      : text;

/**
 * What was filled in, as arguments by name; what was left as it stood is left to Python.
 *
 * @param {Field[]} fields
 * @param {{getAll: (name: string) => unknown[]}} data
 */
export function valuesOf(fields, data) {
  /** @type {Record<string, unknown>} */
  const given = {};
  for (const { name, type, usual, parts = [] } of fields) {
    const all = data.getAll(name).map((value) => String(value).trim());
    const text = (all[0] ?? "").split(/([,;] *)/).map((word) => flagOf(parts, word)?.[0] ?? word).join("");
    if (type === "check") {
      if (all.length > 0 !== Boolean(usual)) given[name] = !usual;
    } else if (type === "several") {
      if (all.length) given[name] = all;
    } else if (text && text !== usualText(usual)) {
      given[name] = typedAs(type, text);
    }
  }
  return given;
}

/**
 * What was changed, as arguments by name; what was cleared is null, which is as usual.
 *
 * @param {Field[]} fields
 * @param {{getAll: (name: string) => unknown[]}} data
 */
export function changesOf(fields, data) {
  /** @type {Record<string, unknown>} */
  const changed = {};
  for (const field of fields) {
    const { name, type, usual, value } = field;
    if (type === "rows") {
      const rows = rowsOf(field, data);
      if (JSON.stringify(rows) !== JSON.stringify(inOrder(field))) changed[name] = rows;
      continue;
    }
    const [text = ""] = data.getAll(name).map((each) => String(each).trim());
    if (type === "check") {
      if (Boolean(text) !== Boolean(value ?? usual)) changed[name] = Boolean(text);
    } else if (text !== usualText(value)) changed[name] = text ? typedAs(type, text) : null;
  }
  return changed;
}

/**
 * What was typed into the lines of a field, as a sheet has it; what is empty is left out.
 *
 * @param {Field} field
 * @param {{getAll: (name: string) => unknown[]}} data
 * @returns {Record<string, unknown>[]}
 */
function rowsOf({ name, parts = [] }, data) {
  const columns = parts.map(([id, , type]) => ({ id, type, texts: data.getAll(`${name}:${id}`) }));
  return (columns[0]?.texts ?? [])
    .map((_, at) => Object.fromEntries(columns.flatMap(({ id, type, texts }) => part(id, type, String(texts[at] ?? "")))))
    .filter((row) => Object.keys(row).length);
}

/** The lines a field holds, each with its parts in the order of the boxes. @param {Field} field @returns {Record<string, unknown>[]} */
const inOrder = ({ parts = [], value }) =>
  /** @type {Record<string, unknown>[]} */ (value ?? []).map((row) => Object.fromEntries(parts.flatMap(([id]) => (id in row ? [[id, row[id]]] : []))));

/** @param {string} id @param {string} type @param {string} text @returns {[string, unknown][]} */
const part = (id, type, text) => {
  const plain = text.trim().replace("\u2212", "-");
  if (type === "bool") return plain ? [[id, true]] : [];
  return plain ? [[id, type !== "text" && /^[+-]?\d+$/.test(plain) ? Number(plain) : plain]] : [];
};
