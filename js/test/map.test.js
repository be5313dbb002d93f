import assert from "node:assert/strict";
import { test } from "node:test";

import { cellsIn } from "../map/cells.js";
import { aside, placeOf } from "../map/draw.js";
import { cellsOf, isIn, kindOf } from "../map/geometry.js";
import { stepOf } from "../map/zones.js";

/** @type {[number, number, number][]} */
const RUNS = [[0, -1, 2], [1, 0, 0], [1, 3, 4]];

test("a cell is in runs if one of them has it", () => {
  const has = (/** @type {[number, number]} */ cell) => isIn(RUNS, cell);
  assert.deepEqual(cellsOf(RUNS).filter(has), cellsOf(RUNS));
  for (const cell of /** @type {[number, number][]} */ ([[-2, 0], [3, 0], [1, 1], [2, 1], [5, 1], [0, 2]])) assert.equal(has(cell), false);
});

test("each place says what it costs first, who stands there and who threatens it", () => {
  const view = /** @type {any} */ ({
    board: "squares",
    zones: [],
    sides: [{ name: "guards" }],
    tokens: { Vex: { name: "Vex", at: [4, 1], side: 0 } },
    reach: [{ title: "Move", cells: [[0, -1, 0]] }, { title: "Full move", cells: RUNS }],
    threat: [{ side: 0, cells: [[1, 3, 5]] }],
  });
  const words = Object.fromEntries(cellsIn(view, undefined).map((cell) => [String(cell.to), cell.words]));
  assert.match(words["0,0"] ?? "", /Move$/);
  assert.match(words["2,0"] ?? "", /Full move$/);
  assert.match(words["4,1"] ?? "", /Vex, guards\. Full move\. Threatened by guards$/);
  assert.match(words["5,1"] ?? "", /\)\. Threatened by guards$/);
});

/** On which side a name stands on hexes, with others where they are. @param {string} name @param {[number, number]} at @param {[number, number][]} others */
const sideOf = (name, at, others, board = "hexes") => {
  const sight = /** @type {any} */ ({ kind: kindOf(board), size: 40 });
  const tokens = { me: { name, at }, ...Object.fromEntries(others.map((spot, index) => [String(index), { name: "Ossik", at: spot }])) };
  return aside(/** @type {any} */ ({ view: { tokens }, sight }), "me", .../** @type {[number, number]} */ (placeOf(sight, at)))[0];
};

test("a name stands below its token, and beside it where another token or a neighbour's name would be under it", () => {
  assert.equal(sideOf("the captain", [0, 1], []), 0);
  assert.equal(sideOf("the captain", [0, 1], [[0, 2]]), 1, "a token on the hex below it");
  assert.equal(sideOf("the captain", [0, 1], [[0, 2], [2, 1]]), -1, "and a neighbour on the right");
  assert.equal(sideOf("a hooded man", [5, 3], [[6, 4]], "squares"), 1);
  assert.equal(sideOf("Vex", [5, 3], [[6, 4]], "squares"), 0, "a short name ends before it");
  assert.equal(sideOf("Vex", [5, 3], [[4, 3]], "squares"), 1);
  assert.equal(sideOf("Vex", [5, 3], [[4, 3], [6, 3]], "squares"), 0);
});

test("in a zone no name lies over the next, or beyond its edge", () => {
  const names = ["Watch sergeant", "Harbour watch 1", "Sentry drone"];
  for (const wide of [100, 158, 400]) {
    const step = stepOf(names, wide);
    assert.ok("Watch sergeant".length * 6 <= step, "its letters have their room");
    assert.ok(5 + step <= wide, "and stay in the zone");
  }
  assert.equal(stepOf(["Juno", "Pell"], 158), 58, "short names stand as close as their marks");
});
