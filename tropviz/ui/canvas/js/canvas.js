// A lasting node around Plotly.react: the node, its camera and its zoom survive every change of the figure.
import { takeFrames, Player } from "./frames.js";
import { paint } from "./faces.js";
import { Overlay } from "./overlay.js";
import { keep } from "./link.js";
import { Mailbox } from "./mailbox.js";
import { unpack } from "./payload.js";
import { loadPlotly } from "./plotly.js";
import { wirePointer } from "./pointer.js";
import { themed } from "./theme.js";
import { Toolbar } from "./toolbar.js";
import { setWaiting } from "./waiting.js";
import { copyView, keepView, sceneNames } from "./view.js";
import { startView, withView } from "./viewpoint.js";

// Views of canvases that were taken away (another page), by key; a person who comes back finds the same view.
const views = (window.__tvViews ??= new Map());
const touch = () => window.matchMedia("(pointer: coarse)").matches;
const SETTLE_MS = 250, AGAIN_MS = 2500;
const BOTTOM_PX = 96, LEAST_PX = 280;

// "square": as large as the window allows; "fill": full width, down to the window's edge; a number: pixels.
function size(gd, meta) {
  const box = gd.parentElement, width = box.parentElement.clientWidth || box.clientWidth;
  const top = box.getBoundingClientRect().top + (document.querySelector('[data-testid="stMain"]')?.scrollTop ?? 0);
  const free = Math.max(LEAST_PX, window.innerHeight - top - (meta.below ?? BOTTOM_PX));
  if (meta.height === "square") { const side = Math.floor(Math.min(width, Math.max(free, Math.min(width, 420)))); box.style.width = side + "px"; return side; }
  box.style.width = "100%";
  return meta.height === "fill" ? free : meta.height;
}

export default function ({ data, parentElement, setTriggerValue }, bundle) {
  const gd = parentElement.querySelector(".tv-gd"), S = (gd.__tv ??= { count: 0, bundle });
  // a new closure on every run; every event says which picture it is of, so that Python can drop those of an old one
  S.mail ??= new Mailbox(gd);
  S.mail.post = (name, event) => setTriggerValue(name, { of: S.of ?? S.meta.of, ...event });
  const fig = unpack(data);
  S.mail.hear(fig.meta.heard);
  const handle = held(S) ? S.meta.handle : fig.meta.handle;   // a held handle stays under the hand
  S.meta = { ...fig.meta, handle };
  const mine = S.meta;
  if (mine.link && !S.dragging) keep(S.count ? withView(mine.link, gd, S.home) : mine.link);
  S.queue = (S.queue ?? loadPlotly(bundle))
    .then(() => draw(gd, S, fig, mine, parentElement))
    .catch((problem) => { if (gd.isConnected) { gd.dataset.error = problem.message; gd.setAttribute("aria-label", problem.message); console.warn(problem); } S.queue = undefined; });
  return () => {
    if (S.count) views.set(S.meta.key, { view: S.meta.view, kept: copyView(gd) });
    clearTimeout(S.settling);
    S.observer?.disconnect();
    window.removeEventListener("resize", S.refit);
    for (const part of [S.over, S.player, S.bar]) part?.remove();
    const contexts = drawingContexts(gd);
    window.Plotly?.purge(gd);                            // without it WebGL contexts leak
    for (const gl of contexts) gl.getExtension("WEBGL_lose_context")?.loseContext();   // now, not when memory is next tidied
    delete gd.__tv;
  };
}

// The WebGL contexts of a picture; a browser allows sixteen in all.
const drawingContexts = (gd) =>
  sceneNames(gd._fullLayout).map((name) => gd._fullLayout[name]._scene?.glplot?.gl).filter(Boolean);

// A handle in somebody's hand, or let go at a place that Python has not heard of yet.
const held = (S) => S.dragging || S.mail.waits("drag");

