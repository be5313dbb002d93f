import assert from "node:assert/strict";
import { test } from "node:test";

import { items, plain } from "../shared/rich.js";

test("marks become words", () => {
  assert.equal(plain(["Spent on Attack. ", { rule: "a.std.one" }]), "Spent on Attack.");
  assert.equal(plain(["Guard 1", { quiet: "Close −1D" }]), "Guard 1, Close −1D");
  assert.equal(plain(["d20 ", { die: 14 }, " over ", { die: 9, table: true }]), "d20 14 over 9");
  assert.equal(plain([{ side: 1 }, "was ", { was: "27" }, " ", { chip: "prone" }, " ", { note: "if it opens" }]), "was 27 prone if it opens");
  assert.equal(plain(undefined), "");
});

test("in a row that wraps, rules and chips stand apart and the rest together", () => {
  assert.equal(items(["tie: d20 ", { die: 14 }, " over ", { die: 9 }, { rule: "a.b" }]).length, 2);
  assert.equal(items([{ chip: "prone" }, " ", { chip: "cover" }, "until its turn"]).length, 3);
  assert.deepEqual(items(undefined), []);
});
