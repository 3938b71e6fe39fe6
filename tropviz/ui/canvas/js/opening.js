import { make } from "./dialog.js";
import { trail } from "./history.js";
import { placeOf } from "./link.js";

// A link that opens a scene as something done, which can be undone; `before` closes what it stands in.
export function opening(page, link, before, ...inside) {
  const made = make("a", { href: `${placeOf(page).href}?${link}` }, ...inside);
  made.onclick = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;   // in a tab of its own
    event.preventDefault();
    before();
    trail.open(page, link);
  };
  return made;
}
