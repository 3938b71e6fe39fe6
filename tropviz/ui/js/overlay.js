// What lies over the picture and needs no redraw: the hovered region's outline, its label, and the drag handle.
import { is3d } from "./view.js";

const NS = "http://www.w3.org/2000/svg";

export class Overlay {
  constructor(gd) {
    this.gd = gd;
    this.svg = document.createElementNS(NS, "svg");
    this.svg.setAttribute("class", "tv-over");
    this.svg.setAttribute("aria-hidden", "true");
    this.cloud = this.svg.appendChild(document.createElementNS(NS, "g"));
    this.path = this.svg.appendChild(document.createElementNS(NS, "path"));
    this.path.setAttribute("class", "tv-hover");
    this.tip = Object.assign(document.createElement("div"), { className: "tv-tip", hidden: true });
    this.grip = Object.assign(document.createElement("div"), { className: "tv-grip", hidden: true });
    this.grip.append(Object.assign(document.createElement("span"), { textContent: "drag" }));
    gd.parentElement.append(this.svg, this.tip, this.grip);
    this.region = -1;
  }

  // regions: { starts (m+1), x, y, labels (m), ids (m) }: convex polygons in data coordinates
  set(regions, handle) {
    this.regions = regions;
    this.handle = handle;
    this.boxes = null;
    this.live(null);
    this.place();
  }

  // Data points that follow a drag: a few paths here instead of a redraw of the figure, whose own points hide meanwhile.
  // points: { x, y, index, palette, size, opacity }
  live(points) {
    this.points = points;
    this.gd.classList.toggle("tv-live", Boolean(points));
    this.cloud.replaceChildren();
    if (!points) return;
    this.groups = points.palette.map((colour) => {
      const path = document.createElementNS(NS, "path");
      Object.assign(path.style, { stroke: colour, strokeWidth: points.size, strokeLinecap: "round", opacity: points.opacity });
      this.cloud.append(path);
      return path;
    });
    this.stem = this.cloud.appendChild(document.createElementNS(NS, "path"));
    this.stem.setAttribute("class", "tv-stem");
  }

  placeLive([x, y]) {
    const { x: px, y: py, index } = this.points, parts = this.groups.map(() => []);
    for (let i = 0; i < px.length; i++) parts[index[i]].push("M" + x.d2p(px[i]).toFixed(1) + " " + y.d2p(py[i]).toFixed(1) + "h0");
    this.groups.forEach((path, g) => path.setAttribute("d", parts[g].join("")));
    if (this.handle) this.stem.setAttribute("d", `M${x.d2p(0)} ${y.d2p(0)}L${x.d2p(this.handle[0])} ${y.d2p(this.handle[1])}`);
  }

  axes() {
    const full = this.gd._fullLayout;
    return full?.xaxis?._offset === undefined || is3d(this.gd) ? null : [full.xaxis, full.yaxis];
  }

  // after every redraw, pan and zoom
  place() {
    const axes = this.axes();
    this.grip.hidden = !axes || !this.handle;
    if (!axes) return this.show(-1);
    const [x, y] = axes;
    Object.assign(this.svg.style, { left: x._offset + "px", top: y._offset + "px", width: x._length + "px", height: y._length + "px" });
    if (this.handle) {
      const px = x.d2p(this.handle[0]), py = y.d2p(this.handle[1]);
      this.grip.hidden = px < 0 || py < 0 || px > x._length || py > y._length;
      this.grip.style.transform = `translate(${x._offset + px}px, ${y._offset + py}px)`;
    }
    if (this.points) this.placeLive(axes);
    if (this.region >= 0) this.show(this.region, true);
  }

  find(dx, dy) {
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
    for (let i = 0; i < m; i++) {
      if (dx < this.boxes[4 * i] || dy < this.boxes[4 * i + 1] || dx > this.boxes[4 * i + 2] || dy > this.boxes[4 * i + 3]) continue;
      let inside = false;
      for (let j = starts[i], p = starts[i + 1] - 1; j < starts[i + 1]; p = j++)
        if (y[j] > dy !== y[p] > dy && dx < ((x[p] - x[j]) * (dy - y[j])) / (y[p] - y[j]) + x[j]) inside = !inside;
      if (inside) return i;
    }
    return -1;
  }

  show(i, force = false) {
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

  // In space: the label of the cell a triangle of the mesh belongs to.
  name(faces, point) {
    const text = faces && point?.curveNumber === 0 ? faces.labels[faces.cell[point.pointNumber]] : "";
    this.tip.textContent = text ?? "";
    this.tip.hidden = !text;
  }

  moveTip(px, py) {
    const width = this.gd.offsetWidth;
    const left = px + 18 + this.tip.offsetWidth > width ? px - 14 - this.tip.offsetWidth : px + 16;
    this.tip.style.transform = `translate(${Math.max(0, left)}px, ${Math.max(0, py - 34)}px)`;
  }

  remove() { this.svg.remove(); this.tip.remove(); this.grip.remove(); }
}
