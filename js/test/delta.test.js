import assert from "node:assert/strict";
import { test } from "node:test";

import { applyDelta } from "../shared/delta.js";

const view = () => ({
  revision: 7,
  order: ["1", "2", "3"],
  current: "1",
  rows: { 1: { name: "Mara" }, 2: { name: "Vex" }, 3: { name: "Guard" } },
  strips: [{ zones: [{ here: true }, { here: false }] }],
});

test("a delta replaces what it names and keeps the identity of the rest", () => {
  const before = view();
  const after = applyDelta(before, { base: 7, revision: 8, set: [[["rows", "2"], { name: "Vex the Great" }]] });
  assert.equal(after.revision, 8);
  assert.equal(after.rows[2].name, "Vex the Great");
  assert.equal(after.rows[1], before.rows[1]);
  assert.equal(after.order, before.order);
  assert.deepEqual(before, view());
});

test("null takes a key away", () => {
  const after = applyDelta(view(), { base: 7, revision: 8, set: [[["rows", "3"], null], [["current"], null]] });
  assert.deepEqual(Object.keys(after.rows), ["1", "2"]);
  assert.equal("current" in after, false);
});

test("several entries in one place copy it once and all hold", () => {
  const before = view();
  const set = [
    [["rows", "1", "name"], "A"],
    [["rows", "2", "name"], "B"],
    [["rows", "4"], { name: "D" }],
    [["rows", "4", "name"], "E"],
  ];
  const after = applyDelta(before, { base: 7, revision: 8, set });
  assert.deepEqual(Object.values(after.rows).map(({ name }) => name), ["A", "B", "Guard", "E"]);
  assert.equal(after.rows[3], before.rows[3]);
  assert.deepEqual(set[2][1], { name: "D" }, "what came over the wire is not written to");
});

test("lists on the way stay lists, and what is missing on the way is made", () => {
  const before = view();
  const after = applyDelta(before, {
    base: 7,
    revision: 9,
    set: [
      [["strips", "0", "zones", "1", "here"], true],
      [["group", "swift"], { id: "swift" }],
    ],
  });
  assert.ok(Array.isArray(after.strips[0].zones));
  assert.equal(after.strips[0].zones[1].here, true);
  assert.equal(before.strips[0].zones[1].here, false);
  assert.equal(after.strips[0].zones[0], before.strips[0].zones[0]);
  assert.deepEqual(after.group, { swift: { id: "swift" } });
});

test("a list of keys puts the value at each", () => {
  const before = view();
  const after = applyDelta(before, { base: 7, revision: 8, set: [[["rows", ["1", "3"], "name"], "X"], [["rows", ["2"]], null]] });
  assert.deepEqual(after.rows, { 1: { name: "X" }, 3: { name: "X" } });
  assert.deepEqual(before, view());
});

test("items take the place of others in a list", () => {
  const before = view();
  const after = applyDelta(before, { base: 7, revision: 8, set: [[["order"], ["9", "8"], 1, 1]] });
  assert.deepEqual(after.order, ["1", "9", "8", "3"]);
  assert.deepEqual(before, view());
});
