// A first visit's page appears in one piece, so that nothing moves under the eye: when it is whole, Streamlit has put its
// elements in the place of their grey bars, and the first picture is drawn. `shell.css` hides it until then, and shows it
// by itself where this takes long.
const WAITED = '[data-testid="stSkeleton"], .tv-gd:not([data-drawn], [data-error], [style*="height"])';

export function appear() {
  const root = document.documentElement;
  if (!root || root.classList.contains("tv-whole")) return;
  const first = document.querySelector(".tv-gd"), drawn = !first || first.matches("[data-drawn], [data-error]");
  if (!drawn || document.querySelector(WAITED)) { requestAnimationFrame(appear); return; }
  root.classList.add("tv-whole");
  requestAnimationFrame(() => setTimeout(seen));         // after it was painted
}

// Then the other pictures of that page are drawn, each in a task of its own.
const AT_LAST_MS = 8000;                                 // as in `shell.css`, which shows by then what there is
const task = () => new Promise((resolve) => setTimeout(resolve));
let seen = () => {};
/** @type {Promise<unknown> | null} */
let others = null;

/** When a picture may be drawn for the first time; null: now. */
export function turn(gd) {
  if (gd === document.querySelector(".tv-gd") || document.documentElement.classList.contains("tv-whole")) return null;
  others ??= new Promise((resolve) => { seen = () => resolve(null); setTimeout(seen, AT_LAST_MS); });
  others = others.then(task);
  return others;
}
