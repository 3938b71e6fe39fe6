// What the browser remembers of a person between visits; where it may not (private windows), for this page load.
const here = new Map(), PREFIX = "tropviz.";

export function recall(name) {
  try { return window.localStorage.getItem(PREFIX + name) ?? here.get(name) ?? null; } catch { return here.get(name) ?? null; }
}

export function remember(name, value) {
  here.set(name, value);
  try { window.localStorage.setItem(PREFIX + name, value); } catch { /* not allowed: for this page load */ }
}
