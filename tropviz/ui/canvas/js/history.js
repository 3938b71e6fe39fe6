// The scenes one has been at, as entries of the browser's own history: Back, Undo and Ctrl+Z are one thing. The browser
// bounds it (some 50 entries). What changes in one burst, such as a slider's way, is one entry.
import { addressOf, at, placeOf } from "./link.js";
import { box } from "./outbox.js";
import { takenOver, wayTo } from "./streamlit.js";

const BURST_MS = 900;

class Trail {
  constructor() {
    this.at = window.history?.state?.tv?.at ?? 0;   // number of this entry
    this.top = this.at;              // the last one that can be gone forward to
    this.page = "";                  // that told last
    this.lost = false;               // there was a step in the history, and no page has told since that it is there
    this.changed = 0;                // when the scene changed last
    this.opened = false;             // the next change is the answer to what was opened
    this.wanted = null;              // { page, link } to open there, once that page is drawn
    this.others = takenOver();       // Streamlit's way of following the history, for its own entries
    window.addEventListener("popstate", (event) => this.went(event));
  }

  // The beacon has told the scene's link; the view of the picture is not part of it. A page that is on its way out, as
  // the address is another one's already, tells nothing; one that stays all the same was told of before the step in the
  // history, and Streamlit is led once more.
  told(page, link) {
    if (box.held || box.waits(box.opening)) return;
    if (!at(page)) {
      if (this.lost) this.lead();
      return;
    }
    const turned = page !== this.page, wanted = this.wanted;
    this.page = page;
    this.lost = false;
    this.wanted = wanted && (turned || wanted.page === page) ? null : wanted;
    if (wanted?.page === page && wanted.link !== link) {
      if (!window.history.state?.tv) this.note(page, link, ++this.at);
      this.ask(wanted.link);
      return;
    }
    const now = window.history.state?.tv, burst = Date.now() - this.changed < BURST_MS;
    if (!now) this.note(page, link, turned && this.started ? ++this.at : this.at);
    else if (now.link !== link || now.page !== page) {
      if (burst || this.opened) this.note(page, link, now.at);
      else this.push(page, link);
      this.changed = Date.now();
    }
    this.opened = false;
    this.started = true;
    this.say();
  }

  note(page, link, number) {
    this.at = number;
    this.top = Math.max(number, this.started ? this.top : number);
    window.history.replaceState({ ...window.history.state, tv: { at: number, page, link } }, "");
  }

  push(page, link) {
    this.top = ++this.at;
    window.history.pushState({ tv: { at: this.at, page, link } }, "", addressOf(link));
  }

  // Back or forward: within a page the scene is set, to another page Streamlit leads; so too while a page is on its way,
  // which has no beacon yet.
  went(event) {
    const now = event.state?.tv;
    if (now) {
      this.at = now.at;
      this.top = Math.max(this.top, now.at);
    }
    this.lost = true;
    if (now?.page === this.page && box.send) this.ask(now.link);
    else {
      this.wanted = now ?? null;
      this.others?.(event);
    }
    this.say();
  }

  lead() {
    this.lost = false;
    this.wanted ??= window.history.state?.tv ?? null;
    this.others?.();
  }

  ask(link) {
    this.opened = true;
    box.opening = box.say("", "open", { link }, true);
  }

  // Open a scene as something done: an entry of its own.
  open(page, link) {
    this.changed = 0;
    if (page === this.page) { box.say("", "open", { link }, true); return; }
    const there = placeOf(page), way = wayTo(there);
    this.wanted = { page, link };
    if (way) way.click();
    else window.location.assign(there.href + (link ? "?" + link : ""));
  }

  step(by) { if (by < 0 ? this.at > 0 : this.at < this.top) window.history.go(by); }
  say() { window.dispatchEvent(new Event("tv-trail")); }
}

export const trail = (window.__tvTrail ??= new Trail());
