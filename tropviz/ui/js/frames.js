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
  return stores.get(frames.token) ?? "missing";
}

export class Player {
  constructor(gd) {
    this.gd = gd;
    this.bar = Object.assign(document.createElement("div"), { className: "tv-play", hidden: true });
    this.button = Object.assign(document.createElement("button"), { type: "button", textContent: "▶", title: "Play" });
    this.button.setAttribute("aria-label", "Play");
    this.range = Object.assign(document.createElement("input"), { type: "range", min: 0, step: 1 });
    this.note = document.createElement("output");
    this.bar.append(this.button, this.range, this.note);
    gd.parentElement.append(this.bar);
    this.button.onclick = () => (this.timer ? this.stop() : this.play());
    this.range.oninput = () => { this.stop(); this.go(+this.range.value); };
  }

  async set(frames) {
    this.bar.hidden = !frames;
    if (!frames) { this.stop(); this.token = null; return; }
    if (frames.token !== this.token) {
      this.stop();
      this.token = frames.token;
      this.frames = frames;
      this.range.max = frames.items.length - 1;
      this.range.setAttribute("aria-label", frames.label ?? "Frame");
      this.at = Math.min(frames.start ?? 0, frames.items.length - 1);
    }
    await this.go(this.at);
  }

  // Frames restyle the traces they name; a figure redrawn by Python is brought back to the frame in view.
  async go(index) {
    const item = this.frames.items[index];
    this.at = index;
    this.range.value = index;
    this.note.textContent = `${this.frames.label ? this.frames.label + " " : ""}${item.name ?? index}${item.note ? " · " + item.note : ""}`;
    this.bar.dataset.frame = index;
    const traces = item.traces ?? item.data.map((_, i) => i);
    await window.Plotly.animate(this.gd, { data: item.data, traces, layout: item.layout ?? {} },
      { mode: "immediate", transition: { duration: 0 }, frame: { duration: 0, redraw: true } });
  }

  play() {
    const last = this.frames.items.length - 1;
    if (this.at >= last) this.at = -1;
    this.button.textContent = "❚❚";
    this.button.setAttribute("aria-label", "Pause");
    const step = async () => {
      if (!this.timer) return;
      if (!this.gd.isConnected || this.at >= last) return this.stop();
      await this.go(this.at + 1);
      if (this.timer) this.timer = setTimeout(step, this.frames.interval ?? 80);
    };
    this.timer = setTimeout(step, 0);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.button.textContent = "▶";
    this.button.setAttribute("aria-label", "Play");
  }

  remove() { this.stop(); this.bar.remove(); }
}
