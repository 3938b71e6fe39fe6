// A lasting node around Plotly.react: the node, its camera and its zoom survive every change of the figure.
import { announce } from "./announce.js";
import { turn } from "./appear.js";
import { takeFrames, Player } from "./frames.js";
import { paint } from "./faces.js";
import { Overlay } from "./overlay.js";
import { keep } from "./link.js";
import { box } from "./outbox.js";
import { unpack } from "./payload.js";
import { loadPlotly } from "./plotly.js";
import { wirePointer } from "./pointer.js";
import { scaled } from "./scaled.js";
import { fill } from "./slots.js";
import { CanvasState } from "./state.js";
import { shower } from "./range.js";
import { themed } from "./theme.js";
import { Toolbar } from "./toolbar.js";
import { wireTouch } from "./touch.js";
import { copyView, is3d, keepView, sceneNames } from "./view.js";
import { startView, withView } from "./viewpoint.js";
import { wireWheel } from "./wheel.js";
import { inSpace, veil, webgl } from "./webgl.js";

// Views of canvases that were taken away (another page), by key; a person who comes back finds the same view.
const views = (window.__tvViews ??= new Map());
const touch = () => window.matchMedia("(pointer: coarse)").matches;
const SEEN_MS = 250, SAME = 2e-3;
const BOTTOM_PX = 96, LEAST_PX = 280, TOP_PX = 64, TOOLS_PX = 36;

// The strip of controls that lies over the window's end while a scene is presented, or on a slide.
const strip = () => (document.documentElement.matches(".tv-present, .tv-slide") ? /** @type {HTMLElement | null} */ (document.querySelector('[data-testid="stSidebar"]'))?.offsetHeight ?? 0 : 0);

// "square": as large as the window allows; "fill": full width, down to the window's edge; a number: pixels.
function size(gd, meta) {
  const box = gd.parentElement, width = box.parentElement.clientWidth || box.clientWidth;
  const top = box.getBoundingClientRect().top + (document.querySelector('[data-testid="stMain"]')?.scrollTop ?? 0);
  const by = window.__tvScale ?? 1, tools = document.documentElement.matches(".tv-present") ? TOOLS_PX : 0;   // are hidden then
  const free = Math.max(LEAST_PX, window.innerHeight - top - by * ((meta.below ?? BOTTOM_PX) - tools) - strip());
  if (meta.height === "square") { const side = Math.floor(Math.min(width, Math.max(free, Math.min(width, 420, Math.max(LEAST_PX, window.innerHeight - TOP_PX))))); box.style.width = side + "px"; return side; }
  box.style.width = "100%";
  return meta.height === "fill" ? free : Math.round(by * meta.height);
}

