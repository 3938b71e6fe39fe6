// What lies over the picture and needs no redraw: the hovered region's outline, its label, and the drag handle.
import { outline } from "./faces.js";
import { spoken } from "./language.js";
import { routingOf, showCounts } from "./routing.js";
import { is3d } from "./view.js";

const NS = "http://www.w3.org/2000/svg", EDGE_PX = 11;

export class Overlay {
  constructor(gd) {
    this.gd = gd;
    this.svg = document.createElementNS(NS, "svg");
    this.svg.setAttribute("class", "tv-over");
    this.svg.setAttribute("aria-hidden", "true");
    this.stem = this.svg.appendChild(document.createElementNS(NS, "path"));
    this.stem.setAttribute("class", "tv-stem");
    this.path = this.svg.appendChild(document.createElementNS(NS, "path"));
    this.path.setAttribute("class", "tv-hover");
    this.tip = Object.assign(document.createElement("div"), { className: "tv-tip", hidden: true });
    this.grip = Object.assign(document.createElement("div"), { className: "tv-grip", hidden: true });
    this.grip.append(Object.assign(document.createElement("span"), { textContent: spoken("drag") }));
    this.said = Object.assign(document.createElement("div"), { className: "tv-remark", hidden: true });
    this.said.setAttribute("role", "status");
    this.sheet = Object.assign(document.createElement("canvas"), { className: "tv-over", hidden: true });
    gd.parentElement.append(this.sheet, this.svg, this.tip, this.grip, this.said);
    this.region = -1;
    /** @type {any} polygons of the picture, see `set` */
    this.regions = null;
    /** @type {any} the data that follows the handle */
    this.cloud = null;
    /** @type {number[]} where the cloud's centre is drawn */
    this.home = [0, 0];
    /** @type {number[] | null} where the handle is */
    this.handle = null;
    /** @type {Float32Array | null} left, bottom, right and top of every region */
    this.boxes = null;
    /** @type {number[]} region of every point when it was last drawn */
    this.last = [];
    /** @type {number | null} the screen frame asked for */
    this.frame = null;
    this.carried = false;
    /** @type {number[] | null} where a finger touched, in data coordinates */
    this.touched = null;
    /** The sentence on the picture was closed, until there is nothing to say. */
    this.shut = false;
  }

  // regions: { starts (m+1), x, y, labels (m), ids (m) }: convex polygons in data coordinates
  // cloud: { x, y, size, opacity, fills (m), other, router }: the data, its centre at `home`, the colour it takes in a
  // region, and the router that counts its active sets
  set(regions, handle, cloud, home) {
    Object.assign(this, { regions, handle, cloud, home, boxes: null });
    this.carried = false;
    this.routing = cloud && routingOf(cloud.router, cloud.x.length);
    this.gd.classList.remove("tv-live");
    this.sheet.hidden = true;
    this.stem.removeAttribute("d");
    this.place();
  }

