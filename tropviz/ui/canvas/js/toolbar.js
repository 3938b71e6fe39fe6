// Quiet buttons under the picture, the same on every canvas.
import { html, image } from "./download.js";
import { copyTo } from "./link.js";
import { box } from "./outbox.js";
import { resetView, zoom } from "./view.js";

export class Toolbar {
  constructor(gd, S) {
    this.bar = Object.assign(document.createElement("div"), { className: "tv-bar" });
    const button = (label, title, run) => {
      const b = Object.assign(document.createElement("button"), { type: "button", textContent: label, title });
      b.setAttribute("aria-label", title);
      b.onclick = async () => {
        b.disabled = true;
        try { await run(); } catch (problem) { this.say("That did not work: " + (problem instanceof Error ? problem.message : problem)); } finally { b.disabled = false; }
      };
      this.bar.append(b);
    };
    button("+", "Zoom in", () => zoom(gd, 0.8));
    button("−", "Zoom out", () => zoom(gd, 1.25));
    for (const [label, camera] of Object.entries(S.meta.cameras ?? {}))
      button(label, `View: ${label.toLowerCase()}`, () => window.Plotly.relayout(gd, { "scene.camera": structuredClone(camera) }));
    button("Reset view", "Reset view", () => resetView(gd, S.home));
    this.bar.append(Object.assign(document.createElement("span"), { className: "tv-gap" }));
    this.status = this.bar.appendChild(document.createElement("output"));
    if (S.meta.link) {
      const copy = Object.assign(document.createElement("button"), { type: "button", textContent: "Copy link" });
      copy.onclick = () => copyTo(copy, box.address(), "Copy link");
      this.bar.append(copy);
    }
    const name = () => S.meta.name || "tropviz";
    button("PNG", "Save the picture as PNG", () => image(gd, "png", name()));
    button("SVG", "Save the picture as SVG", () => image(gd, "svg", name()));
    button("HTML", "Save as HTML: one web page that works offline", () => html(gd, S, name(), S.meta.alt));
    gd.parentElement.append(this.bar);
  }

  say(text) { this.status.textContent = text; }
  remove() { this.bar.remove(); }
}
