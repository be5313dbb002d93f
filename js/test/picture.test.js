/** The address on the picture of an end: one that friends can open, or none. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { addressOf } from "../tracker/picture.js";

test("a picture carries where the table is that it came from, if others can open that", () => {
  const at = (/** @type {string} */ url) => addressOf(new URL(url));
  assert.equal(at("https://example.org/combatkit/table/index.html"), "example.org/combatkit/table");
  assert.equal(at("https://example.org:8443/table/?x=1"), "example.org:8443/table");
  assert.equal(at("https://example.org/"), "example.org");
  for (const own of ["http://localhost:8000/", "http://127.0.0.1/", "http://192.168.1.4/table/", "http://[::1]/", "http://laptop/", "http://box.local/", "file:///home/me/table.html"])
    assert.equal(at(own), "", own);
});
