/** A seat's connection: it opens, is lost and comes back by itself, until somebody ends it. */

/**
 * How things stand: `code` asks for a pairing code, `unknown` is a link that is not good, the rest are what a room says of
 * itself.
 * @typedef {"connecting" | "lost" | "code" | "unknown" | "open" | "paused" | "busy" | "asking" | "revoked" | "over"} State
 *
 * @typedef {Pick<WebSocket, "send" | "close"> & {onopen: any, onmessage: any, onclose: any}} Socket
 *
 * @typedef {object} Around
 * @property {() => Socket} open
 * @property {() => string} token empty while there is none
 * @property {(token: string) => void} keep keeps the token that a pairing code was good for
 * @property {(message: any) => void} hear
 * @property {(state: State, about: string) => void} show `about`: what the GM is to confirm
 * @property {(then: () => void, milliseconds: number) => unknown} wait
 */

/** How long until the next try, in milliseconds, and the longest wait. */
const FIRST = 500;
const LONGEST = 8000;
const CLOSED = /** @type {Record<number, State>} */ ({ 4001: "revoked", 4003: "unknown" });
/** After these nothing is tried again. */
const ENDS = ["revoked", "unknown", "over"];

/** @param {Around} around */
export function createLine({ open, token, keep, hear, show, wait }) {
  /** @type {State} */
  let state = "connecting";
  /** @type {Socket | undefined} */
  let socket;
  let pause = FIRST;
  /** What is typed in the place of a link. */
  let code = "";

  /** @param {State} next @param {string} [about] */
  const turn = (next, about = "") => {
    state = next;
    show(next, about);
  };

  const start = () => {
    if (socket || ENDS.includes(state)) return;
    if (!token() && !code) {
      turn("code");
      return;
    }
    if (state !== "lost") turn("connecting");
    const mine = open();
    socket = mine;
    mine.onopen = () => mine.send(JSON.stringify(token() ? { kind: "hello", token: token() } : { kind: "pair", code }));
    mine.onmessage = (/** @type {{data: string}} */ { data }) => {
      if (mine !== socket) return;
      const message = JSON.parse(data);
      if (message.kind === "paired") {
        keep(message.token);
        code = "";
        return;
      }
      if (message.kind === "welcome") {
        pause = FIRST;
        hear(message);
        turn(message.room ?? "open", message.about);
      } else if (message.kind === "room") turn(message.state, message.about);
      else hear(message);
    };
    mine.onclose = (/** @type {{code: number}} */ closed) => {
      if (mine !== socket) return;
      socket = undefined;
      if (ENDS.includes(state)) return;
      const end = CLOSED[closed.code];
      code = "";
      turn(end ?? "lost");
      if (end) return;
      wait(start, pause);
      pause = Math.min(LONGEST, 2 * pause);
    };
  };

  return {
    start,
    /** Tries with a code that somebody read out. @param {string} typed */
    pair: (typed) => {
      code = typed.trim().toUpperCase();
      start();
    },
    /** Sends, or says that nothing could be sent. @param {object} content */
    send: (content) => {
      if (!socket || ["connecting", "lost"].includes(state)) return false;
      socket.send(JSON.stringify(content));
      return true;
    },
  };
}
