// A camera for frames: each may show another square of the plane. Plotly needs 100 ms and more to move its axes, this a
// few: the axes get their new range (so that pointer, handle and hover go on meaning data), and the ground under the
// traces, one vector image a scale, is placed by hand. The figure Python sends next has a range and a ground of its own.
const NS = "http://www.w3.org/2000/svg";

export class Camera {
  constructor(gd) {
    this.gd = gd;
    this.own = [];
  }

  // half: half the side of the square around the origin; sheets: { source, half }, from the narrowest to the widest
  show(half, sheets) {
    const layer = this.gd.querySelector(".imagelayer"), full = this.gd._fullLayout;
    if (!layer || !full?.xaxis?.setScale) return;
    for (const axis of [full.xaxis, full.yaxis]) {
      axis.range = [-half, half];
      this.gd.layout[axis._name].range = [-half, half];
      axis.setScale();
    }
    if (this.sheets !== sheets || this.group?.parentNode !== layer.parentNode) this.lay(layer, sheets);
    layer.style.display = "none";
    const { xaxis: x, yaxis: y } = full, shown = sheets.findIndex((sheet) => sheet.half >= half);
    sheets.forEach((sheet, i) => {
      const image = this.own[i], size = (sheet.half / half) * x._length;
      image.style.display = i === shown ? "" : "none";
      const place = { x: x._offset + x._length / 2 - size / 2, y: y._offset + y._length / 2 - size / 2, width: size, height: size };
      if (i === shown) for (const [name, value] of Object.entries(place)) image.setAttribute(name, value.toFixed(2));
    });
  }

  // beside Plotly's own images, which it keeps account of
  lay(layer, sheets) {
    this.group?.remove();
    this.group = document.createElementNS(NS, "g");
    layer.after(this.group);
    const clip = layer.querySelector("image")?.getAttribute("clip-path");
    this.sheets = sheets;
    this.own = sheets.map((sheet) => {
      const image = document.createElementNS(NS, "image");
      image.setAttribute("preserveAspectRatio", "none");
      image.setAttribute("href", sheet.source);
      if (clip) image.setAttribute("clip-path", clip);
      this.group?.append(image);
      return image;
    });
  }

  clear() {
    this.group?.remove();
    this.group = this.sheets = null;
    this.own = [];
    const layer = this.gd.querySelector(".imagelayer");
    if (layer) layer.style.display = "";
  }
}
