/** Pure helpers for faces typed in: no document, and no sums, which are Python's. */

import { die, tr } from "../shared/tongue.js";

/** @import { Roll } from "../shared/types.js" */

const ORDINALS = ["First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth", "Ninth", "Tenth"];

/**
 * What a box for one face is called.
 *
 * @param {number[]} sides
 * @param {number} index
 */
export const faceName = (sides, index) =>
  sides.length === 1 ? `Number on the d${sides[0]}` : `${tr(ORDINALS[index] ?? `Die ${index + 1}, a`)} ${die(sides[index])}`;

/**
 * Whether a typed text can grow no further into a face: then the next box is due.
 *
 * @param {string} text
 * @param {number} sides
 */
export const isFull = (text, sides) => text.length >= String(sides).length || Number(text) * 10 > sides;

/** Whether a die has a face. @param {string} text @param {number} sides */
export const isOn = (text, sides) => Number(text) >= 1 && Number(text) <= sides;

/**
 * The faces typed so far, by purpose: empty boxes are null before a filled one and left out after the last.
 *
 * @param {Record<string, string[]>} typed
 * @returns {Record<string, (number | null)[]>}
 */
export function facesOf(typed) {
  /** @type {Record<string, (number | null)[]>} */
  const rolls = {};
  for (const [purpose, texts] of Object.entries(typed)) {
    const faces = Array.from(texts, (text) => (text ? Number(text) : null));
    while (faces.length && faces.at(-1) === null) faces.pop();
    if (faces.length) rolls[purpose] = faces;
  }
  return rolls;
}

/**
 * How many dice are still to be typed.
 *
 * @param {Roll[]} dice
 * @param {Record<string, (number | null)[]>} rolls
 */
export const missing = (dice, rolls) =>
  dice.flatMap(({ purpose, sides }) => sides.filter((_, index) => rolls[purpose]?.[index] == null)).length;

/**
 * Whether the faces can be used and the rest be rolled: at least one roll typed, none in part but for the dice of a
 * tie, none with an error.
 *
 * @param {Roll[]} dice
 * @param {Record<string, (number | null)[]>} rolls
 */
export const areUsable = (dice, rolls) =>
  dice.some(({ purpose }) => rolls[purpose]) &&
  dice.every(({ purpose, sides, again = 0, error }) => {
    const faces = rolls[purpose];
    return !error && (!faces || (faces.length >= sides.length - again && faces.length <= sides.length && !faces.includes(null)));
  });
