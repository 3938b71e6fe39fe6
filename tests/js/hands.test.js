import assert from "node:assert/strict";
import { test } from "node:test";
import { scripts } from "./scripts.js";

const { turned, nearer } = await scripts("turn");
const { pulled, bounded, paced } = await scripts("range");
const eye = (x, y, z) => ({ eye: { x, y, z }, up: { x: 0, y: 0, z: 1 }, center: { x: 0, y: 0, z: 0 } });
const far = ({ eye: e }) => Math.hypot(e.x, e.y, e.z);

test("a turn keeps the distance and the horizon, and stops before the pole", () => {
  let camera = { ...eye(1, -1, 0.5), up: { x: 0.3, y: 0, z: 1 } };
  for (let i = 0; i < 50; i++) camera = turned(camera, 0.03, 0.04);
  assert.ok(Math.abs(far(camera) - 1.5) < 1e-9);
  assert.deepEqual(camera.up, { x: 0, y: 0, z: 1 });
  assert.ok(camera.eye.z > 1.49 && Math.hypot(camera.eye.x, camera.eye.y) > 0.01);
});

test("a drag to the right turns the front of the body to the right", () => {
  const { eye: e } = turned(eye(0, -2, 0), 0.1, 0);
  assert.ok(e.x < 0 && e.y < 0 && Math.abs(e.z) < 1e-12);
});

test("the eye comes nearer, but not into the body and not out of sight", () => {
  assert.ok(Math.abs(far(nearer(eye(0, -2, 0), 0.5)) - 1) < 1e-12);
  assert.ok(Math.abs(far(nearer(eye(0, -2, 0), 1e-6)) - 0.15) < 1e-12);
  assert.ok(Math.abs(far(nearer(eye(0, -2, 0), 1e6)) - 20) < 1e-9);
});

test("the point under the wheel or between two fingers stays there", () => {
  assert.deepEqual(pulled([0, 4], 0.5, 0.25), [0.5, 2.5]);
  const [low, high] = pulled([0, 4], 0.5, 0.25, 0.75);
  assert.equal(low + 0.75 * (high - low), 1);
  assert.equal(bounded(1e9, 2, 2), 40);
  assert.equal(bounded(0.5, 2, 2), 0.5);
});

test("of the ranges that come while one is drawn the latest is drawn", async () => {
  const drawn = [], show = paced(async (v) => { drawn.push(v); await null; });
  for (const v of [1, 2, 3]) show(v);
  await new Promise((done) => setTimeout(done, 5));
  assert.deepEqual(drawn, [1, 3]);
});

test("a stroke of an arrow key with Shift moves a range by a share of itself", async () => {
  const { panned } = await scripts("keys");
  assert.deepEqual(panned([-1, 1], 1).map((v) => +v.toFixed(9)), [-0.84, 1.16]);
});

test("a scene's letters take their margins along", async () => {
  const { scaled } = await scripts("scaled");
  const [, layout] = scaled([], { margin: { l: 10, b: 4 } }, 2);
  assert.deepEqual(layout.margin, { l: 20, b: 8 });
});
