import assert from "node:assert/strict";
import { test } from "node:test";
import { scripts } from "./scripts.js";

const { keepView, copyView, nearness } = await scripts("view");
const { withView, startView } = await scripts("viewpoint");
const flat = (x, y) => ({ _fullLayout: { xaxis: { range: x }, yaxis: { range: y } } });
const eye = (x, y, z) => ({ eye: { x, y, z }, up: { x: 0, y: 0, z: 1 }, center: { x: 0, y: 0, z: 0 } });
const solid = (camera) => ({ _fullLayout: { scene: { _scene: { getCamera: () => camera } } } });

test("a new figure takes over zoom and camera, but for axes that follow what they show", () => {
  const layout = { xaxis: { range: [0, 9] }, yaxis: { range: [0, 9], uirevision: false } };
  keepView(flat([1, 2], [3, 4]), layout, null);
  assert.deepEqual(layout.xaxis, { range: [1, 2], autorange: false });
  assert.deepEqual(layout.yaxis.range, [0, 9]);
  const space = { scene: { dragmode: "orbit" } };
  keepView(solid(eye(1, 2, 3)), space, null);
  assert.deepEqual(space.scene.camera.eye, { x: 1, y: 2, z: 3 });
});

test("a copy of a view is one: what happens later does not change it", () => {
  const gd = flat([1, 2], [3, 4]), copy = copyView(gd);
  gd._fullLayout.xaxis.range[0] = 100;
  assert.deepEqual(copy, { xaxis: [1, 2], yaxis: [3, 4] });
});

test("a link holds the zoom only where it is not the picture's own", () => {
  const home = { xaxis: [-3, 3], yaxis: [-3, 3] };
  assert.equal(withView("v=1&zoom=", flat([-3, 3], [-3, 3]), home), "v=1&zoom=");
  assert.equal(withView("v=1&zoom=", flat([-1, 1], [0, 2.0004]), home), "v=1&zoom=-1_1_0_2");
  assert.equal(withView("v=1", flat([-1, 1], [0, 2]), home), "v=1");
});

test("a link holds the eye, what is up if that is tilted, and what is looked at if that was moved", () => {
  const home = { scene: eye(1, 1, 1) };
  assert.equal(withView("cam=", solid(eye(1, 1, 1)), home), "cam=");
  assert.equal(withView("cam=", solid(eye(2, 0, 0.5)), home), "cam=2_0_0.5");
  const moved = { ...eye(2, 0, 0), center: { x: 0, y: 0.25, z: 0 } };
  assert.match(withView("cam=", solid(moved), home), /^cam=2_0_0_.*_0_0.25_0$/);
});

test("a link's view is where the first picture begins", () => {
  const layout = { xaxis: { range: [-3, 3] }, yaxis: { range: [-3, 3] } };
  startView(layout, { zoom: [0, 1, 2, 3] });
  assert.deepEqual([layout.xaxis.range, layout.yaxis.range], [[0, 1], [2, 3]]);
});

test("how near a picture is seen: of its own range, or of the way to its eye", () => {
  assert.equal(nearness(flat([-1, 1], [-1, 1]), { xaxis: [-3, 3] }), 3);
  assert.equal(nearness(solid(eye(0, 0, 4)), { scene: eye(0, 0, 2) }), 0.5);
  assert.equal(nearness(flat([-1, 1], [-1, 1]), {}), 1);
});
