// Two fingers zoom, in the plane and in space; one finger pans a zoomed plane. Turning by one finger is the pointer's.
import { bounded, pulled } from "./range.js";
import { nearer, place, settle } from "./turn.js";
import { is3d } from "./view.js";

const LEFT_ALONE = ".modebar, .updatemenu-container, .slider-container, .legend";

export function wireTouch(gd, S, plane) {
  /** @type {any} the fingers and the view when they came down */
  let start = null;
  const fingers = (e) => {
    const r = gd.getBoundingClientRect(), { xaxis, yaxis } = gd._fullLayout, flat = !is3d(gd);
    const [left, top, width, height] = flat ? [xaxis._offset, yaxis._offset, xaxis._length, yaxis._length] : [0, 0, r.width, r.height];
    const points = [...e.touches].slice(0, 2).map((t) => [(t.clientX - r.left - left) / width, 1 - (t.clientY - r.top - top) / height]);
    const middle = [0, 1].map((i) => points.reduce((sum, p) => sum + p[i], 0) / points.length);
    const apart = points.length < 2 ? 0 : Math.hypot((points[0][0] - points[1][0]) * width, (points[0][1] - points[1][1]) * height);
    return { middle, apart, many: points.length };
  };
  const begin = (e) => { start = { ...fingers(e), ranges: is3d(gd) ? null : plane.now(), factor: 1 }; };
  gd.addEventListener("touchstart", (e) => {
    if (e.target.closest?.(LEFT_ALONE)) return;
    e.stopPropagation();                                 // Plotly knows one finger only, and takes two for a turn
    if (!S.zooms || S.dragging) return;
    if (e.touches.length === 2) { e.preventDefault(); S.pinched = true; S.over.quiet(); begin(e); }
    else if (e.touches.length === 1 && S.zoomed) begin(e);
  }, { capture: true, passive: false });
  gd.addEventListener("touchmove", (e) => {
    e.stopPropagation();
    if (!start || S.dragging || !e.touches.length) return;
    const now = fingers(e);
    if (now.many !== start.many) { begin(e); return; }
    if (e.cancelable) e.preventDefault();
    const factor = now.apart && start.apart ? start.apart / now.apart : 1;
    if (is3d(gd)) {
      const step = factor / start.factor;
      start.factor = factor;
      place(gd, (camera) => nearer(camera, step));
      return;
    }
    const own = S.home?.xaxis ?? start.ranges[0], k = bounded(factor, start.ranges[0][1] - start.ranges[0][0], own[1] - own[0]);
    plane.show(start.ranges.map((range, i) => pulled(range, k, start.middle[i], now.middle[i])));
  }, { capture: true, passive: false });
  const end = (e) => {
    if (start && is3d(gd)) { start = null; settle(gd); }   // the finger that stays on a body does not go on alone
    if (e.touches.length) { if (start && e.touches.length < 2 && !S.zoomed) start = null; return; }
    start = null;
    plane.free();
    setTimeout(() => { S.pinched = false; }, 0);         // after the pointer that went up with the last finger
  };
  gd.addEventListener("touchend", end, true);
  gd.addEventListener("touchcancel", end, true);
}
