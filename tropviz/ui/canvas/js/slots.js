// What a picture brings to show beside it. It is written in the moment the picture is drawn, and by its canvas alone.
import { unfold } from "./unfold.js";

const LATER_MS = 60, TRIES = 50;

export function fill(beside, tries = TRIES) {
  const missing = {};
  for (const [name, html] of Object.entries(beside ?? {})) {
    const node = document.querySelector(`[data-slot="${name}"]`);
    if (node) { node.innerHTML = html; unfold(node); }
    else missing[name] = html;
  }
  if (tries && Object.keys(missing).length) setTimeout(() => fill(missing, tries - 1), LATER_MS);   // the page is not there yet
}
