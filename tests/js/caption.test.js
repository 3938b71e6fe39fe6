import assert from "node:assert/strict";
import { test } from "node:test";
import { scripts } from "./scripts.js";

const { captioned, html, lines } = await scripts("caption");

test("pieces fill lines of a width, and one that is too long stands alone", () => {
  const wide = (piece) => piece.length;
  assert.deepEqual(lines(["aa", "bb", "cccccccc", "d"], wide, 6, 1), [["aa", "bb"], ["cccccccc"], ["d"]]);
  assert.deepEqual(lines([], wide, 6, 1), []);
});

test("a picture that leaves the page takes its key and its caption along, under itself", () => {
  document.createElement = () => ({ getContext: () => null });      // no pen: seven pixels a letter
  const key = [[{ text: "●", colour: "rgb(1, 2, 3)" }, { text: " data < 3", colour: "" }]];
  const own = { annotations: [{ text: "mine" }], margin: { l: 5 } };
  const [layout, more] = captioned(own, { l: 5, r: 0, t: 0, b: 10 }, 140, key, "Eight experts, two active.");
  const [mine, first, ...rest] = layout.annotations.map((note) => note.text);
  assert.deepEqual([mine, first], ["mine", '<span style="color:rgb(1, 2, 3)">●</span> data &lt; 3']);
  assert.deepEqual(rest, ["Eight experts, two", "active."]);
  assert.equal(layout.margin.b, 10 + more);
  assert.ok(more >= 3 * 15 && own.annotations.length === 1);       // the figure on screen stays as it is
  assert.equal(html(key[0]), first);
});

test("nothing to say, nothing added", () => {
  assert.equal(captioned({}, { l: 0, r: 0, t: 0, b: 0 }, 100, [], "")[1], 0);
});
