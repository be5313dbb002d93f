import assert from "node:assert/strict";
import { test } from "node:test";

import { cellsIn } from "../map/cells.js";
import { named, placeOf } from "../map/draw.js";
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

/** Where the name of the first stands, beside others on hexes: how much of it is left of where it stands, and how high that is. @param {string} name @param {[number, number]} at @param {[number, number][]} others */
const placeOfName = (name, at, others, board = "hexes") => {
  const sight = /** @type {any} */ ({ kind: kindOf(board), size: 40, middle: kindOf(board).centre(at), width: 640, height: 480 });
  const tokens = { me: { name, at }, ...Object.fromEntries(others.map((spot, index) => [String(index), { name: "Ossik", at: spot }])) };
  const groups = /** @type {any} */ (Object.entries(tokens).map((each) => [each]));
  const taken = others.map((spot) => placeOf(sight, spot)).map(([x, y]) => ({ left: x - 14, right: x + 14, top: y - 14, low: y + 19 }));
  const { from, y } = /** @type {any} */ (named(/** @type {any} */ ({ view: { tokens, apart: {} }, sight, aimed: [] }), groups, taken).find(({ id }) => id === "me"));
  return from === 0.5 ? (y > placeOf(sight, at)[1] ? "below" : "above") : from ? "left" : "right";
};

test("a name stands below its token, and beside it where another token or a neighbour's name would be under it", () => {
  assert.equal(placeOfName("the captain", [0, 1], []), "below");
  assert.equal(placeOfName("the captain", [0, 1], [[0, 2]]), "right", "a token on the hex below it");
  assert.equal(placeOfName("the captain", [0, 1], [[0, 2], [2, 1]]), "left", "and a neighbour on the right");
  assert.equal(placeOfName("the captain", [0, 1], [[0, 2], [1, 1], [-1, 1]]), "above", "and one on the left");
  assert.equal(placeOfName("a hooded man", [5, 3], [[6, 4]], "squares"), "right");
  assert.equal(placeOfName("Vex", [5, 3], [[6, 4]], "squares"), "below", "a short name ends before it");
  assert.equal(placeOfName("Vex", [5, 3], [[4, 3]], "squares"), "right");
  assert.equal(placeOfName("Vex", [5, 3], [[4, 3], [6, 3]], "squares"), "below");
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

test("what is said of places is worked out once for as long as a view lasts", () => {
  const view = /** @type {any} */ ({ board: "squares", zones: [], sides: [{ name: "guards" }], tokens: { Vex: { name: "Vex", at: [4, 1], side: 0 } }, reach: [], threat: [] });
  assert.equal(cellsIn(view, [0, 0]), cellsIn(view, [0, 0]), "while somebody is dragged each frame asks for it");
  assert.deepEqual(cellsIn(view, [1, 0]).map(({ to }) => String(to)), ["1,0", "4,1"]);
  assert.deepEqual(cellsIn({ ...view, tokens: {} }, [1, 0]).map(({ to }) => String(to)), ["1,0"]);
});
