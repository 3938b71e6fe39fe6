// Quiet buttons under the picture, the same on every canvas.
import { html, image } from "./download.js";
import { spoken } from "./language.js";
import { copyTo } from "./link.js";
import { box } from "./outbox.js";
import { resetView, zoomed } from "./view.js";

// The cameras of a picture in space: what stands on their buttons, and what that means.
const views = () => ({
  Iso: [spoken("Iso"), spoken("View: iso")],
  Front: [spoken("Front"), spoken("View: front")],
  Top: [spoken("Top"), spoken("View: top")],
});

export class Toolbar {
  constructor(gd, S) {
    this.bar = Object.assign(document.createElement("div"), { className: "tv-bar" });
    const button = (label, title, run) => {
      const b = Object.assign(document.createElement("button"), { type: "button", textContent: label, title });
      b.setAttribute("aria-label", title);
      b.onclick = async () => {
        b.disabled = true;
        try { await run(); } catch (problem) { this.say(spoken("That did not work: {why}", { why: problem instanceof Error ? problem.message : problem })); } finally { b.disabled = false; }
      };
      this.bar.append(b);
    };
    button("+", spoken("Zoom in"), () => zoomed(gd, 0.8, S.home));
    button("−", spoken("Zoom out"), () => zoomed(gd, 1.25, S.home));
    for (const [label, camera] of Object.entries(S.meta.cameras ?? {}))
      button(...(views()[label] ?? [label, label]), () => window.Plotly.relayout(gd, { "scene.camera": structuredClone(camera) }));
    button(spoken("Reset view"), spoken("Reset view"), () => resetView(gd, S.home));
    this.bar.append(Object.assign(document.createElement("span"), { className: "tv-gap" }));
    this.status = this.bar.appendChild(document.createElement("output"));
    if (S.meta.link) {
      const copy = Object.assign(document.createElement("button"), { type: "button", textContent: spoken("Copy link") });
      copy.onclick = () => copyTo(copy, box.address(), spoken("Copy link"));
      this.bar.append(copy);
    }
    const name = () => S.meta.name || "tropviz";
    button("PNG", spoken("Save the picture as PNG"), () => image(gd, "png", name(), S.meta.alt));
    button("SVG", spoken("Save the picture as SVG"), () => image(gd, "svg", name(), S.meta.alt));
    button("HTML", spoken("Save as HTML: one web page that works offline"), () => html(gd, S, name(), S.meta.alt));
    gd.parentElement.append(this.bar);
  }

  say(text) { this.status.textContent = text; }
  remove() { this.bar.remove(); }
}
