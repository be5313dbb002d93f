import assert from "node:assert/strict";
import { test } from "node:test";

import { SHEETS, usualText, valuesOf } from "../more/fields.js";

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
