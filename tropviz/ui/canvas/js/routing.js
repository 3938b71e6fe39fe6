// Top-k routing of the dragged points here in the browser, so that the counts follow the hand at the speed of the screen.
// When the hand rests the server's own numbers, in float64 from the unrounded points, take their place.
import { numeral } from "./language.js";

const TAIL = 0.025;                                      // what either end of a 95 % interval may miss

class Routing {
  // router: { W (N*2), b (N), k }
  constructor({ W, b, k }) {
    this.W = W;
    this.b = b;
    this.k = k;
    this.N = b.length;
    this.scores = new Float64Array(b.length);
    this.sorted = new Float64Array(b.length);
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

// Write the counts where the page shows them; a number is not broken over two lines (tropviz/ui/counts.py).
export function showCounts({ reached, fullest, points }) {
  const text = { "cells-reached-by-the-data": numeral(reached.toLocaleString("en-US")), saturation: share(fullest, points) };
  for (const [row, value] of Object.entries(text))
    for (const node of document.querySelectorAll(`[data-row="${row}"] .tv-value`)) node.textContent = value.replace(/ (?!\[)/g, "\u00a0");
  for (const node of document.querySelectorAll(".tv-reached")) node.textContent = text["cells-reached-by-the-data"];
}

// A share in per cent with the interval of the fullest set (core/collapse/fullest.py), written as the server writes it.
function share(points, n) {
  const [low, high] = fullestInterval(points, n);
  return numeral(`${tenths((100 * points) / n)} % [${tenths(100 * low)}, ${tenths(100 * high)}]`);
}

// Where P(Bin(n, q) >= x) / q, and where P(Bin(n, q) <= x), is 2.5 %. Both tails are summed from their largest term on.
function fullestInterval(x, n) {
  let choose = 0;
  for (let i = 1; i <= Math.min(x, n - x); i++) choose += Math.log((n - Math.min(x, n - x) + i) / i);
  const tail = (q, up) => {
    let term = Math.exp(choose + x * Math.log(q) + (n - x) * Math.log1p(-q)), sum = term;
    for (let j = x; up ? j < n : j > 0; j += up ? 1 : -1) {
      term *= up ? (((n - j) / (j + 1)) * q) / (1 - q) : ((j / (n - j + 1)) * (1 - q)) / q;
      sum += term;
      if (term < 1e-12 * sum) break;
    }
    return sum;
  };
  const solve = (low, high, below) => {
    for (let i = 0; i < 26; i++) {
      const q = (low + high) / 2;
      if (below(q)) low = q; else high = q;
    }
    return low;
  };
  return [x < 2 ? 0 : solve(0, x / n, (q) => tail(q, true) < TAIL * q), x === n ? 1 : solve(x / n, 1, (q) => tail(q, false) > TAIL)];
}

const tenths = (v) => ((10 * v) % 1 === 0.5 ? (2 * Math.round(5 * v)) / 10 : v).toFixed(1);   // a half goes to the even digit
