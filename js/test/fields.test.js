import assert from "node:assert/strict";
import { test } from "node:test";

import { SHEETS, changesOf, madeAs, typedOf, usualText, valuesOf } from "../more/fields.js";

const data = (values) => ({ getAll: (name) => [values[name] ?? []].flat() });

test("what was filled in goes by type; what stands as usual is left to Python", () => {
  const fields = [
    { name: "name", type: "text" },
    { name: "level", type: "number", usual: 1 },
    { name: "dex", type: "number", usual: 0 },
    { name: "feats", type: "list", usual: [] },
    { name: "major", type: "check", usual: false },
    { name: "grounded", type: "check", usual: true },
    { name: "names", type: "several" },
  ];
  const typed = data({ name: " Mara ", level: "1", dex: "-4", feats: "Quick Draw, Dodge,", major: "on", names: ["A", "B"] });
  assert.deepEqual(valuesOf(fields, typed), {
    name: "Mara",
    dex: -4,
    feats: ["Quick Draw", "Dodge"],
    major: true,
    grounded: false,
    names: ["A", "B"],
  });
  assert.deepEqual(valuesOf(fields, data({ grounded: "on" })), {});
});

test("lines of boxes are read by column; empty ones are left out, and what is as it was is no change", () => {
  const parts = [["name", "Name", "text"], ["damage", "Damage", "dice"], ["attack", "Attack", "int"]];
  const held = [{ attack: 9, name: "Blaster", damage: "3d8" }];
  const field = { name: "weapons", title: "Weapons", type: "rows", parts, value: held };
  const typed = (...lines) => data(Object.fromEntries(parts.map(([id], at) => [`weapons:${id}`, lines.map((line) => line[at])])));
  const club = { name: "7", damage: 5, attack: -1 };
  assert.deepEqual(changesOf([field], typed(["", " ", ""], ["7", "5", "\u22121"])), { weapons: [club] });
  assert.deepEqual(changesOf([field], typed(["Blaster", "3d8", "9"])), {});
  assert.deepEqual(changesOf([field], typed(["Blaster", "3d8", ""])), { weapons: [{ name: "Blaster", damage: "3d8" }] });
  assert.deepEqual(changesOf([field], typed()), { weapons: [] });
});

test("what somebody new attacks with is typed in one line", () => {
  const weapons = { id: "weapons", title: "Weapons", type: "rows", parts: [["name", "Name", "text"]], default: [], row: true, example: "spear +6, 1d8" };
  for (const name of ["add", "join"]) {
    const fields = SHEETS[name].fields({ setup: { sides: [], stats: [weapons] } });
    const { title, type, example } = fields.find((field) => field.name === "weapons");
    assert.deepEqual([title, type, example], ["Attack", "text", "spear +6, 1d8"]);
    assert.equal(valuesOf(fields, data({ weapons: " Club +3, 1d4 " })).weapons, "Club +3, 1d4");
  }
});

test("what the parts of an attack are is said where commas alone part them", () => {
  const parts = [["name", "Name", "text"], ["damage", "Damage", "dice"], ["speed", "Speed", "int"], ["range", "Range", "int"]];
  const weapons = { id: "weapons", title: "Weapons", type: "rows", parts, default: [], row: true, example: "sword, 1d8, 5" };
  const fields = SHEETS.add.fields({ setup: { sides: [], stats: [weapons] } });
  assert.equal(fields.find(({ name }) => name === "weapons").title, "Attack: name, damage, speed");
});

test("whoever is chosen stands in the forms that are about somebody, and goes before somebody else", () => {
  const gm = { names: ["Mara", "Vex"], conditions: [], untils: [] };
  for (const form of ["leave", "condition", "place"]) assert.equal(SHEETS[form].fields({ gm }, "Vex")[0].value, "Vex");
  assert.equal(SHEETS.leave.fields({ gm })[0].value, undefined, "nobody is taken out by default");
  assert.equal(SHEETS.place.fields({ gm }, "Vex").find(({ name }) => name === "whom").options[0][0], "Mara");
});

