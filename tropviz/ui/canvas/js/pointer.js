// Clicks, drags and keys. Python gets coordinates and decides what they mean.
import { box } from "./outbox.js";
import { pick } from "./faces.js";
import { looked } from "./keys.js";
import { place, settle, turned } from "./turn.js";
import { is3d } from "./view.js";

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1], Enter: [0, 0] };
const CLICK_PX = 4, CLICK_MS = 600, TAP_MS = 1500, GRIP_PX = 18, GAP_MS = 100, ANSWER_MS = 2500;

// A tap beside the open drawer of a narrow window shuts it, and does nothing more.
const drawer = () => window.matchMedia("(max-width: 768px)").matches && !document.documentElement.matches(".tv-present, .tv-slide")
  && Boolean(document.querySelector('[data-testid="stSidebar"]:not([data-collapsed="true"])'));

export function wirePointer(gd, S) {
  const local = (e) => { const r = gd.getBoundingClientRect(); return [e.clientX - r.left, e.clientY - r.top]; };
  const at = (e) => {
    const [px, py] = local(e), { xaxis: x, yaxis: y } = gd._fullLayout;
    const ax = px - x._offset, ay = py - y._offset;
    return { x: x.p2d(ax), y: y.p2d(ay), inside: ax >= 0 && ay >= 0 && ax <= x._length && ay <= y._length };
  };
  const flat = () => gd._fullLayout?.xaxis?.p2d && !is3d(gd);
  const onGrip = (e) => {
    const h = S.meta.handle;
    if (!h || !flat()) return false;
    const [px, py] = local(e), { xaxis: x, yaxis: y } = gd._fullLayout;
    return Math.hypot(px - x._offset - x.d2p(h[0]), py - y._offset - y.d2p(h[1])) < GRIP_PX;
  };
  /** @type {any} what Plotly says is under the mouse */
  let hover = null;
  /** @type {{x: number, y: number, t: number, hover: any, beside: boolean} | null} where the pointer went down */
  let down = null;
  /** @type {{x: number, y: number} | null} where the hand that turns a body was last */
  let turning = null;
  /** @type {{t: number, of: string} | null} a tap that waits for Plotly to say what is under it */
  let tap = null;
  let finger = false, dragging = false, inflight = 0, timer = 0, sent = 0, due = 0;
  /** @type {any} the next place of the handle, while one is on its way */
  let next = null;

  // Of a drag one message is in flight; of those that wait, the latest. Between two, the page has as long for the hand as
  // the last one took.
  const push = (value) => {
    next = value;
    if (!inflight) { inflight = Infinity; timer = setTimeout(sendNext, Math.max(0, due - performance.now())); }
  };
  const sendNext = () => {
    sent = performance.now();
    inflight = S.dragged = S.say("drag", next, true);
    next = null;
    timer = setTimeout(free, ANSWER_MS);
  };
  const free = () => {
    clearTimeout(timer);
    due = performance.now() + Math.max(GAP_MS, performance.now() - sent);
    inflight = 0;
    if (next) push(next);
  };
  S.acked = () => { if (inflight && !box.waits(inflight)) free(); };
  window.addEventListener("tv-heard", S.acked);
  const finish = (value) => {
    clearTimeout(timer);
    [inflight, next] = [0, null];
    S.dragged = S.say("drag", value, true);
  };
  gd.on("plotly_hover", (e) => { hover = e.points?.[0] ?? null; if (hover) Object.assign(hover, { of: S.of, label: labelOf(S, hover) }); if (turning) return; if (tap && hover && performance.now() - tap.t < TAP_MS) touched(hover); tap = null; if (S.faces && !finger) S.over.name(S.faces, hover); });
  gd.on("plotly_unhover", () => { hover = null; if (S.faces && !finger) S.over.name(S.faces, null); });

  for (const kind of ["mousedown", "touchstart"])
    gd.addEventListener(kind, (e) => { if (dragging) { e.stopImmediatePropagation(); e.preventDefault(); } }, { capture: true, passive: false });
  gd.addEventListener("pointerdown", (e) => {
    if (e.button || e.target.closest?.(".modebar, .updatemenu-container, .slider-container, .legend")) return;
    down = { x: e.clientX, y: e.clientY, t: e.timeStamp, hover, beside: drawer() };
    dragging = onGrip(e);
    turning = null;
    tap = null;
    finger = e.pointerType === "touch";
    if (dragging) { S.over.quiet(); S.over.grip.classList.add("tv-held"); S.dragging = true; box.held = S.meta.key; }
    window.addEventListener("pointermove", move, true);
    window.addEventListener("pointerup", up, true);
    window.addEventListener("pointercancel", up, true);
  }, true);
  // In space what was touched is named by its face; where a picture has no cells, by the trace Plotly found.
  const touched = (h) => S.say("click", { trace: h.curveNumber, index: h.pointNumber, custom: plain(h), label: h.label, of: h.of });
  const turn = (e) => {
    if (!down || S.pinched) return;
    if (!turning) {
      const dx = Math.abs(e.clientX - down.x), dy = Math.abs(e.clientY - down.y);
      if (Math.hypot(dx, dy) < CLICK_PX) return;
      if (finger && dy > dx) { down = null; S.over.quiet(); return; }   // the page's: it scrolls
      turning = { x: down.x, y: down.y };
      box.held = S.meta.key;
      S.over.quiet();
    }
    e.preventDefault();
    const { x, y } = turning;
    place(gd, (camera) => turned(camera, (e.clientX - x) / gd.offsetWidth, (e.clientY - y) / gd.offsetHeight));
    turning = { x: e.clientX, y: e.clientY };
  };
  const move = (e) => {
    if (gd._fullLayout && is3d(gd)) return turn(e);
    if (!dragging || !flat()) return;                   // the node may have been taken away under the hand
    e.preventDefault();
    const p = at(e);
    S.meta.handle = [p.x, p.y];
    S.over.carry(S.meta.handle);
    push({ x: p.x, y: p.y, end: false });
  };
  const up = (e) => {                                   // on window: Plotly puts a drag cover over the page
    window.removeEventListener("pointermove", move, true);
    window.removeEventListener("pointerup", up, true);
    window.removeEventListener("pointercancel", up, true);
    const start = down;
    down = null;
    if (dragging) {
      dragging = S.dragging = false;
      box.held = "";
      S.over.grip.classList.remove("tv-held");
      const [x, y] = S.meta.handle;
      finish({ x, y, end: true });
      return;
    }
    if (turning) {
      turning = null;
      box.held = "";
      settle(gd);
      return;
    }
    if (!start || start.beside || S.pinched || e.type !== "pointerup" || Math.hypot(e.clientX - start.x, e.clientY - start.y) >= CLICK_PX || e.timeStamp - start.t > CLICK_MS) return;
    if (S.interactive) gd.focus({ preventScroll: true });   // Plotly keeps the browser from doing it; arrow keys follow
    if (flat()) {
      const p = at(e);
      if (finger) S.over.touch(p.inside ? [p.x, p.y] : null);
      if (p.inside && S.hears("click")) S.say("click", { x: p.x, y: p.y });
    }
    else if (S.hears("click")) {                        // plotly_click is unreliable in gl3d
      const h = finger ? null : hover ?? start.hover;
      if (h) touched(h);
      else if (S.faces) {
        const index = pick(gd, ...local(e));
        if (finger) { S.over.name(S.faces, index < 0 ? null : { curveNumber: 0, pointNumber: index }); S.over.moveTip(...local(e)); }
        if (index >= 0) touched({ curveNumber: 0, pointNumber: index, label: S.faces.labels[S.faces.cell[index]], of: S.of });
      } else tap = { t: performance.now(), of: S.of };
    }
  };
  gd.addEventListener("pointermove", (e) => {
    if (S.faces && e.pointerType !== "touch") S.over.moveTip(...local(e));
    if (down || !flat() || e.pointerType === "touch") return;
    const p = at(e), grip = onGrip(e);
    gd.classList.toggle("tv-ongrip", Boolean(grip));
    S.over.show(p.inside && !grip ? S.over.find(p.x, p.y) : -1);
    S.over.moveTip(...local(e));
  });
  gd.addEventListener("pointerleave", (e) => { if (e.pointerType !== "touch") S.over.show(-1); });   // a finger's word stays
  gd.addEventListener("keydown", (e) => {
    const step = STEPS[e.key];
    if (e.target !== gd || e.altKey || e.ctrlKey || e.metaKey) return;   // the browser's own
    if (looked(gd, S, e)) { e.preventDefault(); return; }
    if (e.key === "Escape" && S.hears("leave")) S.say("leave", {});
    if (!step || !S.hears("step")) return;
    e.preventDefault();
    S.say("step", { dx: step[0], dy: step[1], ...axesOfView(gd) });
  });
}

// In space: what is right and what is up on the screen, as directions of the data.
function axesOfView(gd) {
  const camera = is3d(gd) && gd._fullLayout.scene?._scene?.getCamera();
  if (!camera) return {};
  const { eye: e, center: c, up: u } = camera;
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const unit = (a) => a.map((v) => v / (Math.hypot(...a) || 1));
  const ahead = unit([c.x - e.x, c.y - e.y, c.z - e.z]), right = unit(cross(ahead, [u.x, u.y, u.z]));
  return { right, up: cross(right, ahead) };
}

// The label of the cell a triangle of the mesh belongs to.
const labelOf = ({ faces }, h) => (faces && h.curveNumber === 0 ? faces.labels[faces.cell[h.pointNumber]] : null);
const plain = (h) => (typeof h.customdata === "number" || typeof h.customdata === "string" ? h.customdata : null);
