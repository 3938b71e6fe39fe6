// Who goes by keyboard stays where they were: Streamlit makes a widget anew when its limits or texts are others, and with
// the old one the focus is gone. It goes to the one that stands in its place.
const HOME = '[class*="st-key-"]', STOPS = "a[href],button,input,select,textarea,[tabindex]";
/** @type {{ element: Element, key: string, at: number } | null} */
let last = null;
const FRAMES = 60;

/** @param {Element} home */
const keyOf = (home) => [...home.classList].find((name) => name.startsWith("st-key-")) ?? "";

/** @param {Element} element */
export function remember(element) {
  const home = element.closest?.(HOME);
  last = home ? { element, key: keyOf(home), at: [...home.querySelectorAll(STOPS)].indexOf(element) } : null;
}

// Left on purpose, for nothing: that element is still there.
/** @param {Element} element */
export function left(element) {
  if (last?.element === element && element.isConnected && document.activeElement !== element) last = null;
}

// A run has ended; what it made anew comes into the page within some frames.
export function refocus(frames = FRAMES) {
  if (!last) return;
  if (last.element.isConnected || document.activeElement !== document.body) {
    if (frames) requestAnimationFrame(() => refocus(frames - 1));
    return;
  }
  const home = document.querySelector("." + CSS.escape(last.key));
  const there = home?.querySelectorAll(STOPS)[last.at];
  if (there instanceof HTMLElement && there.tagName === last.element.tagName) there.focus({ preventScroll: true });
}

// Who came by the link at a page's foot begins the next one at its head, where that link does not stand.
export function arrive() {
  if (last?.key !== "st-key-foot") return;
  const main = document.querySelector('[data-testid="stMain"]');
  /** @type {HTMLElement | null} */ (document.querySelector("h1.tv-page"))?.focus({ preventScroll: true });
  if (main) main.scrollTop = 0;
}

document.addEventListener("focusin", (e) => { if (e.target instanceof Element) remember(e.target); });
document.addEventListener("focusout", (e) => setTimeout(() => { if (e.target instanceof Element) left(e.target); }));
