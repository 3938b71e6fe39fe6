// Zoom and pan of a plane by wheel and fingers: ranges first, then Plotly, as fast as it can draw.
const WIDEST = 40, NARROWEST = 1e-4;                     // of the picture's own range

// A range after a point of it, at a share of its length, was pulled to another share and all was scaled by a factor.
/** @param {number[]} range @returns {number[]} */
export function pulled([low, high], factor, from, to = from) {
  const span = high - low, at = low + from * span, wide = span * factor;
  return [at - to * wide, at - to * wide + wide];
}

// The factor that is left of one that would go beyond what can be shown.
export function bounded(factor, span, own) {
  return Math.max((NARROWEST * own) / span, Math.min((WIDEST * own) / span, factor));
}

// Runs one at a time; of the values that come meanwhile, the latest.
export function paced(run) {
  let busy = false, next = null;
  const go = async () => {
    busy = true;
    try { while (next) { const value = next; next = null; await run(value); } } finally { busy = false; }
  };
  return (value) => { next = value; if (!busy) go(); };
}

// Both axes of the plane at once; of several of one moment the last is drawn.
export const shower = (gd) => {
  const show = paced(([x, y]) => (gd.isConnected ? window.Plotly.relayout(gd, { "xaxis.range": x, "yaxis.range": y }) : null));
  let wanted = null;
  return {
    now: () => wanted ?? ["xaxis", "yaxis"].map((name) => gd._fullLayout[name].range.map(Number)),
    show: (ranges) => { wanted = ranges; show(ranges); },
    free: () => { wanted = null; },
  };
};
