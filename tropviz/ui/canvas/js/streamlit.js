// What we know of Streamlit's inside (1.67), all of it here. Where it is not found, all works as before: Back then costs
// a run too many, and a preset of another page loads that page anew.

// Streamlit runs the whole page anew, with no widget's value, at every step in the history, and its listener is always
// before ours: it is found where React keeps its application, and taken off. It leads to the page of the address. Null
// if it is not found.
export function takenOver() {
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

// The link of the navigation that leads to an address within the session, if it stands there.
export function wayTo(place) {
  const ways = /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll('a[data-testid$="NavLink"]'));
  return [...ways].find((way) => new URL(way.href).pathname === place.pathname);
}
