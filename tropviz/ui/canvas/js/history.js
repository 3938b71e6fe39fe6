// The scenes one has been at, as entries of the browser's own history: Back, Undo and Ctrl+Z are one thing. The browser
// bounds it (some 50 entries). What changes in one burst, such as a slider's way, is one entry.
import { addressOf } from "./link.js";
import { box } from "./outbox.js";

const BURST_MS = 900;

class Trail {
  constructor() {
    this.at = window.history?.state?.tv?.at ?? 0;   // number of this entry
    this.top = this.at;              // the last one that can be gone forward to
    this.path = null;                // where the page that told last stands
    this.page = "";
    this.changed = 0;                // when the scene changed last
    this.opened = false;             // the next change is the answer to what was opened
    this.wanted = null;              // { page, link } to open there, once that page is drawn
    this.others = takenOver();       // Streamlit's way of following the history, for its own entries
    window.addEventListener("popstate", (event) => this.went(event));
  }

  // The beacon has told the scene's link; the view of the picture is not part of it.
  told(page, link) {
    const { pathname } = window.location;
    if (box.held || box.waits(box.opening) || (page === this.page && pathname !== this.path)) return;
    const turned = page !== this.page;
    [this.page, this.path] = [page, pathname];
    if (this.wanted && turned) {
      const { page: there, link: that } = this.wanted;
      this.wanted = null;
      if (there === page && that !== link) {
        if (!window.history.state?.tv) this.note(page, link, ++this.at);
        this.ask(that);
        return;
      }
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

  note(page, link, at) {
    this.at = at;
    this.top = Math.max(at, this.started ? this.top : at);
    window.history.replaceState({ ...window.history.state, tv: { at, page, link } }, "");
  }

  push(page, link) {
    this.top = ++this.at;
    window.history.pushState({ tv: { at: this.at, page, link } }, "", addressOf(link));
  }

  // Back or forward: within a page the scene is set, to another page Streamlit leads.
  went(event) {
    const now = event.state?.tv;
    if (now) {
      this.at = now.at;
      this.top = Math.max(this.top, now.at);
    }
    if (now?.page === this.page) this.ask(now.link);
    else {
      this.wanted = now ?? null;
      this.others?.(event);
    }
    this.say();
  }

  ask(link) {
    this.opened = true;
    box.opening = box.say("", "open", { link }, true);
  }

  // Open a scene as something done: an entry of its own.
  open(page, link) {
    this.changed = 0;
    if (page === this.page) { box.say("", "open", { link }, true); return; }
    const there = placeOf(page), ways = /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll('a[data-testid$="NavLink"]'));
    const way = [...ways].find((a) => new URL(a.href).pathname === there.pathname);
    this.wanted = { page, link };
    if (way) way.click();
    else window.location.assign(there.href + (link ? "?" + link : ""));
  }

  step(by) { if (by < 0 ? this.at > 0 : this.at < this.top) window.history.go(by); }
  say() { window.dispatchEvent(new Event("tv-trail")); }
}

// Streamlit (1.67) runs the whole page anew, with no widget's value, at every step in the history, and its listener is
// always before ours: it is found where React keeps its application, and taken off. Null if it is not found: then all
// works as before, with a run too many.
function takenOver() {
  const root = document.getElementById?.("root"), key = Object.keys(root ?? {}).find((name) => name.startsWith("__reactContainer$"));
  const todo = root && key ? [root[key]] : [];
  for (let looked = 0; todo.length && looked < 500; looked++) {
    const fiber = todo.pop(), listener = fiber.stateNode?.onHistoryChange;
    if (listener) {
      window.removeEventListener("popstate", listener, false);
      return listener;
    }
    for (const next of [fiber.sibling, fiber.child]) if (next) todo.push(next);
  }
  return null;
}

// Address of a page by its url name; the first page is the app's own.
export const placeOf = (page) => new URL(page === "fan" ? "." : page, document.baseURI);

export const trail = (window.__tvTrail ??= new Trail());
