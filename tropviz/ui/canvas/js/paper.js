// On paper a picture is as wide as the sheet. A browser that prints waits for nothing, so a drawing is scaled, not made
// again; and a picture in space, whose pixels are gone once they were shown, is drawn once more and kept.
import { placeOf, shortQuery } from "./link.js";
import { box } from "./outbox.js";
import { sceneNames } from "./view.js";

const pictures = () => /** @type {NodeListOf<any>} */ (document.querySelectorAll(".tv-gd[data-drawn]"));

export function laid() {
  for (const gd of pictures()) {
    const width = gd.offsetWidth, height = gd.offsetHeight;
    if (!width) continue;
    gd.style.setProperty("--tv-shape", `${width} / ${height}`);
    for (const drawing of gd.querySelectorAll(".main-svg")) drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    for (const name of sceneNames(gd._fullLayout)) keepSpace(gd._fullLayout[name]._scene?.glplot);
  }
  const address = Object.assign(document.createElement("p"), { className: "tv-paper tv-hint", textContent: `${placeOf(box.data.page).href}?${shortQuery()}` });
  document.querySelector('[data-testid="stMainBlockContainer"]')?.append(address);
}

// A copy of its pixels, in its place.
function keepSpace(plot) {
  const source = plot?.canvas;
  if (!source?.width || !source.height) return;
  plot.redraw();
  const copy = Object.assign(document.createElement("canvas"), { className: "tv-paper", width: source.width, height: source.height });
  copy.getContext("2d")?.drawImage(source, 0, 0);
  source.after(copy);
}

export function back() {
  for (const drawing of document.querySelectorAll(".tv-gd .main-svg[viewBox]")) drawing.removeAttribute("viewBox");
  for (const made of document.querySelectorAll(".tv-paper")) made.remove();
}

window.addEventListener("beforeprint", laid);
window.addEventListener("afterprint", back);
