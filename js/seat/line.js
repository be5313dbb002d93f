/** A seat's connection: it opens, is lost and comes back by itself, until somebody ends it. */
import { tr } from "../shared/tongue.js";

/**
 * How things stand: `code` asks for a pairing code, `unknown` is a link that is not good, `barred` a page that was never let
 * connect, the rest are what a room says of itself.
 * @typedef {"connecting" | "lost" | "barred" | "code" | "mistyped" | "unknown" | "crowded" | "open" | "paused" | "busy" | "asking" | "revoked" | "over"} State
 *
 * @typedef {Pick<WebSocket, "send" | "close"> & {onopen: any, onmessage: any, onclose: any}} Socket
 *
 * @typedef {object} Around
 * @property {() => Socket} open
 * @property {() => string} token empty while there is none
 * @property {string} page what this page calls itself, so that it is known again
 * @property {(token: string) => void} keep keeps the token that a pairing code was good for
 * @property {(message: any) => void} hear
 * @property {(state: State, about: string) => void} show `about`: what the GM is to confirm
 * @property {(words: string) => void} tell says what became of something, for all who look at the page; nothing, once something else has happened
 * @property {(then: () => void, milliseconds: number) => unknown} wait
 */

/** How long until the next try, in milliseconds, and the longest wait. */
const FIRST = 500;
const LONGEST = 8000;
const CLOSED = /** @type {Record<number, State>} */ ({ 4001: "revoked", 4002: "crowded", 4003: "unknown" });
/** After these nothing is tried again. */
const ENDS = ["revoked", "crowded"];
/** These stand until a welcome, though it is tried again: a closed table may open anew, and one that does not know a link give way to one that does. */
const SHUT = ["over", "unknown"];
/** These stand until there is something better to say: it is tried again meanwhile. */
const STANDS = ["lost", "barred", ...SHUT];
/** In these nothing can be sent. */
const AWAY = ["connecting", ...STANDS];
/** After so many silent ticks the page asks whether anybody is there; after so many nobody is. A page that wakes gives less. */
const ASKS = 3;
const GONE = 8;
const SHORT = 3;
/** What a person does; everything else is the page's own question. */
const ACTS = ["do", "damage", "end_turn", "pass", "resolve", "undo", "roll"];
const LOST = "Not connected: nothing was sent. Try again in a moment.";
const UNSENT = "Not sent: the connection was gone. Do it again if you still mean it.";
const ANEW = "Your GM started again just then. Look whether it was done; if not, do it again.";
/** With these comes what has happened since. */
export const NEWS = ["delta", "full"];
const DONE = "What you did before the connection was lost has arrived.";

