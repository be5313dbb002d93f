import assert from "node:assert/strict";
import { test } from "node:test";

import { cellsIn } from "../map/cells.js";
import { cellsOf, isIn } from "../map/geometry.js";

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
