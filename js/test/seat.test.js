import assert from "node:assert/strict";
import { test } from "node:test";

import { createLine } from "../seat/line.js";
import { createLetting, nextOf, openingOf, spaced } from "../seat/mine.js";
import { createModels } from "../seat/models.js";
import { ageOf, wordsFor } from "../seat/words.js";
import { bringDraft, draftAt, keepDraft, takeDraft } from "../shared/draft.js";
import { plain } from "../shared/rich.js";
import { speakIn } from "../shared/tongue.js";

/** A line whose sockets and waits are the test's. */
function lined(token = "secret") {
  const sockets = [];
  const states = [];
  const heard = [];
  const waits = [];
  const kept = [];
  const told = [];
  const line = createLine({
    page: "phone",
    tell: (words) => told.push(words),
    open: () => {
      const socket = { sent: [], send: (text) => socket.sent.push(JSON.parse(text)), close: () => (socket.isShut = true) };
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
  const welcome = (table = "monday") => {
    sockets.at(-1).onopen();
    say({ kind: "welcome", room: "open", table });
  };
  const tick = (times) => {
    for (let n = 0; n < times; n += 1) line.tick();
  };
  return { line, sockets, states, heard, waits, kept, told, say, welcome, tick };
}

test("a page that nobody ever let connect says what helps, and goes on trying", () => {
  const { line, sockets, states, waits, welcome } = lined();
  line.start();
  sockets[0].onclose({ code: 1006 });
  assert.equal(states.at(-1), "barred");
  assert.match(wordsFor("barred")[1], /address that your GM's notebook shows/);
  waits.at(-1)[0]();
  welcome();
  sockets[1].onclose({ code: 1006 });
  assert.equal(states.at(-1), "lost");
});

test("the token is the first message, and nothing is sent before the welcome", () => {
  const { line, sockets, states, welcome } = lined();
  line.start();
  assert.equal(line.send({ kind: "end_turn" }), false);
  welcome();
  assert.equal(line.send({ kind: "end_turn" }), true);
  assert.deepEqual(sockets[0].sent, [{ kind: "hello", token: "secret", page: "phone", open: [] }, { kind: "end_turn" }]);
  assert.deepEqual(states, ["connecting", "open"]);
});

test("what a welcome makes a form ask is sent, also by a line that was lost", () => {
  const sockets = [];
  const heard = [];
  const line = createLine({
    page: "phone",
    tell: () => {},
    open: () => {
      const socket = { sent: [], send: (text) => socket.sent.push(JSON.parse(text)), close: () => {} };
      sockets.push(socket);
      return socket;
    },
    token: () => "secret",
    keep: () => {},
    hear: (message) => heard.push(message.kind === "welcome" ? line.send({ kind: "choices", id: sockets.length }) : message.id),
    show: () => {},
    wait: () => {},
  });
  for (const table of ["monday", "tuesday"]) {
    line.start();
    sockets.at(-1).onopen();
    sockets.at(-1).onmessage({ data: JSON.stringify({ kind: "welcome", room: "open", table }) });
    sockets.at(-1).onclose({ code: 1006 });
  }
  assert.deepEqual(heard, [true, true, 1], "what was asked of the table before is refused, what is asked now is not");
  assert.deepEqual(sockets[1].sent.at(-1), { kind: "choices", id: 2 });
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

test("a closed seat and a crowded one are not tried again", () => {
  for (const [code, said, state] of [[4001, "revoked", "revoked"], [4002, "crowded", "crowded"], [4002, undefined, "crowded"]]) {
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

test("a link that another fight does not know is tried again, slowly, and holds once its own is back", () => {
  const { line, sockets, states, waits, welcome, tick } = lined();
  line.start();
  welcome();
  sockets[0].onclose({ code: 1006 });
  waits.at(-1)[0]();
  sockets[1].onclose({ code: 4003 });
  waits.at(-1)[0]();
  tick(8); // nobody answers
  waits.at(-1)[0]();
  sockets[3].onclose({ code: 4003 });
  assert.equal(states.at(-1), "unknown");
  assert.deepEqual(waits.map(([, milliseconds]) => milliseconds), [500, 8000, 8000, 8000]);
  assert.equal(line.send({ kind: "end_turn" }), false);
  waits.at(-1)[0]();
  assert.equal(states.at(-1), "unknown", "it says so until it is known");
  welcome("tuesday");
  assert.equal(states.at(-1), "open");
  assert.ok(wordsFor("unknown"));
});

test("a code that is not good is asked for anew, and not sent again", () => {
  const { line, sockets, states } = lined("");
  line.start();
  line.pair("abcd-efgh");
  sockets[0].onopen();
  sockets[0].onclose({ code: 4003 });
  line.start();
  assert.deepEqual([states.at(-1), sockets.length], ["mistyped", 1], "it says so until another is typed");
  assert.ok(wordsFor("mistyped"));
  line.pair("wxyz-abcd");
  assert.equal(sockets.length, 2);
});

test("where a link no longer works a code does, though the link is being tried again", () => {
  const { line, sockets, states, waits, say, kept } = lined("old");
  line.start();
  sockets[0].onopen();
  sockets[0].onclose({ code: 4003 });
  assert.equal(states.at(-1), "unknown");
  line.pair("abcd-efgh");
  sockets[1].onopen();
  assert.deepEqual(sockets[1].sent, [{ kind: "pair", code: "ABCD-EFGH", page: "phone", open: [] }]);
  sockets[1].onclose({ code: 4003 });
  waits.at(-1)[0]();
  assert.deepEqual([states.at(-1), sockets.length], ["mistyped", 2], "nothing takes away what is typed next");
  line.pair("wxyz-abcd");
  line.pair("wxyz-abcd");
  assert.equal(sockets.length, 3, "a second tap pairs no second time");
  sockets[2].onopen();
  say({ kind: "paired", token: "mine" });
  assert.deepEqual(kept, ["mine"]);
});

test("a link that is being tried gives way to a code", () => {
  const { line, sockets, waits } = lined("old");
  line.start();
  sockets[0].onopen();
  sockets[0].onclose({ code: 4003 });
  waits.at(-1)[0]();
  line.pair("abcd-efgh");
  assert.equal(sockets[1].isShut, true);
  sockets[2].onopen();
  assert.equal(sockets[2].sent[0].kind, "pair");
});

test("a table that is closed is tried again, and says no more than that until it opens", () => {
  const { line, sockets, states, waits, say, welcome } = lined();
  line.start();
  welcome();
  say({ kind: "room", state: "over" });
  assert.equal(line.send({ kind: "end_turn" }), false);
  for (const code of [1001, 1006]) {
    sockets.at(-1).onclose({ code });
    waits.at(-1)[0]();
  }
  assert.deepEqual([states, waits.length, sockets.length], [["connecting", "open", "over"], 2, 3]);
  assert.ok(wordsFor("over"));
  welcome("tuesday");
  assert.equal(states.at(-1), "open");
});

test("without a link a code is asked for, and is good once", () => {
  const { line, sockets, states, kept, say } = lined("");
  line.start();
  assert.deepEqual([states, sockets.length], [["code"], 0]);
  line.pair(" abcd-efgh ");
  sockets[0].onopen();
  assert.deepEqual(sockets[0].sent, [{ kind: "pair", code: "ABCD-EFGH", page: "phone", open: [] }]);
  say({ kind: "paired", token: "mine" });
  assert.deepEqual(kept, ["mine"]);
  sockets[0].onclose({ code: 1000 });
  line.start();
  sockets[1].onopen();
  assert.deepEqual(sockets[1].sent, [{ kind: "hello", token: "mine", page: "phone", open: [] }]);
});

test("a page asks after three silent ticks, and after eight nobody is there", () => {
  const { line, sockets, states, say, welcome, waits, tick } = lined();
  line.start();
  welcome();
  tick(2);
  assert.equal(sockets[0].sent.length, 1);
  tick(1);
  assert.deepEqual(sockets[0].sent.at(-1), { kind: "ping" });
  say({ kind: "pong" });
  tick(7);
  assert.equal(states.at(-1), "open");
  tick(1);
  assert.deepEqual([states.at(-1), sockets[0].isShut], ["lost", true]);
  // A try that is swallowed too is given up, and the next one made.
  waits.at(-1)[0]();
  tick(8);
  waits.at(-1)[0]();
  assert.equal(sockets.length, 3);
  sockets[0].onclose({ code: 4003 });
  welcome();
  assert.equal(states.at(-1), "open", "what is left of the old connection says nothing");
});

test("a page that wakes asks at once, and waits for three ticks", () => {
  const { line, sockets, states, say, welcome, tick } = lined();
  line.start();
  line.wake();
  assert.deepEqual(sockets[0].sent, [], "not before it is open");
  welcome();
  line.wake();
  assert.deepEqual(sockets[0].sent.at(-1), { kind: "ping" });
  say({ kind: "pong" });
  tick(3);
  assert.equal(states.at(-1), "open");
  line.wake();
  tick(3);
  assert.equal(states.at(-1), "lost");
  line.wake();
  assert.equal(sockets.length, 2);
});

test("each tap without an answer is asked after, and what became of it is said", () => {
  const { line, sockets, heard, told, say, welcome, tick } = lined();
  line.start();
  welcome();
  for (const [kind, id] of [["end_turn", 1], ["do", 2], ["choices", 3], ["do", 4]]) line.send({ kind, id });
  say({ kind: "done", id: 1 });
  assert.equal(line.waits(), 0);
  tick(2);
  assert.equal(line.waits(), 2);
  sockets[0].onclose({ code: 1006 });
  assert.equal(line.waits(), Infinity);
  assert.equal(line.send({ kind: "do", id: 5 }), false);
  line.start();
  welcome();
  assert.deepEqual(sockets[1].sent[0].open, [2, 3, 4]);
  say({ kind: "done", id: 2 });
  say({ kind: "unsent", id: 3 });
  say({ kind: "unsent", id: 4 });
  assert.match(told.join(), /has arrived/);
  assert.deepEqual(heard.filter(({ kind }) => kind === "refused").map(({ id, reason }) => [id, reason.slice(0, 8)]), [[3, "Not sent"], [4, "Not sent"]]);
  assert.equal(line.waits(), undefined);
});

test("what has arrived is said until the next thing happens, whoever does it", () => {
  const { line, sockets, told, say, welcome } = lined();
  line.start();
  welcome();
  line.send({ kind: "end_turn", id: 1 });
  sockets[0].onclose({ code: 1006 });
  line.start();
  welcome();
  say({ kind: "done", id: 1 });
  assert.match(told.at(-1), /has arrived/);
  for (const kind of ["pong", "room"]) say({ kind });
  assert.match(told.at(-1), /has arrived/);
  say({ kind: "delta", base: 1, revision: 2, set: [], parts: {} });
  assert.equal(told.at(-1), "");
});

test("where the GM has started again nobody knows what was done: look", () => {
  const { line, sockets, heard, say, welcome } = lined();
  line.start();
  welcome();
  line.send({ kind: "end_turn", id: 7 });
  sockets[0].onclose({ code: 1006 });
  line.start();
  welcome("tuesday");
  say({ kind: "unsent", id: 7 });
  assert.deepEqual(heard.filter(({ id }) => id === 7).map(({ reason }) => reason.slice(0, 21)), ["Your GM started again"]);
});

test("a seat with too many pages lets the oldest go, which may sit down again", () => {
  const { line, sockets, states, welcome } = lined();
  line.start();
  welcome();
  sockets[0].onclose({ code: 4002 });
  line.wake();
  assert.deepEqual([states.at(-1), sockets.length], ["crowded", 1]);
  line.again();
  welcome();
  assert.equal(states.at(-1), "open");
});

test("what waits is said, with why", () => {
  assert.equal(wordsFor("open", "", 2), undefined);
  assert.deepEqual(wordsFor("open", "", 3), ["Sent", "Not answered yet."]);
  assert.equal(wordsFor("open", "", Infinity), undefined, "its answer comes with the welcome");
  assert.match(wordsFor("busy", "", 0)[1], /waits, and comes next/);
  assert.match(wordsFor("lost", "", Infinity)[1], /is told then.*scan the new code/);
  assert.match(wordsFor("lost")[1], /scan the new code/);
  assert.doesNotMatch(wordsFor("lost")[1], /typed/, "a screen has nothing to type");
  assert.match(wordsFor("lost", "", undefined, { typed: true })[1], /typed is not sent, and stays here/);
});

/** Models whose messages are the test's. */
function modelled(isConnected = true) {
  const sent = [];
  const views = Object.fromEntries(["tracker", "ladder", "budget", "log", "map"].map((part) => [part, { revision: 0 }]));
  globalThis.document = { baseURI: "http://table/" };
  const table = createModels({ views, moment: 1 }, (content) => isConnected && sent.push(content) > 0);
  const heard = Object.fromEntries(Object.keys(views).map((part) => [part, []]));
  for (const [part, messages] of Object.entries(heard)) table.models[part].on("msg:custom", (message) => messages.push(message));
  return { table, sent, heard };
}

test("a change goes to the parts it names", () => {
  const { table, heard } = modelled();
  const own = { kind: "delta", base: 0, revision: 1, set: [] };
  const ladder = { kind: "delta", base: 0, revision: 1, set: [[["order"], []]] };
  table.hear({ ...own, parts: { ladder }, moment: 2 });
  assert.deepEqual(heard, { tracker: [own], ladder: [ladder], budget: [], log: [], map: [] });
});

test("what is missing is asked for once, and comes whole", () => {
  const { table, sent } = modelled();
  table.models.ladder.send({ kind: "full" });
  table.models.log.send({ kind: "full" });
  assert.deepEqual(sent, [{ kind: "full" }]);
  table.hear({ kind: "full", views: { tracker: 1, ladder: 2, budget: 3, log: 4, map: 5 } });
  assert.deepEqual(Object.values(table.models).map((model) => model.get("view")), [1, 2, 3, 4, 5]);
  table.models.log.send({ kind: "full" });
  assert.equal(sent.length, 2);
});

test("what is done names the moment that is shown", () => {
  const { table, sent } = modelled();
  const act = () => table.models.budget.send({ kind: "do", id: 7 });
  act();
  table.hear({ kind: "delta", base: 0, revision: 1, set: [], parts: {}, moment: 2 });
  act();
  table.hear({ kind: "full", views: {}, moment: 3 });
  act();
  assert.deepEqual(sent.map(({ moment }) => moment), [1, 2, 3]);
});

test("what cannot be sent comes back once it was sent, so that a form keeps what was typed, and the page says why", async () => {
  const { table, heard } = modelled(false);
  table.models.budget.send({ kind: "do", id: 7 });
  assert.deepEqual(heard.budget, []);
  await new Promise((done) => setTimeout(done));
  assert.deepEqual(heard.budget, [{ kind: "refused", reason: "", rule: "", id: 7 }]);
  const { line, told, welcome } = lined();
  line.start();
  line.send({ kind: "do", id: 7 });
  assert.match(told.at(-1), /^Not connected: nothing was sent/);
  welcome();
  assert.equal(told.at(-1), "", "it is no news any more once it is connected");
  line.send({ kind: "choices", id: 8 }, true);
  assert.equal(line.waits(), 0, "somebody waits for what their tap opens");
});

test("what came too late is told until somebody does something, whatever comes", () => {
  const { line, heard, told, say, welcome } = lined();
  line.start();
  welcome();
  line.send({ kind: "do", id: 1 });
  say({ kind: "refused", id: 1, reason: "Not done.", rule: "", late: true });
  assert.equal(heard.at(-1).reason, "", "it is told once");
  say({ kind: "delta", base: 1, revision: 2, set: [], parts: {} });
  line.send({ kind: "choices", id: 2 });
  assert.equal(told.at(-1), "Not done.");
  line.send({ kind: "do", id: 3 });
  assert.equal(told.at(-1), "");
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
  assert.deepEqual(nextOf({ order, rows, current: "2" }, "Dray"), ["Dray", "Bo"], "Ilya's rung has no turn");
  assert.deepEqual(nextOf({ order, rows, current: "7" }, "Ilya"), ["Ilya"], "who gets up late comes though their rung has passed");
});

test("what isn't aimed at me is let go once for each I play, anew where it is asked anew, and not once I have taken it back", () => {
  const sent = [];
  let isBack = false;
  const letting = createLetting(({ name }) => sent.push(name), () => isBack);
  const asked = (id, ...rows) => ({ windows: [{ id, rows: [{ who: "Guard", waits: true }, ...rows] }] });
  const [both, one] = [asked("12", { who: "Ilya", aside: true }, { who: "Mara", aside: true }), asked("12", { who: "Ilya", waits: true }, { who: "Mara", aside: true })];
  const gone = asked("12", { who: "Ilya", waits: true }, { who: "Mara", waits: true });
  letting(false, both);
  assert.deepEqual(sent.splice(0), []);
  letting(true, both);
  letting(true, both);
  letting(true, one);
  assert.deepEqual(sent.splice(0), ["Ilya", "Mara"], "they are on their way");
  letting(true, gone);
  letting(true, both);
  assert.deepEqual(sent.splice(0), ["Ilya", "Mara"], "somebody else has taken something back");
  letting(true, gone);
  isBack = true;
  letting(true, both);
  assert.deepEqual(sent.splice(0), [], "it is theirs to answer now");
  letting(true, { windows: [] });
  letting(true, asked("13", { who: "Ilya", aside: true }));
  assert.deepEqual(sent.splice(0), ["Ilya"]);
  letting(true, asked("14", { who: "Ilya" }));
  assert.deepEqual(sent.splice(0), [], "it is aimed at them, or the GM has taken something back");
});

test("while the GM is busy it is said what became of what was done last, and the table's screen is asked to do nothing", () => {
  assert.match(wordsFor("busy")[1], /is done next/);
  assert.match(wordsFor("busy", "", undefined, { done: true })[1], /^What you did is done/);
  assert.match(wordsFor("busy", "", 0, { done: true })[1], /waits/);
  assert.doesNotMatch(wordsFor("busy", "", undefined, { looks: true })[1], /you/);
  for (const ticks of [undefined, Infinity]) assert.doesNotMatch(wordsFor("lost", "", ticks, { leads: true })[1], /your GM/);
});

test("a condition and how long it lasts are two words, also where they are read aloud", () => {
  assert.equal(plain(spaced([{ chip: "dodged" }, "until their next turn ", { rule: "a.b" }])), "dodged until their next turn");
});

/** A tab's own store. */
function stored() {
  const kept = new Map();
  const value = { getItem: (key) => kept.get(key) ?? null, setItem: (key, text) => kept.set(key, text) };
  Object.defineProperty(globalThis, "sessionStorage", { value, configurable: true });
}

test("what was filled in comes back once, to the form it was in, for as long as the moment lasts", () => {
  stored();
  const of = { name: "Mara", action: "ready", given: {} };
  const draft = { of, params: { trigger: "the door opens" }, typed: {}, note: "", wide: false };
  keepDraft(draft);
  assert.equal(bringDraft(), undefined, "no page has said which moment it is");
  draftAt("Anna 7");
  keepDraft(draft);
  assert.equal(takeDraft(of), undefined, "the page was not loaded anew");
  draftAt("Anna 7");
  assert.deepEqual(bringDraft(), draft);
  assert.equal(takeDraft({ ...of, action: "aim" }), undefined);
  assert.deepEqual(takeDraft(of), draft);
  assert.equal(takeDraft(of), undefined, "a form that is opened anew begins empty");
  assert.deepEqual(bringDraft(), draft);
  keepDraft();
  assert.equal(bringDraft(), undefined, "it was sent");
  keepDraft(draft);
  draftAt("Ben 7");
  assert.equal(bringDraft(), undefined, "another seat");
  keepDraft(draft);
  draftAt("Ben 8");
  assert.equal(bringDraft(), undefined, "another moment");
  keepDraft(draft);
  draftAt("");
  keepDraft(draft);
  assert.equal(bringDraft(), undefined, "no player's page");
});

test("what was filled in is opened again where it may still be done", () => {
  const of = { name: "Mara", action: "ready", given: {} };
  const view = { name: "Mara", action: { ready: { id: "ready" } }, folds: [], group: {} };
  assert.equal(openingOf(view, of), "ck-answer");
  assert.equal(openingOf({ ...view, name: "Ilya" }, of), "");
  assert.equal(openingOf({ ...view, action: {} }, of), "");
  assert.equal(openingOf({ ...view, folds: ["no"], group: { no: { actions: ["ready"] } } }, of), "");
  assert.equal(openingOf({ ...view, asked: { answers: [{ id: "parry" }] } }, of), "");
  assert.equal(openingOf({ ...view, asked: { answers: [{ id: "parry" }] } }, { ...of, action: "parry" }), "ck-answer");
  const calls = { action: "declare", rows: { 3: { name: "Mara" } } };
  assert.equal(openingOf({ ...view, name: null, calls }, { ...of, action: "declare" }), "ck-call");
  assert.equal(openingOf({ ...view, name: null, calls }, { ...of, name: "Ilya", action: "declare" }), "");
});

test("what was not sent is told in the page's language", () => {
  const { line, heard, say, welcome } = lined();
  speakIn({ lang: "de", die: "W", words: { "Not sent: the connection was gone. Do it again if you still mean it.": "Nicht gesendet." } });
  line.start();
  welcome();
  line.send({ kind: "do", id: 1 });
  say({ kind: "unsent", id: 1 });
  speakIn(undefined);
  assert.equal(heard.at(-1).reason, "Nicht gesendet.");
});
