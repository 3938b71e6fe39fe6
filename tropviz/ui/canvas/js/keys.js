// What keys do to the view: plus and minus zoom, Shift and an arrow turn a body, or pan a plane.
import { place, settle, turned } from "./turn.js";
import { is3d, zoomed } from "./view.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const ZOOMS = { "+": 0.8, "=": 0.8, "-": 1.25 }, SHARE = 0.08;      // of the picture's width, at a stroke

// Whether the key was one of these.
export function looked(gd, S, event) {
  const factor = S.zooms && ZOOMS[event.key], way = S.zooms && event.shiftKey && ARROWS[event.key];
  if (factor) zoomed(gd, factor, S.home);
  else if (!way) return false;
  else if (is3d(gd)) {
    place(gd, (camera) => turned(camera, SHARE * way[0], -SHARE * way[1]));
    settle(gd);
  } else window.Plotly.relayout(gd, Object.fromEntries(["xaxis", "yaxis"].map((name, i) => [name + ".range", panned(gd._fullLayout[name].range.map(Number), way[i])])));
  return true;
}

// A range moved by so many strokes.
/** @param {number[]} range @returns {number[]} */
export const panned = ([low, high], strokes) => [low, high].map((v) => v + SHARE * strokes * (high - low));
