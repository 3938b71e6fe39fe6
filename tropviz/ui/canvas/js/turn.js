// Turning a body: a turntable. The eye goes round the vertical and up and down, so the horizon never rolls; Plotly's own
// turntable (plotly.js 4.1) lands on the pole when frames come slowly, so its drag is off and the eye is placed here.
import { sceneNames } from "./view.js";

const STEEPEST = Math.PI / 2 - 0.02;                     // at the pole itself nothing says which way is up
const TURN = 1.3 * Math.PI;                              // a drag across the whole picture

/** @typedef {{x: number, y: number, z: number}} Point */

// The camera after a drag of (dx, dy), in shares of the picture's width and height.
/** @param {any} camera @returns {any} */
export function turned(camera, dx, dy) {
  const { eye: e, center: c } = camera, from = { x: e.x - c.x, y: e.y - c.y, z: e.z - c.z };
  const far = Math.hypot(from.x, from.y, from.z) || 1;
  const round = Math.atan2(from.y, from.x) - TURN * dx;
  const steep = Math.asin(Math.max(-1, Math.min(1, from.z / far))) + TURN * dy;
  const up = Math.max(-STEEPEST, Math.min(STEEPEST, steep)), flat = far * Math.cos(up);
  const eye = { x: c.x + flat * Math.cos(round), y: c.y + flat * Math.sin(round), z: c.z + far * Math.sin(up) };
  return { ...camera, eye, center: { ...c }, up: { x: 0, y: 0, z: 1 } };
}

// The camera nearer (a factor below 1) or farther, never inside the body or out of sight.
/** @param {any} camera @returns {any} */
export function nearer(camera, factor, nearest = 0.15, farthest = 20) {
  const { eye: e, center: c } = camera, from = [e.x - c.x, e.y - c.y, e.z - c.z], far = Math.hypot(...from) || 1;
  const k = Math.max(nearest, Math.min(farthest, far * factor)) / far;
  return { ...camera, eye: { x: c.x + k * from[0], y: c.y + k * from[1], z: c.z + k * from[2] } };
}

// Show every scene of a figure from where `move` puts its camera, at once and without a redraw by Plotly.
export function place(gd, move) {
  for (const name of sceneNames(gd._fullLayout)) {
    const live = gd._fullLayout[name]._scene;
    if (live) live.setViewport({ ...gd._fullLayout[name], aspectratio: live.glplot.getAspectratio(), camera: move(live.getCamera()) });
  }
}

// Say to Plotly where the cameras are now: the figure, the link and the downloads follow.
export function settle(gd) {
  const change = {};
  for (const name of sceneNames(gd._fullLayout)) {
    const live = gd._fullLayout[name]._scene;
    if (live) change[name + ".camera"] = live.getCamera();
  }
  return window.Plotly.relayout(gd, change);
}
