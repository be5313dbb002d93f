import assert from "node:assert/strict";
import test from "node:test";

import { isAmong, spelled } from "../form/spelled.js";

test("what Python leaves out of a question is spelled out", () => {
  const field = { id: "target", title: "Target", required: true, type: /** @type {const} */ ("one") };
  const why = ["Far. ", { rule: "a.b" }];
  assert.deepEqual(spelled({ ...field, values: ["go_last", [1, 2], { value: "Mara_1", side: 1, small: "3/4" }, { value: 0, label: ["none"] }], no: [{ why, values: ["x", "y"] }] }).values, [
    { value: "go_last", label: ["go last"], allowed: true },
    { value: [1, 2], label: ["1, 2"], allowed: true },
    { value: "Mara_1", label: [{ side: 1 }, "Mara_1"], allowed: true, small: "3/4" },
    { value: 0, label: ["none"], allowed: true },
    { value: "x", label: ["x"], allowed: false, why },
    { value: "y", label: ["y"], allowed: false, why },
  ]);
  assert.deepEqual(spelled({ ...field, side: 2, values: ["A_b", { value: "Bo", side: 0 }] }).values?.map(({ label }) => label), [[{ side: 2 }, "A_b"], [{ side: 0 }, "Bo"]]);
  assert.deepEqual(spelled({ ...field, titled: true, values: ["aid_another"] }).values?.[0]?.label, ["Aid another"]);
  assert.equal(spelled(field).values, undefined);
});

test("a value is chosen if it is what is filled in, or one of several, and a place is one value", () => {
  assert.equal(isAmong("Mara", "Mara"), true);
  assert.equal(isAmong(["Mara", "Ilya"], "Ilya"), true);
  assert.equal(isAmong([0, 2], [0, 2]), true);
  assert.equal(isAmong([[0, 2], [1, 2]], [1, 2]), true);
  assert.equal(isAmong([0, 2], [1, 2]), false);
  assert.equal(isAmong(undefined, "Mara"), false);
});