test("who comes back stays on their side, unless another is named than the one that stood there", () => {
  const view = { setup: { foes: "empire", sides: [{ name: "empire" }, { name: "rebels" }], stats: [] }, gm: { gone: ["Mara"] } };
  const join = (name, side, stood) => SHEETS.join.call({ name, side }, view, stood);
  assert.deepEqual(join("Mara", "rebels"), { name: "Mara" }, "one's own side stands there, not the foes'");
  assert.deepEqual(join("Mara", "empire"), { name: "Mara", side: "empire" });
  assert.deepEqual(join("Mara", "hutts", "hutts"), { name: "Mara" });
  assert.deepEqual(join("Vex", "empire"), { name: "Vex", side: "empire" });
});

test("one's own side stands where somebody is typed in, though only foes are there yet", () => {
  const side = (setup) => SHEETS.add.fields({ setup: { stats: [], ...setup } }).find(({ name }) => name === "side").value;
  assert.equal(side({ sides: [{ name: "foes" }], foes: "foes" }), "heroes");
  assert.equal(side({ sides: [{ name: "foes" }, { name: "crew" }], foes: "foes" }), "crew");
  assert.equal(side({ sides: [] }), "heroes");
});

test("a usual value stands as text in its box", () => {
  assert.equal(usualText(null), "");
  assert.equal(usualText(3), "3");
  assert.equal(usualText(["Dodge", "Run"]), "Dodge, Run");
});

test("every sheet names its fields, whatever the state lacks", () => {
  for (const [name, { fields }] of Object.entries(SHEETS)) {
    assert.ok(fields({}).every(({ name: field, title, type }) => field && title && type), name);
  }
});

test("what is true or false of an attack is typed as its own name, in the language of the fight too", () => {
  const parts = [["name", "Name", "text"], ["damage", "Schaden", "int|text"], ["speed", "Tempo", "int|text"], ["range", "Reichweite", "int|text"], ["missile", "Geschoss", "bool"]];
  const field = { name: "weapons", title: "Waffen", type: "text", parts };
  assert.equal(valuesOf([field], data({ weapons: "Bogen, 1d6, 7, Geschoss; Dolch, 1d4, 2" })).weapons, "Bogen, 1d6, 7, missile; Dolch, 1d4, 2");
  assert.deepEqual(madeAs(field, "Bogen, 1d6, 7, Geschoss".split(",")), { name: "Bogen", range: "Geschoss", more: [["Tempo", "7"]] });
  assert.deepEqual(madeAs(field, "Dolch, 1d4, 2".split(",")), { name: "Dolch", range: "", more: [["Tempo", "2"]] });
  const held = { ...field, type: "rows", value: [{ name: "Bogen", missile: true }, { name: "Dolch" }] };
  const boxes = { "weapons:name": ["Bogen", "Dolch"], "weapons:missile": ["ja", ""] };
  assert.deepEqual(changesOf([held], data(boxes)), {});
  assert.deepEqual(changesOf([held], data({ ...boxes, "weapons:missile": ["", ""] })), { weapons: [{ name: "Bogen" }, { name: "Dolch" }] });
});

test("what an attack adds may stand behind its name, and what comes next in its place", () => {
  const parts = [["name", "Name", "text"], ["damage", "Damage", "dice"], ["attack", "Attack bonus", "int"], ["range", "Range", "int|text"]];
  const field = { name: "weapons", title: "Weapons", type: "text", parts };
  const made = (text) => madeAs(field, typedOf(field, text));
  for (const text of ["bow +7, 2d6, 20", "sword +1, 1d8, 7", "sword +1, 1d8, 7,", "bow +7 2d6, , 20"]) assert.equal(made(text), undefined, "a number could be the bonus or the range");
  assert.equal(made("bow +7, 2d6, range 20"), undefined, "what is called by its name Python reads");
  assert.deepEqual(made("bow +7, 2d6, melee"), { name: "bow +7", range: "melee", more: [] });
  assert.deepEqual(made("bow +7 2d6, , melee"), { name: "bow +7 2d6", range: "melee", more: [] });
  assert.deepEqual(made("club +1, 2d6, 9, melee"), { name: "club +1", range: "melee", more: [["Attack bonus", "9"]] });
  assert.deepEqual(made("bow, 2d6, 7, 20"), { name: "bow", range: "20", more: [["Attack bonus", "7"]] });
  assert.deepEqual(made("club +1, 2d6, +9"), { name: "club +1", range: "", more: [["Attack bonus", "+9"]] });
});
