// What is done on a page travels to Python as state, not as a trigger: with every run again until Python has said that it
// was heard. One box a page load; canvases speak through it, the beacon carries it.
const REST_MS = 250, AGAIN_MS = 3000;

class Outbox {
  constructor() {
    this.said = [];                  // what was not heard yet
    this.seq = 0;                    // number of the last thing said
    this.data = { session: "", heard: 0, run: 0, more: false, page: "", link: "", short: "" };   // what the beacon was told last
    this.send = null;                // the beacon's way to Python; none while a page is drawn
    this.held = "";                  // key of the canvas in somebody's hand
    this.viewed = null;              // link => link, with the view of the page's main picture
    this.opening = 0;                // number of the last scene that was opened from the history
    this.back = 0;                   // number of the word that gave a new session the scene seen here
    this.timer = 0;
    this.posting = false;
  }

  // Say something; several in one task leave as one message. `only`: it takes the place of an earlier one of its kind.
  say(canvas, name, event = {}, only = false) {
    const id = (this.seq = Math.max(this.seq + 1, this.data.heard + 1, Date.now()));
    if (only) this.said = this.said.filter((e) => e.canvas !== canvas || e.name !== name);
    this.said.push({ id, session: this.data.session, seen: this.data.run, canvas, name, ...event });
    this.post();
    return id;
  }

  post() {
    if (this.posting) return;
    this.posting = true;
    queueMicrotask(() => {
      this.posting = false;
      this.send?.("said", [...this.said]);
      this.wait();
    });
  }

  // A message from Python: from which session, and up to which number it has heard.
  hear({ session, heard }) {
    const before = this.data.session;
    const lost = before && before !== session;          // another server process, or away for too long
    const query = lost && this.data.link ? this.address() : "";
    if (lost) this.said = [];
    if (!before) for (const event of this.said) event.session = session;
    this.data.heard = before === session ? Math.max(this.data.heard, heard) : heard;
    this.data.session = session;
    this.said = this.said.filter((e) => e.id > heard);
    if (query) this.back = this.opening = this.say("", "open", { link: query, back: true });   // the new session knows nothing of it
    window.dispatchEvent(new Event("tv-heard"));
  }

  waits(id) { return id > this.data.heard; }

  // After a pause: what was not heard goes out again (the line was cut; numbers make that harmless), then what is behind
  // follows, unless a hand is on the picture.
  wait() {
    clearTimeout(this.timer);
    if (!this.send || (!this.said.length && !this.data.more)) return;
    const unheard = this.said.length > 0;
    this.timer = setTimeout(() => {
      if (unheard) this.post();
      else if (this.held) this.wait();
      else this.say("", "rest");
    }, unheard ? AGAIN_MS : REST_MS);
  }

  tell(data, send) {
    this.hear(data);
    // a scene that is on its way back to a new session stays in the address
    const { link, short } = this.waits(this.back) ? this.data : data;
    Object.assign(this.data, { run: data.run, more: data.more, page: data.page, link, short });
    this.send = send;
    if (this.said.length) this.post();   // said before there was a way
    else this.wait();
  }

  // The beacon was taken away: another page comes.
  leave() {
    clearTimeout(this.timer);
    this.send = null;
  }

  // The address of this page, with the view of its main picture.
  address() { return this.viewed ? this.viewed(this.data.link) : this.data.link; }
}

export const box = (window.__tvBox ??= new Outbox());
