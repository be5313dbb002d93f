/** What can be done from a past moment, in words. */

/** @import { Travel } from "./types.js" */

/** What leads the fight there, and what that does. */
export const WAYS = { undo: "Undo what came after", redo: "Redo up to here" };

/** What can be done at such a moment: to play on from it, or only to go back. @param {unknown} fork */
export const follows = (fork) => (fork ? "Play on, and what came after is kept." : "Go back to now to act.");

/** What goes on from there, and keeps what came after: from the end of a call that has only begun. @param {Pick<Travel, "call">} travel */
export const playOn = ({ call }) => (call ? `Play on from after ${call}` : "Play on from here");
