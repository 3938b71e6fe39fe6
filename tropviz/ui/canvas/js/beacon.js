// The one component of a page that speaks to Python: it carries the outbox, keeps the address, and dims what is behind.
import { appear } from "./appear.js";
import "./drawer.js";
import { arrive, refocus } from "./focus.js";
import { trail } from "./history.js";
import { keep } from "./link.js";
import "./menu.js";
import { offer } from "./files.js";
import { box } from "./outbox.js";
import { stay } from "./stay.js";
import { unfold } from "./unfold.js";

const PART = "st-key-part-";

// Parts of the page by name; an attribute, because React writes the classes.
function dim(behind) {
  for (const node of document.querySelectorAll(`[class*="${PART}"]`)) {
    const name = [...node.classList].find((c) => c.startsWith(PART))?.slice(PART.length) ?? "";
    node.ariaBusy = node.toggleAttribute("data-behind", behind.includes(name)) ? "true" : null;
  }
}

export default function ({ data, parentElement, setStateValue }) {
  const before = box.data.page;
  box.tell(data, setStateValue);                        // a new closure on every run
  dim(data.behind);
  unfold(document);
  stay(data.stay, data.slide);
  if (data.link) trail.told(data.page, box.data.link);
  offer(data.needs, data.session);
  if (!box.held && data.link) keep(box.address());
  const node = parentElement.querySelector(".tv-beacon");
  node.dataset.heard = data.heard;
  node.toggleAttribute("data-more", data.more);
  appear();
  if (before && before !== data.page) arrive();
  refocus();
  return () => box.leave();
}

// A list of counts is one tab stop; the arrow keys walk in it.
const WALK = { ArrowDown: 1, ArrowUp: -1 };
function walk(e) {
  const here = WALK[e.key] && e.target.closest?.("li.tv-count"), rows = here ? [...here.parentElement.children] : [];
  const next = here && rows[rows.indexOf(here) + WALK[e.key]];
  if (!next) return;
  e.preventDefault();
  here.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}
document.addEventListener("keydown", walk);
