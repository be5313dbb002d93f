import assert from "node:assert/strict";
import { test } from "node:test";

import { kindsOf, people } from "../ladder/kinds.js";
import { placeBehind, placeText, rungAbove, tabStop } from "../ladder/order.js";

test("the tab stop stays, else it is the one whose turn it is, else the first", () => {
  assert.equal(tabStop(["1", "2", "3"], "3", "2"), "3");
  assert.equal(tabStop(["1", "2"], "3", "2"), "2");
  assert.equal(tabStop(["1", "2"], undefined, null), "1");
  assert.equal(tabStop([], undefined, null), undefined);
});

test("what is dropped stands behind the rung above it", () => {
  const middles = [10, 30, 50];
  assert.equal(rungAbove(middles, 5), -1);
  assert.equal(rungAbove(middles, 31), 1);
  assert.equal(rungAbove(middles, 500), 2);
});

test("only places that were offered count, and say where they are", () => {
  const delay = { name: "Mara", places: [["2", 17], ["3", null]], reason: [] };
  assert.deepEqual(placeBehind(delay, "2"), ["2", 17]);
  assert.equal(placeBehind(delay, "9"), undefined);
  assert.equal(placeBehind(null, "2"), undefined);
  const view = { rows: { 2: { name: "Guard 1" }, 3: { name: "Ilya" } } };
  assert.equal(placeText(view, ["2", 17]), "behind Guard 1, at 17");
  assert.equal(placeText(view, ["3", null]), "behind Ilya");
});

test("of a kind are so many people, however many rungs each has", () => {
  const rows = Object.fromEntries([1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2].map((number, at) => [at, { name: `Guard ${number}`, side: 0, status: "waits" }]));
  const order = Object.keys(rows);
  assert.equal(people(rows, order), 3);
  assert.equal(kindsOf({ order, rows }, () => false).size, 0);
  for (const at of [9, 10]) rows[at].name = `Guard ${at}`;
  const [kind] = kindsOf({ order, rows }, () => false).values();
  assert.equal(people(rows, kind.ids), 5);
});
