import assert from "node:assert/strict";
import { test } from "node:test";

import { areUsable, faceName, facesOf, isFull, isOn, missing } from "../form/dice.js";
import { die, speakIn } from "../shared/tongue.js";

test("boxes are named by their die and place", () => {
  assert.equal(faceName([20], 0), "Number on the d20");
  assert.equal(faceName([6, 6, 6], 1), "Second d6");
  assert.equal(faceName(Array(12).fill(6), 11), "Die 12, a d6");
});

test("in another language a box has the letter of its dice", () => {
  speakIn({ lang: "de", die: "W", words: { "Second": "Zweiter", "Die {0}, a": "Würfel {0}, ein" } });
  assert.equal(die(8), "W8");
  assert.equal(faceName([6, 6, 6], 1), "Zweiter W6");
  assert.equal(faceName(Array(12).fill(6), 11), "Würfel 12, ein W6");
  speakIn(undefined);
});

test("a box is full when no further digit could make a face", () => {
  assert.equal(isFull("4", 6), true);
  assert.equal(isFull("1", 20), false);
  assert.equal(isFull("2", 20), false);
  assert.equal(isFull("3", 20), true);
  assert.equal(isFull("17", 20), true);
  assert.equal(isFull("1", 12), false);
});

test("a face is on its die or not", () => {
  assert.deepEqual(["0", "1", "6", "7", ""].map((text) => isOn(text, 6)), [false, true, true, false, false]);
});

test("faces go by purpose: gaps are null, empty ends are left out", () => {
  assert.deepEqual(facesOf({ attack: ["17"], damage: ["4", "", "6", ""], push: ["", ""] }), { attack: [17], damage: [4, null, 6] });
  const sparse = [];
  sparse[1] = "3";
  assert.deepEqual(facesOf({ attack: sparse }), { attack: [null, 3] });
});

test("faces can be used when a roll is whole, none is begun and none is wrong", () => {
  const dice = [
    { purpose: "attack", sides: [20], error: "" },
    { purpose: "damage", sides: [8, 8], error: "" },
  ];
  assert.equal(areUsable(dice, {}), false);
  assert.equal(areUsable(dice, { attack: [17] }), true);
  assert.equal(areUsable(dice, { attack: [17], damage: [3] }), false);
  assert.equal(areUsable(dice, { attack: [17], damage: [3, 4] }), true);
  const tied = [{ purpose: "Mara", sides: [20, 20], again: 1, error: "" }];
  assert.equal(areUsable(tied, { Mara: [17] }), true);
  assert.equal(areUsable(tied, { Mara: [17, 3] }), true);
  assert.equal(areUsable(tied, { Mara: [null, 3] }), false);
  assert.equal(areUsable([{ ...dice[0], error: "no face of a d20" }], { attack: [21] }), false);
});

test("dice still to be typed are counted, of every roll", () => {
  const dice = [
    { purpose: "attack", sides: [20], error: "" },
    { purpose: "damage", sides: [8, 8], error: "" },
  ];
  assert.equal(missing(dice, {}), 3);
  assert.equal(missing(dice, { attack: [17], damage: [null, 3] }), 1);
  assert.equal(missing(dice, { attack: [17], damage: [4, 3] }), 0);
});
