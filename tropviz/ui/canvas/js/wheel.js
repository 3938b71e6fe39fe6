// The wheel scrolls the page; with Ctrl (or two fingers on a pad, which the browser reports so) it zooms, as on maps.
import { spoken } from "./language.js";
import { bounded, pulled } from "./range.js";
import { nearer, place, settle } from "./turn.js";
import { is3d } from "./view.js";

const HINT_MS = 1300, SETTLE_MS = 160, PER_PIXEL = 0.0022, MOST = 0.5;
const mac = /Mac|iPhone|iPad/.test(navigator.platform ?? "");

export function wireWheel(gd, S, plane) {
  const hint = Object.assign(document.createElement("div"), { className: "tv-wheel", hidden: true, textContent: spoken("{key} + wheel zooms", { key: mac ? "⌘" : "Ctrl" }) });
  hint.setAttribute("aria-hidden", "true");
  gd.parentElement.append(hint);
  let hinted = 0, settling = 0;
  gd.addEventListener("wheel", (e) => {
    e.stopPropagation();                                 // Plotly's own wheel keeps the page from scrolling, in space always
    if (!S.zooms) return;
    if (!e.ctrlKey && !e.metaKey) {
      hint.hidden = false;
      clearTimeout(hinted);
      hinted = setTimeout(() => { hint.hidden = true; }, HINT_MS);
      return;
    }
    e.preventDefault();
    hint.hidden = true;
    const pixels = e.deltaY * (e.deltaMode ? 24 : 1), factor = Math.exp(Math.max(-MOST, Math.min(MOST, PER_PIXEL * pixels)));
    if (is3d(gd)) {
      place(gd, (camera) => nearer(camera, factor));
      clearTimeout(settling);
      settling = setTimeout(() => gd.isConnected && settle(gd), SETTLE_MS);
      return;
    }
    const r = gd.getBoundingClientRect(), { xaxis, yaxis } = gd._fullLayout, now = plane.now();
    const at = [(e.clientX - r.left - xaxis._offset) / xaxis._length, 1 - (e.clientY - r.top - yaxis._offset) / yaxis._length];
    const own = S.home?.xaxis ?? now[0], k = bounded(factor, now[0][1] - now[0][0], own[1] - own[0]);
    plane.show(now.map((range, i) => pulled(range, k, at[i])));
    clearTimeout(settling);
    settling = setTimeout(plane.free, SETTLE_MS);
  }, { capture: true, passive: false });
  return () => { clearTimeout(hinted); clearTimeout(settling); hint.remove(); };
}
