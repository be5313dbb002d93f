/** What a seat says about its connection. */

/** @import { State } from "./line.js" */

/** A heading and a line; what is not here needs no words. @type {Partial<Record<State, [string, string]>>} */
const WORDS = {
  connecting: ["Connecting", "This takes a moment."],
  lost: ["Not connected", "Trying again by itself. If your GM started again, scan the new code."],
  barred: ["Not connected", "Trying again by itself. If that lasts, open the page by the address that your GM's notebook shows, or scan the code there."],
  unknown: ["This link no longer works", "Ask your GM for a new one, or type the code that they read out. This page looks again now and then."],
  crowded: ["Open on too many pages", "Others were opened after this one, and took its place."],
  code: ["Take your seat", "Type the code that your GM reads out."],
  mistyped: ["No seat has that code", "Type the code that your GM reads out."],
  paused: ["The table is paused", "Your GM goes on when everybody is ready."],
  busy: ["The GM is busy", "What you do now is done next."],
  asking: ["Waiting for the GM", "They confirm what you want to do."],
  revoked: ["This seat was closed", "Ask your GM."],
  over: ["The table is closed", "Your GM has ended it."],
};

/** The same on a page of the GM's. @type {Partial<Record<State, [string, string]>>} */
const LEADS = {
  busy: ["A cell is running", "What you do here is done once it has ended."],
  paused: ["You have paused the table", "Players can do nothing, and are told nothing, until you go on."],
  lost: ["Not connected", "Trying again by itself. If you have started again, open its new link."],
};

/** The same on the table's screen, where nobody does anything. @type {Partial<Record<State, [string, string]>>} */
const LOOKS = { busy: ["The GM is busy", "It goes on in a moment."] };

/** What is said while the GM is busy after what was done last. */
const DONE = "What you did is done. It goes on in a moment.";

/** After so many ticks without an answer it is said that one is waited for. */
const LATE = 3;
/** The same where something was done that has no answer. @type {Partial<Record<State, string>>} */
const WAITING = {
  lost: "Trying again by itself. Whether what you did last has arrived is told then. If your GM started again, scan the new code.",
  busy: "What you tapped waits, and comes next.",
};

/** Where something stands in a field that was not sent yet. */
const TYPED = "Trying again by itself. What you typed is not sent, and stays here. If your GM started again, scan the new code.";

/**
 * @param {State} state @param {string} [about] what the GM is to confirm @param {number} [ticks] how long something has waited for an answer
 * @param {{leads?: boolean, looks?: boolean, typed?: boolean, done?: boolean, slow?: boolean}} [page] whether it is the GM's page or the table's screen,
 *   whether something stands in a field, whether what was done last is done with nothing shown since, and whether a tap waits long already
 */
export const wordsFor = (state, about, ticks, { leads, looks, typed, done, slow } = {}) => {
  const words = (leads && LEADS[state]) || (looks && LOOKS[state]) || WORDS[state];
  if (state === "open" && ticks != null && (slow || ticks >= LATE) && ticks < Infinity) return ["Sent", "Not answered yet."];
  if (!words) return words;
  if (state === "busy" && done && !leads && ticks == null) return [words[0], DONE];
  return [words[0], about ? `${about}.` : (!leads && ((ticks != null && WAITING[state]) || (typed && state === "lost" && TYPED))) || words[1]];
};

/** How old the picture is. @param {number} seconds */
export const ageOf = (seconds) => {
  const [count, unit] = seconds < 90 ? [Math.round(seconds), "second"] : [Math.round(seconds / 60), "minute"];
  return `As it was ${count} ${unit}${count === 1 ? "" : "s"} ago.`;
};
