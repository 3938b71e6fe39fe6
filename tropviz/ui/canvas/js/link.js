// Keeps the address bar complete (without a new history entry) and copies it; works over plain http too.
import { told } from "./announce.js";
import { spoken } from "./language.js";
import { box } from "./outbox.js";

const QUIET_MS = 120;                                    // browsers refuse more than some 200 changes in 30 s
let timer = 0;

export default function ({ data, parentElement }) {
  const button = parentElement.querySelector("button");
  if (!button.dataset.busy) button.textContent = data.label;
  button.onclick = () => copyTo(button, box.address(), data.label);
}

export function keep(query) {
  clearTimeout(timer);
  timer = setTimeout(() => complete(query), QUIET_MS);
}

// Copy the whole address, and say so on the button for a moment.
export async function copyTo(button, query, label) {
  complete(query);
  const done = await copyText(new URL("?" + shortQuery(), window.location.href).href);
  button.dataset.busy = "1";
  button.textContent = done ? spoken("Link copied") : spoken("Copy it from the address bar");
  told(button.textContent);
  setTimeout(() => { delete button.dataset.busy; button.textContent = label; }, 1800);
}

// The link of this scene, as it is seen now, without what is a default.
export function shortQuery() {
  const full = new URLSearchParams(box.address()), short = new URLSearchParams(box.data.short);
  for (const name of ["cam", "zoom"]) {
    short.delete(name);
    const seen = full.get(name);
    if (seen) short.set(name, seen);
  }
  return short.toString();
}

// Address of a page by its url name; the first page is the app's own.
export const placeOf = (page) => new URL(page === "fan" ? "." : page, document.baseURI);

// Whether the browser's address is that of a page.
export const at = (page) => placeOf(page).pathname === window.location.pathname;

// The address with another query; Streamlit's own entries stay.
export function addressOf(query) {
  const url = new URL(window.location.href), kept = new URLSearchParams();
  for (const name of ["embed", "embed_options"]) for (const value of url.searchParams.getAll(name)) kept.append(name, value);
  return url.pathname + "?" + query + (kept.size ? "&" + kept : "") + url.hash;
}

function complete(query) {
  const address = addressOf(query), { pathname, search, hash } = window.location;
  if (box.waits(box.opening) || !at(box.data.page)) return;   // the entry of another scene, or page: its own address stands there
  if (pathname + search + hash !== address) window.history.replaceState(window.history.state, "", address);
}

export async function copyText(text) {
  try {
    if (window.isSecureContext) { await navigator.clipboard.writeText(text); return true; }
  } catch { /* refused: the older way below */ }
  const area = Object.assign(document.createElement("textarea"), { value: text });
  Object.assign(area.style, { position: "fixed", opacity: "0" });
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}