  // A step of a drag: the data points follow the handle and take the colours of their cells here, once a screen frame;
  // the figure's own points hide until a new figure comes.
  carry(handle) {
    this.handle = handle;
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      if (!this.gd.isConnected) return;
      this.carried = Boolean(this.cloud);
      this.gd.classList.toggle("tv-live", this.carried);
      this.place();
      this.gd.dataset.moves = +(this.gd.dataset.moves ?? 0) + 1;
    });
  }

  /** @param {any[]} axes */
  placeCloud([x, y]) {
    const { x: px, y: py, size, opacity, fills, other } = this.cloud, [hx, hy] = this.handle ?? this.home;
    const dx = hx - this.home[0], dy = hy - this.home[1], ratio = window.devicePixelRatio || 1, sheet = this.sheet;
    const width = Math.round(x._length * ratio), height = Math.round(y._length * ratio);
    sheet.hidden = false;
    if (sheet.width !== width || sheet.height !== height) Object.assign(sheet, { width, height });
    const pen = sheet.getContext("2d");
    if (!pen) return;                                     // no memory for another sheet: the figure itself follows
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, x._length, y._length);
    pen.globalAlpha = opacity;
    const { last } = this;
    for (let i = 0; i < px.length; i++) {
      const u = px[i] + dx, v = py[i] + dy;
      last[i] = this.find(u, v, last[i]);
      pen.fillStyle = fills[last[i]] ?? other;
      pen.beginPath();
      pen.arc(x.d2p(u), y.d2p(v), size / 2, 0, 7);
      pen.fill();
    }
    if (this.routing) showCounts(this.routing.count(px, py, dx, dy));
    this.stem.setAttribute("d", `M${x.d2p(0)} ${y.d2p(0)}L${x.d2p(hx)} ${y.d2p(hy)}`);
  }

  axes() {
    const full = this.gd._fullLayout;
    return full?.xaxis?._offset === undefined || is3d(this.gd) ? null : [full.xaxis, full.yaxis];
  }

  // after every redraw, pan and zoom
  place() {
    const axes = this.axes();
    this.grip.hidden = !axes || !this.handle;
    if (!axes) { this.light(); return this.show(-1); }
    const [x, y] = axes;
    for (const part of [this.svg, this.sheet])
      Object.assign(part.style, { left: x._offset + "px", top: y._offset + "px", width: x._length + "px", height: y._length + "px" });
    if (this.handle) {
      const px = x.d2p(this.handle[0]), py = y.d2p(this.handle[1]);
      this.grip.hidden = px < 0 || py < 0 || px > x._length || py > y._length;
      this.grip.style.transform = `translate(${x._offset + px}px, ${y._offset + py}px)`;
    }
    if (this.carried) this.placeCloud(axes);
    if (!this.said.hidden) {                              // out of the way of the handle
      const low = this.handle && !this.grip.hidden && y.d2p(this.handle[1]) < y._length / 2;
      this.said.style.top = low ? `${this.gd.offsetHeight - this.said.offsetHeight - EDGE_PX}px` : "";
    }
    if (this.touched) {
      this.show(this.find(...this.touched), true);
      this.moveTip(x._offset + x.d2p(this.touched[0]), y._offset + y.d2p(this.touched[1]));
    } else if (this.region >= 0) this.show(this.region, true);
  }

  // Region of a point, -1 outside all; `guess` is tried first.
  find(dx, dy, guess = -1) {
    const R = this.regions;
    if (!R) return -1;
    const { starts, x, y } = R, m = starts.length - 1;
    if (!this.boxes) {
      this.boxes = new Float32Array(4 * m);
      for (let i = 0; i < m; i++) {
        let a = Infinity, b = Infinity, c = -Infinity, d = -Infinity;
        for (let j = starts[i]; j < starts[i + 1]; j++) { a = Math.min(a, x[j]); b = Math.min(b, y[j]); c = Math.max(c, x[j]); d = Math.max(d, y[j]); }
        this.boxes.set([a, b, c, d], 4 * i);
      }
    }
    if (guess >= 0 && guess < m && this.holds(guess, dx, dy)) return guess;
    for (let i = 0; i < m; i++) if (this.holds(i, dx, dy)) return i;
    return -1;
  }

  holds(i, dx, dy) {
    const { starts, x, y } = this.regions, B = this.boxes ?? [];
    if (dx < B[4 * i] || dy < B[4 * i + 1] || dx > B[4 * i + 2] || dy > B[4 * i + 3]) return false;
    let inside = false;
    for (let j = starts[i], p = starts[i + 1] - 1; j < starts[i + 1]; p = j++)
      if (y[j] > dy !== y[p] > dy && dx < ((x[p] - x[j]) * (dy - y[j])) / (y[p] - y[j]) + x[j]) inside = !inside;
    return inside;
  }

  show(i, force = false) {
    if (!force) this.touched = null;
    if (i === this.region && !force) return;
    this.region = i;
    const axes = this.axes();
    if (i < 0 || !axes || !this.regions || i >= this.regions.starts.length - 1) {
      this.region = -1;
      this.path.removeAttribute("d");
      this.tip.hidden = true;
      return;
    }
    const { starts, x, y, labels } = this.regions;
    let d = "";
    for (let j = starts[i]; j < starts[i + 1]; j++) d += (d ? "L" : "M") + axes[0].d2p(x[j]).toFixed(1) + "," + axes[1].d2p(y[j]).toFixed(1);
    this.path.setAttribute("d", d + "Z");
    this.tip.textContent = labels?.[i] ?? "";
    this.tip.hidden = !this.tip.textContent;
  }

  // A finger was here, in data coordinates: what it touched keeps its name until it touches something else.
  touch(at) { this.touched = at; if (at) this.place(); else this.show(-1); }

  // Nothing under the hand has a name: the picture moves.
  quiet() { this.show(-1); this.name(null, null); }

  // In space: the label of the cell a triangle of the mesh belongs to.
  name(faces, point) {
    const on = faces && point?.curveNumber === 0, text = on ? faces.labels[faces.cell[point.pointNumber]] : "";
    this.light(on ? faces : null, point?.pointNumber);
    this.tip.textContent = text ?? "";
    this.tip.hidden = !text;
  }

  // In space: outline what is seen of the cell of a triangle; without one, of none.
  light(faces, triangle) {
    const cell = faces ? faces.cell[triangle] : -1;
    if (cell === this.lit) return;
    this.lit = cell;
    if (cell < 0) { this.path.removeAttribute("d"); return; }
    Object.assign(this.svg.style, { left: 0, top: 0, width: this.gd.offsetWidth + "px", height: this.gd.offsetHeight + "px" });
    this.path.setAttribute("d", outline(this.gd, faces, triangle));
  }

  // A sentence on the picture, and the button that mends what it says.
  remark(remark, mend) {
    if (!remark) this.shut = false;
    this.said.hidden = !remark || this.shut;
    if (!remark || this.said.dataset.text === remark.join()) return;
    this.said.dataset.text = remark.join();
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: remark[1], onclick: mend });
    const close = Object.assign(document.createElement("button"), { type: "button", textContent: "×", onclick: () => { this.shut = this.said.hidden = true; } });
    close.setAttribute("aria-label", spoken("Close"));
    this.said.replaceChildren(remark[0], ...(mend ? [button] : []), close);
    this.place();
  }

  moveTip(px, py) {
    const width = this.gd.offsetWidth;
    const left = px + 18 + this.tip.offsetWidth > width ? px - 14 - this.tip.offsetWidth : px + 16;
    this.tip.style.transform = `translate(${Math.max(0, left)}px, ${Math.max(0, py - 34)}px)`;
  }

  remove() { cancelAnimationFrame(this.frame ?? 0); this.sheet.remove(); this.svg.remove(); this.tip.remove(); this.grip.remove(); this.said.remove(); }
}
