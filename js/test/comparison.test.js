/** Where the needle stands, and what each lane shows there. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { momentAt, rest, roundFrom, timeText } from "../comparison/needle.js";

const view = {
  span: 60,
  lanes: { 0: { rounds: [0, 6, 12], moments: [{ t: 1.2 }, { t: 7 }] }, 1: { rounds: [0, 10], moments: [] } },
};

test("a lane shows the last turn that has begun", () => {
  assert.equal(momentAt(view.lanes[0], 1), undefined);
  assert.equal(momentAt(view.lanes[0], 6.9).t, 1.2);
  assert.equal(momentAt(view.lanes[0], 7).t, 7);
  assert.equal(momentAt(view.lanes[1], 60), undefined);
});

test("rounds of all lanes are stepped through, and the ends of the clock", () => {
  assert.deepEqual([0, 6, 10, 12].map((at) => roundFrom(view, at, 1)), [6, 10, 12, 60]);
  assert.deepEqual([60, 12, 7, 0].map((at) => roundFrom(view, at, -1)), [12, 10, 6, 0]);
});

test("the needle rests at the newest of the lane which is furthest, and at the end once all have ended", () => {
  assert.equal(rest(view), 7);
  assert.equal(rest({ span: 5, lanes: view.lanes }), 5);
  assert.equal(rest({ span: 60, lanes: { 0: view.lanes[1] } }), 0);
  assert.equal(rest({ span: 60, lanes: { 0: { ...view.lanes[0], ends: 8 }, 1: view.lanes[1] } }), 7);
  assert.equal(rest({ span: 60, lanes: { 0: { ...view.lanes[0], ends: 8 } } }), 60);
});

test("a time is minutes and seconds", () => {
  assert.deepEqual([0, 7.9, 60, 125].map(timeText), ["0:00", "0:07", "1:00", "2:05"]);
});
