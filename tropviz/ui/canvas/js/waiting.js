// What on the page is not of the picture in view is dimmed until it is drawn anew.
export function setWaiting(nodes, on) {
  for (const node of nodes) {
    node.classList.toggle("tv-waiting", on);
    node.ariaBusy = on ? "true" : null;
  }
}
