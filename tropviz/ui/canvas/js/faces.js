// A mesh whose triangles belong to cells: their colours, and the outline of one cell as it is seen now.
const GRID = 1e5;                                        // corners closer than a part of this are one
const BEND_FLAT = 0.9999, BEND_ROUND = 0.9;              // cosine below which two triangles meet in an edge

// One colour a cell is sent; the mesh wants one a triangle.
export function paint({ data, faces }) {
  if (faces?.colours) data[0].facecolor = Array.from(faces.cell, (cell) => faces.colours[cell]);
}

// Triangles of every cell, sorted once a figure.
function trianglesOf(faces, cell) {
  if (!faces.order) {
    const count = new Int32Array(faces.labels.length + 1);
    for (const c of faces.cell) count[c + 1]++;
    for (let c = 1; c < count.length; c++) count[c] += count[c - 1];
    const next = count.slice();
    faces.order = new Int32Array(faces.cell.length);
    faces.cell.forEach((c, t) => { faces.order[next[c]++] = t; });
    faces.first = count;
  }
  return faces.order.subarray(faces.first[cell], faces.first[cell + 1]);
}

/** @param {number[]} m @param {number[]} v */
const times = (m, [x, y, z, w]) => [0, 1, 2, 3].map((r) => m[r] * x + m[r + 4] * y + m[r + 8] * z + m[r + 12] * w);

// From a corner of the mesh to pixels of the scene's container, and to its depth.
function eyeOf(gd) {
  const scene = gd._fullLayout.scene._scene, { model, view, projection } = scene.glplot.cameraParams;
  const { width, height } = scene.container.getBoundingClientRect(), scale = scene.dataScale;
  return (p) => {
    const at = times(projection, times(view, times(model, [p[0] * scale[0], p[1] * scale[1], p[2] * scale[2], 1])));
    return [(0.5 + (0.5 * at[0]) / at[3]) * width, (0.5 - (0.5 * at[1]) / at[3]) * height, at[2] / at[3]];
  };
}

// The foremost triangle of the mesh at a pixel, -1 if there is none: a finger has no hover that could say it.
export function pick(gd, px, py) {
  const mesh = gd.data[0], pixel = eyeOf(gd), seen = Array.from(mesh.x, (x, v) => pixel([x, mesh.y[v], mesh.z[v]]));
  let found = -1, nearest = Infinity;
  for (let t = 0; t < mesh.i.length; t++) {
    const [a, b, c] = [seen[mesh.i[t]], seen[mesh.j[t]], seen[mesh.k[t]]];
    const area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    if (!area) continue;
    const u = ((px - a[0]) * (c[1] - a[1]) - (py - a[1]) * (c[0] - a[0])) / area, v = ((b[0] - a[0]) * (py - a[1]) - (b[1] - a[1]) * (px - a[0])) / area;
    if (u < 0 || v < 0 || u + v > 1) continue;
    const depth = a[2] + u * (b[2] - a[2]) + v * (c[2] - a[2]);
    if (depth < nearest) [found, nearest] = [t, depth];
  }
  return found;
}

// Edges of the cell of a hovered triangle that bound what is seen of it: an SVG path in pixels of the scene's container.
export function outline(gd, faces, hovered) {
  const mesh = gd.data[0], pixel = eyeOf(gd);
  const corners = (t) => [mesh.i[t], mesh.j[t], mesh.k[t]].map((v) => [mesh.x[v], mesh.y[v], mesh.z[v]]);
  /** @param {number[][]} triangle */
  const turn = ([a, b, c]) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  const sign = Math.sign(turn(corners(hovered).map(pixel))), bend = mesh.flatshading ? BEND_FLAT : BEND_ROUND;
  const edges = new Map();
  for (const t of trianglesOf(faces, faces.cell[hovered])) {
    const p = corners(t), flat = p.map(pixel);
    if (turn(flat) * sign <= 0) continue;                // turned away from the eye
    const [u, v] = [1, 2].map((i) => p[i].map((x, axis) => x - p[0][axis]));
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]], size = Math.hypot(...n) || 1;
    const normal = n.map((x) => x / size), names = p.map((x) => x.map((w) => Math.round(w * GRID)).join());
    for (const [a, b] of [[0, 1], [1, 2], [2, 0]]) {
      const key = names[a] < names[b] ? names[a] + ";" + names[b] : names[b] + ";" + names[a], other = edges.get(key);
      if (other) other.drawn = other.normal.reduce((sum, x, i) => sum + x * normal[i], 0) < bend;
      else if (names[a] !== names[b]) edges.set(key, { normal, drawn: true, from: flat[a], to: flat[b] });
    }
  }
  let d = "";
  for (const { drawn, from, to } of edges.values()) if (drawn) d += `M${from[0].toFixed(1)},${from[1].toFixed(1)}L${to[0].toFixed(1)},${to[1].toFixed(1)}`;
  return d;
}
