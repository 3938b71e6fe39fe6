// Frames drawn on a plain canvas over the plot: Plotly needs some 200 ms to redraw a picture of 700 moving points, this
// 3 ms. It knows as much of scatter and bar traces as moving things need: lines, fills, markers, text, bars. The traces
// themselves are hidden meanwhile; the figure that Python sends next shows them again, so downloads lose nothing.
import { is3d } from "./view.js";

const DASHES = { dot: [1, 2], dash: [3.2, 2.4], dashdot: [3, 2, 1, 2] };

export class Sprites {
  constructor(gd) {
    this.gd = gd;
    this.canvas = document.createElement("canvas");
    this.canvas.setAttribute("aria-hidden", "true");
    Object.assign(this.canvas.style, { position: "absolute", left: 0, top: 0, pointerEvents: "none" });
    gd.after(this.canvas);
    this.canvas.hidden = true;
  }

  // data[i] restyles trace traces[i]; the traces in `over` are drawn again on top of them
  show(data, traces, over = []) {
    this.now = { data, traces, over };
    this.place();
  }

  clear() {
    if (!this.now) return;
    this.hide(this.now, "");
    this.now = null;
    this.canvas.hidden = true;
  }

  place() {
    const full = this.gd._fullLayout;
    if (!this.now || !full || is3d(this.gd)) return;
    const { canvas } = this, ratio = window.devicePixelRatio || 1;
    if (canvas.width !== Math.round(full.width * ratio) || canvas.height !== Math.round(full.height * ratio)) {
      Object.assign(canvas, { width: Math.round(full.width * ratio), height: Math.round(full.height * ratio) });
      Object.assign(canvas.style, { width: full.width + "px", height: full.height + "px" });
    }
    canvas.hidden = false;
    const pen = canvas.getContext("2d");
    if (!pen) return;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, full.width, full.height);
    this.hide(this.now, "none");
    const { traces, data, over } = this.now;
    for (const [i, number] of traces.entries()) this.trace(pen, number, data[i]);
    for (const number of over) this.trace(pen, number, {});
  }

  hide({ traces, over }, display) {
    for (const number of [...traces, ...over]) {
      const trace = this.gd._fullData?.[number];
      const group = trace?.visible && this.gd.querySelector(trace.type === "bar" ? `.${trace.xaxis}${trace.yaxis} .barlayer` : `.scatterlayer .trace${trace.uid}`);
      if (group) group.style.display = display;
    }
  }

  trace(pen, number, change) {
    const base = this.gd.data[number], full = this.gd._fullLayout;   // as sent: Plotly drops the style of empty traces
    if (!base) return;
    const xa = full[(base.xaxis ?? "x").replace("x", "xaxis")], ya = full[(base.yaxis ?? "y").replace("y", "yaxis")];
    const x = change.x ?? base.x, y = change.y ?? base.y;
    pen.save();
    pen.beginPath();
    pen.rect(xa._offset, ya._offset, xa._length, ya._length);
    pen.clip();
    pen.translate(xa._offset, ya._offset);
    pen.globalAlpha = base.opacity ?? 1;
    const px = (i) => xa.d2p(x[i]), py = (i) => ya.d2p(y[i]);
    if (base.type === "bar") bars(pen, base, x, y, xa, ya, full.bargap ?? 0.2);
    else {
      const mode = base.mode;
      if (mode.includes("lines")) lines(pen, change.fillcolor ? { ...base, fillcolor: change.fillcolor } : base, { ...base.line, ...change.line }, x, px, py);
      if (mode.includes("markers")) markers(pen, { ...base.marker, ...change.marker }, x, px, py);
      if (mode.includes("text")) texts(pen, change.text === undefined ? base : { ...base, text: change.text }, full.font.family, change.textposition ?? base.textposition, x, px, py);
    }
    pen.restore();
  }

  remove() { this.canvas.remove(); }
}

function lines(pen, base, line, x, px, py) {
  pen.beginPath();
  let open = false;
  for (let i = 0; i < x.length; i++) {
    const a = px(i), b = py(i);
    if (!Number.isFinite(a) || !Number.isFinite(b)) { open = false; continue; }   // d2p answers NaN with undefined
    if (open) pen.lineTo(a, b); else pen.moveTo(a, b);
    open = true;
  }
  if (base.fill && base.fill !== "none") { pen.fillStyle = base.fillcolor; pen.fill(); }
  if (!line.width) return;
  pen.strokeStyle = line.color;
  pen.lineWidth = line.width;
  pen.lineJoin = "round";
  pen.setLineDash((DASHES[line.dash] ?? []).map((v) => v * Math.max(3, line.width)));
  pen.stroke();
}

function markers(pen, marker, x, px, py) {
  const { color, colorscale, cmin = 0, line } = marker, radius = marker.size / 2;
  pen.globalAlpha *= marker.opacity ?? 1;
  const many = color !== null && typeof color === "object";
  const ink = (i) => { const c = many ? color[i] : color; return typeof c === "number" ? colorscale[c - cmin]?.[1] ?? "#888" : c; };
  const groups = new Map();
  for (let i = 0; i < x.length; i++) { const c = ink(i); if (!groups.has(c)) groups.set(c, []); groups.get(c).push(i); }
  pen.lineWidth = line?.width ?? 0;
  pen.strokeStyle = line?.color ?? "transparent";
  for (const [fill, members] of groups) {
    pen.fillStyle = fill;
    for (const i of members) {
      const a = px(i), b = py(i);
      if (!Number.isFinite(a) || !Number.isFinite(b)) continue;
      pen.beginPath();
      pen.arc(a, b, radius, 0, 2 * Math.PI);
      pen.fill();
      if (pen.lineWidth && line?.width) pen.stroke();
    }
  }
}

function texts(pen, base, family, where, x, px, py) {
  const font = base.textfont, place = typeof where === "string" ? where : "middle center";
  pen.font = `${font.size}px ${family}`;
  pen.fillStyle = font.color;
  pen.textAlign = place.includes("left") ? "right" : place.includes("right") ? "left" : "center";
  pen.textBaseline = place.includes("top") ? "bottom" : place.includes("bottom") ? "top" : "middle";
  for (let i = 0; i < x.length; i++) pen.fillText(Array.isArray(base.text) ? base.text[i] : base.text, px(i), py(i));
}

function bars(pen, base, x, y, xa, ya, gap) {
  const width = xa.d2p(1) - xa.d2p(0), thick = width * (1 - gap), floor = ya.d2p(0), { color } = base.marker;
  for (let i = 0; i < y.length; i++) {
    pen.fillStyle = Array.isArray(color) ? color[i] : color;
    const top = ya.d2p(y[i]);
    pen.fillRect(xa.d2p(x[i]) - thick / 2, top, thick, floor - top);
  }
}