async function draw(gd, S, fig, mine, host) {
  if (S.meta !== mine && S.count) return;                // latest wins
  if (!gd.isConnected) return;
  if (!gd.__tv && !S.count) gd.__tv = S;                 // an overtaken run was taken down after this one had begun
  if (gd.__tv !== S) return;                             // taken down meanwhile; a later mount draws for itself
  if (!fig.data) { follow(gd, S); return; }
  const P = window.Plotly;
  gd.style.height = size(gd, S.meta) + "px";
  const layout = themed({ ...fig.layout, autosize: true }, host);
  S.home = homeOf(layout);
  if (touch() && layout.dragmode === "pan") layout.dragmode = false;   // a finger scrolls the page; buttons zoom
  if (S.count ? S.view === S.meta.view : views.get(S.meta.key)?.view === S.meta.view) keepView(gd, layout, S.count ? null : views.get(S.meta.key)?.kept);
  if (!S.count && !views.has(S.meta.key)) startView(layout, S.meta.start);
  S.view = S.meta.view;
  paint(fig);
  await P.react(gd, fig.data, layout, { displaylogo: false, displayModeBar: false, scrollZoom: !touch(), responsive: false, doubleClick: false, ...fig.config });
  if (gd.__tv !== S) return;
  if (!S.count++) wire(gd, S, P);
  S.home = { ...copyView(gd), ...S.home };
  S.faces = fig.faces;
  S.of = mine.of;
  gd.parentElement.dataset.key = mine.key;
  S.over.set(fig.regions, S.meta.handle, cloudOf(fig), fig.meta.handle);
  if (held(S)) S.over.carry(S.meta.handle);
  S.bar.bar.hidden = !S.meta.toolbar;
  const frames = takeFrames(fig.frames);
  if (frames === "missing") S.mail.send("need", {});
  else await S.player.set(frames);
  gd.setAttribute("aria-label", S.meta.alt);
  gd.dataset.rev = S.meta.rev;
  gd.dataset.beside = S.meta.beside;
  settle(gd, S);
  delete gd.dataset.error;
  setWaiting([gd.closest(".tv-waiting")].filter(Boolean), false);   // another picture had dimmed it
  tell(gd, S);
  S.acked?.();
}

// Tell Python when the picture stands still, so that the rest of the page can follow; again until the page has: the word
// is lost when the run it starts is overtaken by another.
function settle(gd, S) {
  clearTimeout(S.settling);
  if (S.meta.stale) setWaiting([...document.querySelectorAll(S.meta.stale)].filter((node) => beside(node) < S.meta.rev), true);
  if (!S.meta.settle) return;
  const ask = (wait) => {
    if (!gd.isConnected || held(S) || followed(S.meta.key) >= S.meta.rev) return;
    S.mail.send("settle", {});
    S.settling = setTimeout(ask, wait, 2 * wait);
  };
  S.settling = setTimeout(ask, SETTLE_MS, AGAIN_MS);
}

// The picture that a part of the page, a text or another canvas, was drawn for; it may have come before this one was drawn.
const beside = (node) => Number(node.dataset.rev ?? node.querySelector("[data-beside]")?.dataset.beside ?? -1);

// The latest picture that all of the page has followed.
const followed = (key) => Number(document.querySelector(`.tv-followed[data-of="${key}"]`)?.dataset.rev ?? -1);

// The data of a figure that may be dragged: a trace, with the colour its points take in every region.
function cloudOf({ cloud, data }) {
  if (!cloud) return null;
  const { x, y, marker } = data[cloud.trace];
  return { x, y, size: marker.size, opacity: marker.opacity, fills: cloud.fills, other: cloud.other, router: cloud.router };
}

// A step of a drag: the figure stands, the points follow the hand by themselves. Without a figure yet, ask for it.
function follow(gd, S) {
  if (!S.count) { S.mail.send("need", {}); return; }
  gd.setAttribute("aria-label", S.meta.alt);
  gd.dataset.rev = S.meta.rev;
  settle(gd, S);
  S.acked?.();
}

// Keep the browser's address at this scene, seen as it is seen now.
function tell(gd, S) {
  if (S.meta.link && !S.dragging) keep(withView(S.meta.link, gd, S.home));
}

function homeOf(layout) {
  const home = {};
  for (const [name, value] of Object.entries(layout)) {
    if (/^[xy]axis\d*$/.test(name) && value?.range) home[name] = [...value.range];
    if (/^scene\d*$/.test(name) && value?.camera) home[name] = value.camera;
  }
  return home;
}

function wire(gd, S, P) {
  gd.tabIndex = 0;
  gd.setAttribute("role", S.meta.interactive ? "application" : "img");
  S.over = new Overlay(gd);
  S.player = new Player(gd, S);
  S.bar = new Toolbar(gd, S);
  if (touch()) gd.classList.add("tv-touch");
  let timer = 0;
  S.refit = () => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      if (!gd.isConnected || !gd.offsetWidth || S.dragging) return;
      const height = size(gd, S.meta) + "px";
      if (gd.style.height !== height || gd._fullLayout.width !== gd.offsetWidth) { gd.style.height = height; await P.Plots.resize(gd); S.over.place(); }
    }, 60);
  };
  S.observer = new ResizeObserver(S.refit);
  S.observer.observe(gd.parentElement.parentElement);
  window.addEventListener("resize", S.refit);
  for (const event of ["plotly_relayout", "plotly_relayouting", "plotly_afterplot"]) gd.on(event, () => S.over.place());
  gd.on("plotly_relayout", () => tell(gd, S));
  wirePointer(gd, S);
}
