import assert from "node:assert/strict";
import { test } from "node:test";
import { scripts } from "./scripts.js";

const { routingOf } = await scripts("routing");
const router = (W, b, k) => routingOf({ W: W.flat(), b, k }, 10);

test("of equal scores the lowest index is chosen", () => {
  const twins = router([[1, 0], [1, 0], [-1, 0]], [0, 0, 0], 1);
  const { reached, fullest } = twins.count([1, 2, 3], [0, 0, 0], 0, 0);
  assert.deepEqual([reached, fullest], [1, 3]);
  assert.equal(twins.name(1, 0), router([[1, 0], [0, 0], [-1, 0]], [0, 0, 0], 1).name(1, 0));
});

test("sets and the fullest are counted where the points are carried to", () => {
  const four = router([[1, 0], [-1, 0], [0, 1], [0, -1]], [0, 0, 0, 0], 1);
  const x = [2, -2, 0, 0], y = [0, 0, 2, -2];
  assert.deepEqual(four.count(x, y, 0, 0), { reached: 4, fullest: 1, points: 4 });
  assert.deepEqual(four.count(x, y, 100, 0), { reached: 1, fullest: 4, points: 4 });
});

test("there are no more names than sets", () => {
  const r = router([[3, 1], [1, 3], [-2, 1], [0, -1], [2, 2]], [0, 0.5, 1, -1, 0], 3);
  const names = new Set();
  for (let i = 0; i < 500; i++) names.add(r.name(Math.cos(i), Math.sin(i)));
  assert.ok(names.size > 1 && names.size <= 10);        // C(5, 3)
});

test("beyond what a screen frame can count nothing is counted", () => {
  assert.equal(routingOf({ W: [], b: { length: 1000 }, k: 1 }, 1000), null);
});
