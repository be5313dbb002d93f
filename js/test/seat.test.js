import assert from "node:assert/strict";
import { test } from "node:test";

import { createLine } from "../seat/line.js";
import { nextOf } from "../seat/mine.js";
import { createModels } from "../seat/models.js";
import { ageOf, wordsFor } from "../seat/words.js";

/** A line whose sockets and waits are the test's. */
function lined(token = "secret") {
  const sockets = [];
  const states = [];
  const heard = [];
  const waits = [];
  const kept = [];
  const line = createLine({
    open: () => {
      const socket = { sent: [], send: (text) => socket.sent.push(JSON.parse(text)), close: () => {} };
      sockets.push(socket);
      return socket;
    },
    token: () => token,
    keep: (given) => {
      kept.push(given);
      token = given;
    },
    hear: (message) => heard.push(message),
    show: (state) => states.push(state),
    wait: (then, milliseconds) => waits.push([then, milliseconds]),
  });
  const say = (message) => sockets.at(-1).onmessage({ data: JSON.stringify(message) });
  const welcome = () => {
    sockets.at(-1).onopen();
    say({ kind: "welcome", room: "open" });
  };
  return { line, sockets, states, heard, waits, kept, say, welcome };
}

test("the token is the first message, and nothing is sent before the welcome", () => {
  const { line, sockets, states, welcome } = lined();
  line.start();
  assert.equal(line.send({ kind: "end_turn" }), false);
  welcome();
  assert.equal(line.send({ kind: "end_turn" }), true);
  assert.deepEqual(sockets[0].sent, [{ kind: "hello", token: "secret" }, { kind: "end_turn" }]);
  assert.deepEqual(states, ["connecting", "open"]);
});

test("a lost line comes back by itself, later each time, and at once when asked", () => {
  const { line, sockets, states, waits, welcome } = lined();
  line.start();
  welcome();
  for (let tries = 0; tries < 6; tries += 1) {
    sockets.at(-1).onclose({ code: 1006 });
    waits.at(-1)[0]();
  }
  assert.deepEqual(waits.map(([, milliseconds]) => milliseconds), [500, 1000, 2000, 4000, 8000, 8000]);
  assert.equal(states.at(-1), "lost");
  assert.equal(line.send({ kind: "end_turn" }), false);
  line.start();
  assert.equal(sockets.length, 7, "one try at a time");
  welcome();
  assert.equal(states.at(-1), "open");
  sockets.at(-1).onclose({ code: 1006 });
  assert.equal(waits.at(-1)[1], 500);
  line.start();
  assert.equal(sockets.length, 8);
});

test("a closed seat, a bad link and a closed table are not tried again", () => {
  for (const [code, said, state] of [[4001, "revoked", "revoked"], [4003, undefined, "unknown"], [1000, "over", "over"]]) {
    const { line, sockets, states, waits, say, welcome } = lined();
    line.start();
    welcome();
    if (said) say({ kind: "room", state: said });
    sockets[0].onclose({ code });
    line.start();
    assert.deepEqual([states.at(-1), waits.length, sockets.length], [state, 0, 1]);
    assert.ok(wordsFor(state));
  }
});

test("without a link a code is asked for, and is good once", () => {
  const { line, sockets, states, kept, say } = lined("");
  line.start();
  assert.deepEqual([states, sockets.length], [["code"], 0]);
  line.pair(" abcd-efgh ");
  sockets[0].onopen();
  assert.deepEqual(sockets[0].sent, [{ kind: "pair", code: "ABCD-EFGH" }]);
  say({ kind: "paired", token: "mine" });
  assert.deepEqual(kept, ["mine"]);
  sockets[0].onclose({ code: 1000 });
  line.start();
  sockets[1].onopen();
  assert.deepEqual(sockets[1].sent, [{ kind: "hello", token: "mine" }]);
});

/** Models whose messages are the test's. */
function modelled(isConnected = true) {
  const sent = [];
  const views = Object.fromEntries(["tracker", "ladder", "budget", "log"].map((part) => [part, { revision: 0 }]));
  globalThis.document = { baseURI: "http://table/" };
  const table = createModels(views, (content) => isConnected && sent.push(content) > 0);
  const heard = Object.fromEntries(Object.keys(views).map((part) => [part, []]));
  for (const [part, messages] of Object.entries(heard)) table.models[part].on("msg:custom", (message) => messages.push(message));
  return { table, sent, heard };
}

test("a change goes to the parts it names", () => {
  const { table, heard } = modelled();
  const own = { kind: "delta", base: 0, revision: 1, set: [] };
  const ladder = { kind: "delta", base: 0, revision: 1, set: [[["order"], []]] };
  table.hear({ ...own, parts: { ladder } });
  assert.deepEqual(heard, { tracker: [own], ladder: [ladder], budget: [], log: [] });
});

test("what is missing is asked for once, and comes whole", () => {
  const { table, sent } = modelled();
  table.models.ladder.send({ kind: "full" });
  table.models.log.send({ kind: "full" });
  assert.deepEqual(sent, [{ kind: "full" }]);
  table.hear({ kind: "full", views: { tracker: 1, ladder: 2, budget: 3, log: 4 } });
  assert.deepEqual(Object.values(table.models).map((model) => model.get("view")), [1, 2, 3, 4]);
  table.models.log.send({ kind: "full" });
  assert.equal(sent.length, 2);
});

test("what cannot be sent is refused in words, so that a form keeps what was typed", () => {
  const { table, heard } = modelled(false);
  table.models.budget.send({ kind: "do", id: 7 });
  assert.equal(heard.budget[0].id, 7);
  assert.match(heard.budget[0].reason, /^Not connected/);
});

test("an age is told in words", () => {
  assert.deepEqual([1, 18, 89, 90, 300].map(ageOf), ["As it was 1 second ago.", "As it was 18 seconds ago.", "As it was 89 seconds ago.", "As it was 2 minutes ago.", "As it was 5 minutes ago."]);
});

test("who comes next is named in order, each once, and nobody who is out", () => {
  const rung = (name, status = "waits") => ({ name, status });
  const rows = { 1: rung("Mara"), 2: rung("Vex", "now"), 3: rung("Guard", "out"), 4: rung("Ilya"), 5: rung("Ilya"), 6: rung("Dray"), 7: rung("Bo") };
  const order = ["1", "2", "3", "4", "5", "6", "7"];
  assert.deepEqual(nextOf({ order, rows, current: "2" }), ["Ilya", "Dray", "Bo"]);
  assert.deepEqual(nextOf({ order, rows, current: null }), ["Mara", "Vex", "Ilya"]);
  assert.deepEqual(nextOf({ order, rows, current: "7" }), []);
});
