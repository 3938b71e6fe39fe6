// What a person has unfolded stays unfolded: after every run, and on the next visit.
import { recall, remember } from "./keeping.js";

let watching = false;

export function unfold(root) {
  if (!watching) {
    watching = true;
    const noted = ({ target }) => { if (target.dataset?.keep) remember("open." + target.dataset.keep, target.open ? "1" : "0"); };
    document.addEventListener("toggle", noted, true);
  }
  for (const node of root.querySelectorAll("details[data-keep]")) {
    const open = recall("open." + node.dataset.keep) === "1";
    if (node.open !== open) node.open = open;
  }
}
