// Top-k routing of the dragged points here in the browser, so that the counts follow the hand at the speed of the screen.
// When the hand rests the server's own numbers, in float64 from the unrounded points, take their place.
const Z = 1.959963984540054;                             // of a 95 % interval

class Routing {
  // router: { W (N*2), b (N), k }
  constructor({ W, b, k }) {
    Object.assign(this, { W, b, k, N: b.length, scores: new Float64Array(b.length), sorted: new Float64Array(b.length) });
    this.codes = Float64Array.from({ length: this.N }, (_, i) => (this.N <= 53 ? 2 ** i : Math.floor(Math.random() * 2 ** 44)));
  }

  // A number that names the active set of a point; of equal scores the lowest index is taken.
  name(u, v) {
    const { W, b, N, k, scores, sorted, codes } = this;
    for (let i = 0; i < N; i++) scores[i] = W[2 * i] * u + W[2 * i + 1] * v + b[i];
    sorted.set(scores);
    sorted.sort();
    const least = sorted[N - k];
    let name = 0, left = k;
    for (let i = 0; i < N; i++) if (scores[i] > least) { name += codes[i]; left--; }
    for (let i = 0; left && i < N; i++) if (scores[i] === least) { name += codes[i]; left--; }
    return name;
  }

  // Different sets of the points moved by (dx, dy), and how many points are in the fullest.
  count(x, y, dx, dy) {
    const hits = new Map();
    let fullest = 0;
    for (let i = 0; i < x.length; i++) {
      const name = this.name(x[i] + dx, y[i] + dy), n = (hits.get(name) ?? 0) + 1;
      hits.set(name, n);
      if (n > fullest) fullest = n;
    }
    return { reached: hits.size, fullest, points: x.length };
  }
}

// More scores than this a frame would make the picture stutter: the counts then come from the server alone.
const MOST_SCORES = 300_000;
export const routingOf = (router, points) =>
  router && router.b.length * points <= MOST_SCORES ? new Routing(router) : null;

// Write the counts where the page shows them.
export function showCounts({ reached, fullest, points }) {
  const text = { "cells-reached-by-the-data": reached.toLocaleString("en-US"), saturation: share(fullest / points, points) };
  for (const [row, value] of Object.entries(text))
    for (const node of document.querySelectorAll(`[data-row="${row}"] .tv-value`)) node.textContent = value;
  for (const node of document.querySelectorAll(".tv-reached")) node.textContent = text["cells-reached-by-the-data"];
}

// A share in per cent with its Wilson interval, written as the server writes it.
function share(p, n) {
  const middle = (p + (Z * Z) / (2 * n)) / (1 + (Z * Z) / n), half = (Z / (1 + (Z * Z) / n)) * Math.sqrt((p * (1 - p)) / n + (Z / (2 * n)) ** 2);
  const low = Math.max(0, middle - half), high = Math.min(1, middle + half);
  return `${tenths(100 * p)} % [${tenths(100 * low)}, ${tenths(100 * high)}]`;
}

const tenths = (v) => ((10 * v) % 1 === 0.5 ? (2 * Math.round(5 * v)) / 10 : v).toFixed(1);   // a half goes to the even digit
