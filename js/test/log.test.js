import assert from "node:assert/strict";
import { test } from "node:test";

import { byRound, earlier, keep } from "../log/rounds.js";

const lines = (from, to) =>
  Object.fromEntries(Array.from({ length: to - from + 1 }, (_, index) => [from + index, { seq: from + index }]));

test("lines stand under the heading before them", () => {
  const rounds = byRound(lines(5, 12), { 3: { title: "Round 1" }, 8: { title: "Round 2" }, 11: { title: "Round 3" } });
  assert.deepEqual(
    rounds.map(({ head, lines: of }) => [head?.title, of.map(({ seq }) => seq)]),
    [
      ["Round 1", [5, 6, 7]],
      ["Round 2", [8, 9, 10]],
      ["Round 3", [11, 12]],
    ],
  );
});

test("lines before any heading stand alone, and numbers may have gaps", () => {
  const rounds = byRound({ 2: { seq: 2 }, 7: { seq: 7 } }, { 5: { title: "Round 1" } });
  assert.deepEqual(rounds.map(({ head, lines: of }) => [head?.title, of.length]), [[undefined, 1], ["Round 1", 1]]);
  assert.deepEqual(byRound({}, {}), []);
});

test("earlier lines are asked for a page at a time", () => {
  assert.deepEqual(earlier(lines(301, 500), 1), { from: 101, to: 300 });
  assert.deepEqual(earlier(lines(41, 240), 1), { from: 1, to: 40 });
  assert.equal(earlier(lines(1, 20), 1), undefined);
  assert.equal(earlier({}, 1), undefined);
});

test("what falls out of the newest lines is kept once earlier ones are shown", () => {
  const kept = { 1: "a" };
  assert.deepEqual(keep(kept, { 2: "b", 3: "c" }, { 3: "c", 4: "d" }), { 1: "a", 2: "b" });
  assert.equal(keep(kept, { 3: "c" }, { 3: "c" }), kept);
});
