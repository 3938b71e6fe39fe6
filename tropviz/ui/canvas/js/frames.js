import { Camera } from "./camera.js";
import { spoken } from "./language.js";
import { Sprites } from "./sprites.js";

// A sweep that plays in the browser: frames come once, under a token, and stay in the window across pages.
const stores = (window.__tvFrames ??= new Map());
const KEEP = 8;

export function takeFrames(frames) {
  if (!frames) return null;
  if (frames.items) {
    stores.delete(frames.token);
    stores.set(frames.token, frames);
    while (stores.size > KEEP) stores.delete(stores.keys().next().value);
  }
  const stored = stores.get(frames.token);
  return stored ? { ...stored, start: frames.start ?? stored.start, now: frames.now } : "missing";
}

// frames: { token, items, label, start, interval }, and optionally
//   group  canvases of one group show the same frame number: one has the bar, the others follow (bar: false)
//   still  the figure itself shows frame `start`: nothing is restyled until a person plays or slides; `now`, its own
//          { name, note }, is shown in place of that frame's
//   fast   frames are drawn on a plain canvas over the plot (sprites.js); `over`: traces that stay on top of them
//   sheets the ground at several scales, for frames that name their own half window, `half` (camera.js)
//   beside selector of what tells of the scene's own offset: dimmed while another frame is in view
// Python is told the frame a person stopped at, if it hears "seek"; nothing is sent while it plays.
export class Player {
  constructor(gd, S) {
    this.gd = gd;
    this.S = S;
    this.bar = Object.assign(document.createElement("div"), { className: "tv-play", hidden: true });
    this.button = Object.assign(document.createElement("button"), { type: "button", textContent: "▶", title: spoken("Play") });
    this.button.setAttribute("aria-label", spoken("Play"));
    this.range = Object.assign(document.createElement("input"), { type: "range", min: 0, step: 1 });
    this.note = document.createElement("output");
    this.bar.append(this.button, this.range, this.note);
    gd.parentElement.append(this.bar);
    this.sprites = new Sprites(gd);
    this.camera = new Camera(gd);
    gd.on("plotly_afterplot", () => this.sprites.place());
    gd.on("plotly_relayouting", () => this.sprites.place());
    this.button.onclick = () => (this.timer ? this.stop(true) : this.play());
    this.range.oninput = () => { this.stop(); this.go(+this.range.value); };
    this.range.onchange = () => this.told();
    this.follow = (e) => {
      const { from, group, index, waits } = e.detail;
      if (from !== this && group && group === this.frames?.group && index < this.frames.items.length) waits.push(this.draw(index));
    };
    window.addEventListener("tv-frame", this.follow);
  }

  async set(frames) {
    this.bar.hidden = !frames || frames.bar === false;
    if (!frames) { this.stop(); this.sprites.clear(); this.camera.clear(); this.token = this.frames = null; return; }
    const fresh = frames.token !== this.token, moved = frames.start !== this.frames?.start;
    this.frames = frames;
    if (fresh) this.stop();
    if (fresh || moved) this.at = Math.min(frames.start ?? 0, frames.items.length - 1);
    this.token = frames.token;
    this.range.max = String(frames.items.length - 1);
    this.range.setAttribute("aria-label", frames.label || spoken("Frame"));
    // A figure redrawn by Python is brought back to the frame in view, unless it is that frame.
    if (frames.still && !this.timer && this.at === frames.start) {
      this.sprites.clear();
      this.camera.clear();
      this.dim(false);
      this.show(this.at, frames.now);
      if (moved && !fresh && frames.bar !== false) this.tell(this.at);   // Python need not redraw those that follow
    } else await this.go(this.at);
  }

  show(index, now) {
    const item = { ...this.frames.items[index], ...now };
    this.at = index;
    this.range.value = index;
    this.note.textContent = `${this.frames.label ? this.frames.label + " " : ""}${item.name ?? index}${item.note ? " · " + item.note : ""}`;
    this.range.setAttribute("aria-valuetext", this.note.textContent);
    this.bar.dataset.frame = this.gd.dataset.frame = index;
    return item;
  }

  // Frames restyle the traces they name. Of frames that arrive faster than they can be drawn, the latest is drawn.
  draw(index) {
    this.wanted = index;
    return (this.drawing ??= this.drain().finally(() => { this.drawing = null; }));
  }

  async drain() {
    let shown = -1;
    while (this.frames && shown !== this.wanted) {
      shown = this.wanted;
      const item = this.show(shown);
      this.dim(true);
      if (item.handle) { this.S.meta.handle = this.S.over.handle = item.handle; }
      const traces = item.traces ?? item.data.map((_, i) => i);
      if (this.frames.fast) {
        if (item.half) this.camera.show(item.half, this.frames.sheets);
        this.sprites.show(item.data, traces, item.over ?? this.frames.over);
        await new Promise(requestAnimationFrame);
      } else await window.Plotly.animate(this.gd, { data: item.data, traces, layout: item.layout ?? {} },
        { mode: "immediate", transition: { duration: 0 }, frame: { duration: 0, redraw: true } });
      if (item.handle) this.S.over.place();
    }
  }

  dim(on) {
    if (!this.frames?.beside) return;
    for (const node of document.querySelectorAll(this.frames.beside)) {
      node.classList.toggle("tv-waiting", on);
      node.ariaBusy = on ? "true" : null;
    }
  }

  tell(index) {
    const waits = [];
    window.dispatchEvent(new CustomEvent("tv-frame", { detail: { from: this, group: this.frames.group, index, waits } }));
    return waits;
  }

  async go(index) { await Promise.all([this.draw(index), ...this.tell(index)]); }

  play() {
    const last = this.frames.items.length - 1;
    if (this.at >= last) this.at = -1;
    this.button.textContent = "❚❚";
    this.button.setAttribute("aria-label", spoken("Pause"));
    const step = async () => {
      if (!this.timer) return;
      if (!this.gd.isConnected || this.at >= last) return this.stop(true);
      const due = performance.now() + (this.frames.interval ?? 80);
      await this.go(this.at + 1);
      if (this.timer) this.timer = setTimeout(step, Math.max(0, due - performance.now()));
    };
    this.timer = setTimeout(step, 0);
  }

  stop(told = false) {
    clearTimeout(this.timer);
    this.timer = 0;
    this.button.textContent = "▶";
    this.button.setAttribute("aria-label", spoken("Play"));
    if (told) this.told();
  }

  told() {
    if (this.frames && this.S.hears("seek") && this.gd.isConnected) this.S.say("seek", { index: this.at, at: this.frames.items[this.at].at ?? null });
  }

  remove() {
    this.stop();
    window.removeEventListener("tv-frame", this.follow);
    this.sprites.remove();
    this.bar.remove();
  }
}
