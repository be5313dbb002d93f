/** The picture below the map: asked for until it comes, and told of only while it lies there. */
import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { createPicture } from "../map/picture.js";

/** @param {string} id */
const lying = (id) => ({ id, size: [1, 1], square: 1, at: [0, 0] });

/** Lets what was answered be taken in. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("each picture that is refused is told once, and one that lies there no more is not", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  /** @type {string[]} */
  const asked = [];
  /** @type {string[]} */
  const told = [];
  const ask = /** @type {any} */ (
    async (/** @type {{picture: string}} */ { picture }) => {
      asked.push(picture);
      throw { reason: `${picture} is gone` };
    }
  );
  const hrefOf = createPicture(ask, new AbortController().signal, (why) => told.push(why));
  hrefOf(lying("a"));
  hrefOf(lying("b"));
  await settled();
  assert.deepEqual([asked, told], [["a", "b"], ["b is gone"]]);
  mock.timers.tick(2_000);
  await settled();
  assert.deepEqual([asked, told], [["a", "b", "b"], ["b is gone"]]);
  hrefOf(lying("c"));
  await settled();
  assert.deepEqual(told, ["b is gone", "c is gone"]);
  mock.timers.tick(2_000);
  await settled();
  assert.deepEqual(asked, ["a", "b", "b", "c", "c"], "each waits for as long as it has been refused itself");
  mock.timers.reset();
});