export default function ({ data, parentElement }, bundle, page) {
  const gd = parentElement.querySelector(".tv-gd"), S = (gd.__tv ??= new CanvasState(bundle, page));
  const fig = unpack(data);
  box.hear(fig.meta);
  const handle = S.held ? S.meta.handle : fig.meta.handle;   // a held handle stays under the hand
  S.meta = { ...fig.meta, handle };
  const mine = S.meta;
  /** @type {Promise<unknown> | null} */
  let later = null;
  if (!S.count && fig.data) {                            // its place, before there is anything to draw with
    gd.style.height = size(gd, S.meta) + "px";
    gd.toggleAttribute("data-bar", fig.meta.toolbar);
    later = turn(gd);
    if (later) fill(fig.beside);                         // nothing of another scene is there yet
  }
  S.queue = (S.queue ?? loadPlotly(bundle).then(() => later))
    .then(() => draw(gd, S, fig, mine, parentElement))
    .catch((problem) => { if (gd.isConnected) { gd.dataset.error = problem.message; gd.setAttribute("aria-label", problem.message); console.warn(problem); } S.queue = undefined; });
  return () => {
    if (S.count) views.set(S.meta.key, { viewpoint: S.meta.viewpoint, kept: copyView(gd) });
    if (box.held === S.meta.key) box.held = "";
    if (box.viewed === S.viewed) box.viewed = null;
    S.observer?.disconnect();
    S.unwire();
    clearTimeout(S.looking);
    window.removeEventListener("resize", S.refit);
    window.removeEventListener("tv-scale", S.rescale);
    window.removeEventListener("tv-heard", S.acked);
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

async function draw(gd, S, fig, mine, host) {
  if (S.meta !== mine && S.count) return;                // latest wins
  if (!gd.isConnected) return;
  if (!gd.__tv && !S.count) gd.__tv = S;                 // an overtaken run was taken down after this one had begun
  if (gd.__tv !== S) return;                             // taken down meanwhile; a later mount draws for itself
  if (!fig.data) { follow(gd, S, fig); return; }
  const P = window.Plotly;
  gd.style.height = size(gd, S.meta) + "px";
  const layout = themed({ ...fig.layout, autosize: true }, host);
  S.last = [fig, mine, host];
  if (inSpace(layout) && (!S.count || S.blank) && !webgl()) { blank(gd, S, fig); return; }
  if (S.blank && S.count) S.kept ??= copyView(gd);
  S.home = homeOf(layout);
  S.zooms = layout.dragmode === "pan" || sceneNames(layout).length > 0;
  if (touch() && layout.dragmode === "pan") layout.dragmode = false;   // fingers: touch.js
  for (const name of sceneNames(layout)) layout[name] = { ...layout[name], dragmode: false };   // turn.js
  if (S.count ? S.viewpoint === S.meta.viewpoint : views.get(S.meta.key)?.viewpoint === S.meta.viewpoint) keepView(gd, layout, S.kept ?? (S.count ? null : views.get(S.meta.key)?.kept));
  if (!S.count && !views.has(S.meta.key)) startView(layout, S.meta.start);
  S.viewpoint = S.meta.viewpoint;
  paint(fig);
  if (S.blank && S.count) await P.react(gd, [], {});     // the next scene has a context of its own
  const [traces, shown] = scaled(fig.data, layout);
  await P.react(gd, traces, shown, { displaylogo: false, displayModeBar: false, scrollZoom: false, responsive: false, doubleClick: false, ...fig.config });
  if (gd.__tv !== S) return;
  if (!S.count++) wire(gd, S, P);
  S.kept = null;
  if (S.blank) sighted(gd, S, false);
  S.home = { ...copyView(gd), ...S.home };
  S.faces = fig.faces;
  S.of = mine.of;
  gd.parentElement.dataset.key = mine.key;
  S.over.set(fig.regions, S.meta.handle, cloudOf(fig), fig.meta.handle);
  if (S.held) S.over.carry(S.meta.handle);
  fill(fig.beside);
  S.over.remark(S.meta.remark, S.hears("remark") ? () => S.say("remark") : null);
  S.bar.bar.hidden = !S.meta.toolbar;
  const frames = takeFrames(fig.frames);
  if (frames === "missing") S.say("need", {}, true);
  else await S.player.set(frames);
  delete gd.dataset.error;
  if (S.meta.link) box.viewed = S.viewed = (link) => withView(link, gd, S.home);
  seen(gd, S);
  drawn(gd, S);
}

// Whether the plane is seen as it was drawn; Python, which draws what is seen, is told when the hand rests.
function seen(gd, S) {
  const ranges = is3d(gd) ? [] : ["xaxis", "yaxis"].map((name) => [gd._fullLayout[name]?.range, S.home?.[name]]);
  S.zoomed = S.zooms && ranges.some(([now, own]) => now && own && now.some((v, i) => Math.abs(v - own[i]) > SAME * Math.abs(own[1] - own[0])));
  gd.classList.toggle("tv-zoomed", S.zoomed);
  clearTimeout(S.looking);
  if (!S.hears("range") || is3d(gd)) return;
  S.looking = setTimeout(() => {
    if (!gd.isConnected || gd.__tv !== S || S.dragging) return;
    const range = S.zoomed ? ["xaxis", "yaxis"].flatMap((name) => gd._fullLayout[name].range.map(Number)) : [];
    const text = String(range);
    if (text === String(S.meta.seen) || text === S.saw) return;
    S.saw = text;
    S.say("range", { range, viewpoint: S.viewpoint }, true);
  }, SEEN_MS);
}

// A picture in space that this browser cannot draw: said in words, its numbers are shown all the same.
function blank(gd, S, fig) {
  S.of = S.meta.of;
  fill(fig.beside);
  sighted(gd, S, true);
  drawn(gd, S);
}

function sighted(gd, S, gone) {
  if (gone !== S.blank && S.meta.hears.includes("blank")) S.say("blank", { gone }, true);
  S.blank = gone;
  veil(gd, S.meta.alt, gone ? () => redraw(gd, S) : null);
}

// Anew on a context of its own, seen as it was seen before.
function redraw(gd, S) {
  S.queue = (S.queue ?? Promise.resolve()).then(async () => {
    if (!gd.isConnected || gd.__tv !== S) return;
    const [fig, , host] = S.last;
    await draw(gd, S, fig, S.meta, host);
  }).catch((problem) => console.warn(problem));
}

// The marker that tests wait for: how many pictures and answers this page has seen.
let drawings = 0;
function drawn(gd, S) {
  gd.setAttribute("aria-label", `${S.meta.alt} ${S.meta.hands}`.trim());
  if (gd === document.querySelector(".tv-gd") && !box.held) announce(S.meta.alt);
  gd.dataset.drawn = ++drawings;
  tell(S);
  S.acked?.();
}

// The data of a figure that may be dragged: a trace, with the colour its points take in every region.
function cloudOf({ cloud, data }) {
  if (!cloud) return null;
  const { x, y, marker } = data[cloud.trace];
  return { x, y, size: marker.size, opacity: marker.opacity, fills: cloud.fills, other: cloud.other, router: cloud.router };
}

// A step of a drag: the figure stands, the points follow the hand by themselves, and so do the counts where the browser
// makes them. Without a figure yet, ask for it.
function follow(gd, S, fig) {
  if (!S.count) { S.say("need", {}, true); return; }
  if (!S.over.routing) fill(fig.beside);
  drawn(gd, S);
}

// Keep the browser's address at this scene, seen as it is seen now.
function tell(S) {
  if (S.meta.link && !box.held && S.meta.page === box.data.page) keep(box.address());
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
  gd.setAttribute("role", S.interactive ? "application" : "img");
  S.over = new Overlay(gd);
  S.player = new Player(gd, S);
  S.bar = new Toolbar(gd, S);
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
  window.addEventListener("tv-scale", S.rescale);
  for (const event of ["plotly_relayout", "plotly_relayouting", "plotly_afterplot"]) gd.on(event, () => S.over.place());
  gd.on("plotly_relayout", () => { seen(gd, S); tell(S); });
  const plane = shower(gd);
  S.unwire = wireWheel(gd, S, plane);
  wireTouch(gd, S, plane);
  wirePointer(gd, S);
  // taken away: asked back, and drawn again when it comes; both events do not bubble
  gd.addEventListener("webglcontextlost", (event) => {
    if (gd.__tv !== S) return;
    event.preventDefault();
    S.kept ??= copyView(gd);
    sighted(gd, S, true);
  }, true);
  gd.addEventListener("webglcontextrestored", () => { if (gd.__tv === S) redraw(gd, S); }, true);
}
