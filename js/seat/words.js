/** What a seat says about its connection. */

/** @import { State } from "./line.js" */

/** A heading and a line; what is not here needs no words. @type {Partial<Record<State, [string, string]>>} */
const WORDS = {
  connecting: ["Connecting", "This takes a moment."],
  lost: ["Not connected", "Trying again by itself. The fight goes on at the table; what you typed stays here."],
  unknown: ["This link no longer works", "Ask your GM for a new one."],
  code: ["Take your seat", "Type the code that your GM reads out."],
  paused: ["The table is paused", "Your GM goes on when everybody is ready."],
  busy: ["The GM is busy", "What you do now is done next."],
  asking: ["Waiting for the GM", "They confirm what you want to do."],
  revoked: ["This seat was closed", "Ask your GM."],
  over: ["The table is closed", "Your GM has ended it."],
};

/** @param {State} state @param {string} [about] what the GM is to confirm */
export const wordsFor = (state, about) => {
  const words = WORDS[state];
  return words && about ? [words[0], `They confirm: ${about}.`] : words;
};

/** How old the picture is. @param {number} seconds */
export const ageOf = (seconds) => {
  const [count, unit] = seconds < 90 ? [Math.round(seconds), "second"] : [Math.round(seconds / 60), "minute"];
  return `As it was ${count} ${unit}${count === 1 ? "" : "s"} ago.`;
};
