import assert from "node:assert/strict";
import { test } from "node:test";

import { connect, follow } from "../shared/adapter.js";

/** A model without a page: traits, what was sent, and a way to play Python. */
function stub(view) {
  const traits = { view };
  const listeners = [];
  const sent = [];
  return {
    traits,
    sent,
    get: (name) => traits[name],
    set: (name, value) => (traits[name] = value),
    send: (content) => sent.push(content),
    on: (name, callback) => listeners.push(callback),
    deliver: (message) => listeners.forEach((listener) => listener(message)),
  };
}

test("deltas follow one another", () => {
  const model = stub({ revision: 1, order: [] });
  follow(model);
  model.deliver({ kind: "delta", base: 1, revision: 2, set: [[["order"], ["1"]]] });
  model.deliver({ kind: "delta", base: 2, revision: 3, set: [[["current"], "1"]] });
  assert.deepEqual(model.traits.view, { revision: 3, order: ["1"], current: "1" });
  assert.deepEqual(model.sent, []);
});

test("a gap asks for the whole view, and takes it", () => {
  const model = stub({ revision: 1, order: [] });
  follow(model);
  model.deliver({ kind: "delta", base: 4, revision: 5, set: [[["order"], ["9"]]] });
  assert.deepEqual(model.traits.view, { revision: 1, order: [] });
  assert.deepEqual(model.sent, [{ kind: "full" }]);
  model.deliver({ kind: "full", view: { revision: 5, order: ["9"] } });
  assert.deepEqual(model.traits.view, { revision: 5, order: ["9"] });
});

test("a delta that is known already is no gap", () => {
  const model = stub({ revision: 5 });
  follow(model);
  model.deliver({ kind: "delta", base: 3, revision: 4, set: [[["order"], []]] });
  assert.deepEqual(model.traits.view, { revision: 5 });
  assert.deepEqual(model.sent, []);
});

test("the deltas of parts are kept, and taken once whoever hands them on", () => {
  const model = stub({ revision: 4 });
  follow(model);
  const part = stub({ revision: 1 });
  const { take } = follow(part);
  model.deliver({ kind: "delta", base: 4, revision: 4, set: [], parts: { log: { kind: "delta", base: 1, revision: 2, set: [[["last"], 9]] } } });
  model.deliver({ kind: "delta", base: 4, revision: 5, set: [], parts: { ladder: { kind: "delta", base: 7, revision: 8, set: [] } } });
  assert.deepEqual(Object.keys(model.traits.parts), ["log", "ladder"]);
  take(model.traits.parts.log);
  take(model.traits.parts.log);
  assert.deepEqual(part.traits.view, { revision: 2, last: 9 });
  take(model.traits.parts.ladder);
  take(model.traits.parts.ladder);
  assert.deepEqual(part.sent, [{ kind: "full" }]);
  assert.equal(model.traits.view.revision, 5);
  assert.deepEqual(model.sent, []);
});

test("answers and refusals reach who asked, by number", async () => {
  const model = stub({ revision: 1 });
  const one = connect(model);
  const two = connect(model);
  const rule = one.ask({ kind: "rule", rule: "x.y" });
  const choices = two.ask({ kind: "choices", action: "attack" });
  const refused = [];
  two.send({ kind: "do", action: "attack" }, (refusal) => refused.push(refusal.reason));
  const [first, second, third] = model.sent;
  assert.equal(new Set([first.id, second.id, third.id]).size, 3);
  assert.ok(model.sent.every(({ id }) => Number.isSafeInteger(id)));
  model.deliver({ kind: "refused", id: third.id, reason: "Not now." });
  model.deliver({ kind: "refused", id: third.id, reason: "Again." });
  model.deliver({ kind: "refused", reason: "For another tab." });
  model.deliver({ kind: "refused", id: second.id, reason: "No such action." });
  model.deliver({ kind: "rule", id: first.id, text: "Words." });
  assert.deepEqual(refused, ["Not now."]);
  assert.equal((await rule).text, "Words.");
  await assert.rejects(choices, { reason: "No such action." });
});