/** @param {Around} around */
export function createLine({ open, token, page, keep, hear, show, tell, wait }) {
  /** @type {State} */
  let state = "connecting";
  /** @type {Socket | undefined} */
  let socket;
  let pause = FIRST;
  /** What is typed in the place of a link. */
  let code = "";
  let silent = 0;
  /** What has no answer yet, by its number: what it is, whether a person waits for it, and how many ticks it has waited. @type {Map<number, {kind: string, isTap: boolean, ticks: number}>} */
  const unanswered = new Map();
  /** Whether anybody ever answered: an address that is none of the table's, or a proxy, keeps a page out from the start. */
  let isMet = false;
  /** Which serving of the fight was met last: one that began anew knows no numbers from before. */
  let table = "";
  /** Whether what was told last stays until a person does something: it came too late, whatever has come since. */
  let stays = false;

  /** @param {State} next @param {string} [about] */
  const turn = (next, about = "") => {
    state = next;
    show(next, about);
  };

  /** @param {{kind: string, id?: number}} answer */
  const settle = ({ kind, id }) => {
    const asked = unanswered.get(id ?? NaN);
    if (!asked) return false;
    unanswered.delete(/** @type {number} */ (id));
    return ACTS.includes(asked.kind) && kind === "done";
  };

  /** @param {any} message */
  const take = (message) => {
    if (message.kind === "paired") {
      keep(message.token);
      code = "";
    } else if (message.kind === "welcome") {
      pause = FIRST;
      if (!stays) tell("");
      const isAnew = Boolean(table) && table !== message.table;
      table = message.table;
      const before = [...unanswered.keys()];
      // What is heard asks anew at once what a form needs: the line is open by then.
      turn(message.room ?? "open", message.about);
      hear(message);
      if (!isAnew) return;
      for (const id of before) {
        unanswered.delete(id);
        hear({ kind: "refused", id, reason: tr(ANEW), rule: "" });
      }
    } else if (message.kind === "room") turn(message.state, message.about);
    else if (message.kind === "told") {
      stays = true;
      tell(message.words);
    }
    else if (message.kind === "unsent") {
      if (unanswered.delete(message.id)) hear({ kind: "refused", id: message.id, reason: tr(UNSENT), rule: "" });
    } else {
      const wasAway = unanswered.get(message.id)?.ticks === Infinity;
      if (NEWS.includes(message.kind) && !stays) tell("");
      const acted = settle(message);
      if (acted && wasAway) tell(DONE);
      if (message.late) {
        stays = true;
        tell(message.reason);
      }
      // What is told for the whole page is not told twice.
      hear(message.late ? { ...message, reason: "" } : acted ? { ...message, acted } : message);
    }
  };

  const lose = () => {
    const gone = socket;
    socket = undefined;
    gone?.close();
    code = "";
    for (const asked of unanswered.values()) asked.ticks = Infinity;
    if (!SHUT.includes(state)) turn(isMet ? "lost" : "barred");
    wait(start, pause);
    pause = Math.min(LONGEST, 2 * pause);
  };

  const start = () => {
    if (socket || ENDS.includes(state)) return;
    // Another code is waited for in peace.
    if (!code && (state === "mistyped" || !token())) {
      if (state !== "mistyped") turn("code");
      return;
    }
    if (!STANDS.includes(state)) turn("connecting");
    silent = 0;
    const mine = open();
    socket = mine;
    const known = { page, open: [...unanswered.keys()] };
    mine.onopen = () => {
      isMet = true;
      mine.send(JSON.stringify(code ? { kind: "pair", code, ...known } : { kind: "hello", token: token(), ...known }));
    };
    mine.onmessage = (/** @type {{data: string}} */ { data }) => {
      if (mine !== socket) return;
      silent = 0;
      take(JSON.parse(data));
    };
    mine.onclose = (/** @type {{code: number}} */ closed) => {
      if (mine !== socket) return;
      const end = CLOSED[closed.code];
      if (end === "unknown" && code) {
        // A code is typed again; a link can't be.
        socket = undefined;
        code = "";
        turn("mistyped");
        return;
      }
      if (end && !ENDS.includes(state)) turn(end);
      if (ENDS.includes(state)) socket = undefined;
      else {
        if (end) pause = LONGEST;
        lose();
      }
    };
  };

  const ask = () => {
    if (!AWAY.includes(state)) socket?.send(JSON.stringify({ kind: "ping" }));
  };

  return {
    start,
    /** Counts what is silent: a connection that has died is not told of by anybody else. */
    tick: () => {
      if (!socket || ENDS.includes(state)) return;
      silent += 1;
      for (const asked of unanswered.values()) asked.ticks += 1;
      if (silent >= GONE) lose();
      else if (silent >= ASKS) ask();
    },
    /** Looks at once whether the connection has outlived a sleep, or another network; a lost one is tried at once. */
    wake: () => {
      if (!socket) start();
      else if (!ENDS.includes(state)) {
        silent = Math.max(silent, GONE - SHORT);
        ask();
      }
    },
    /** Sits down again where other pages had taken the place. */
    again: () => {
      state = "connecting";
      start();
    },
    /** Tries with a code that somebody read out. @param {string} typed */
    pair: (typed) => {
      // A link that is tried once more gives way to what was typed.
      if (socket && !code) {
        const gone = socket;
        socket = undefined;
        gone.close();
      }
      code = typed.trim().toUpperCase();
      start();
    },
    /** Whether something has no answer yet. @param {number} id */
    has: (id) => unanswered.has(id),
    /** How many ticks what a person did has waited for an answer; nothing, if nothing waits. */
    waits: () => {
      const acts = [...unanswered.values()].filter(({ isTap }) => isTap);
      return acts.length ? Math.max(...acts.map(({ ticks }) => ticks)) : undefined;
    },
    /**
     * Sends, or tells that nothing could be sent.
     *
     * @param {{kind: string, id?: number}} content
     * @param {boolean} [isTap] whether somebody waits for what it brings, though it does nothing yet
     */
    send: (content, isTap = false) => {
      const { kind, id } = content;
      const isAct = ACTS.includes(kind);
      if (isAct) stays = false;
      if (id != null && !stays) tell("");
      if (!socket || AWAY.includes(state)) {
        if (isAct || isTap) tell(LOST);
        return false;
      }
      if (id != null) unanswered.set(id, { kind, isTap: isAct || isTap, ticks: 0 });
      socket.send(JSON.stringify(content));
      return true;
    },
  };
}
