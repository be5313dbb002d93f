import assert from "node:assert/strict";
import { test } from "node:test";

import { createRecord } from "../page/record.js";

/** A fight of `count` events: event n sets the ladder's clock to n, every tenth opens a round, every second is told. */
function saved(count) {
  const told = Array.from({ length: count }, (_, index) => index + 1).filter((seq) => seq % 2);
  return {
    views: { tracker: { mode: "setup" }, ladder: { rows: {}, clock: 1 }, budget: { name: null }, log: { cursor: 1 } },
    steps: Array.from({ length: count - 1 }, (_, index) => ({
      ladder: [[["clock"], index + 2], [["rows", String(index + 2)], { name: "Mara" }]],
      ...(index % 2 && { log: [[["cursor"], index + 2]] }),
    })),
    lines: Object.fromEntries(told.map((seq) => [seq, { seq }])),
    heads: Object.fromEntries(told.filter((seq) => seq % 10 === 1).map((seq) => [seq, { title: `Round ${seq}` }])),
    rounds: Array.from({ length: Math.floor(count / 10) }, (_, index) => (index + 1) * 10),
    rules: {},
    opens: 10,
  };
}

test("any moment is the same by whatever way it is come to", () => {
  const record = createRecord(saved(700));
  for (const seq of [1, 700, 350, 351, 65, 64, 66, 2, 699, 128, 129, 1]) {
    const { ladder, log, budget } = record.viewsAt(seq);
    assert.equal(ladder.clock, seq);
    assert.equal(Object.keys(ladder.rows).length, seq - 1);
    assert.equal(log.at, seq < 700 ? seq : null);
    assert.equal(log.cursor, seq % 2 ? seq : Math.max(1, seq - 1));
    assert.equal(budget.name, null);
  }
});

test("what an event leaves as it was keeps its identity", () => {
  const record = createRecord(saved(30));
  const before = record.viewsAt(10);
  const after = record.viewsAt(11);
  assert.equal(before.budget, after.budget);
  assert.equal(before.tracker, after.tracker);
  assert.notEqual(before.ladder, after.ladder);
  assert.equal(before.log.lines, after.log.lines);
});

test("the log begins with its newest lines, and tells earlier ones under their headings", () => {
  const record = createRecord(saved(700));
  const { log } = record.viewsAt(5);
  assert.equal(log.events, 700);
  assert.deepEqual([Object.keys(log.lines).length, Object.keys(log.lines)[0]], [60, "581"]);
  const { lines, heads } = record.linesOf(95, 105);
  assert.deepEqual(Object.keys(lines), ["95", "97", "99", "101", "103", "105"]);
  assert.deepEqual(Object.keys(heads), ["91", "101"]);
});

test("rounds are gone to and fro, to the ends and no further", () => {
  const { roundFrom } = createRecord(saved(35));
  assert.deepEqual([roundFrom(1, 1), roundFrom(10, 1), roundFrom(30, 1)], [10, 20, 35]);
  assert.deepEqual([roundFrom(35, -1), roundFrom(30, -1), roundFrom(10, -1)], [30, 20, 1]);
});
