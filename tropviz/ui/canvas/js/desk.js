// The desk: what can be done with a scene on every page. Undo, redo, reset; scenes to open; present; share.
import { gallery } from "./gallery.js";
import { trail } from "./history.js";
import { box } from "./outbox.js";
import { present } from "./present.js";
import { share } from "./share.js";

const typing = (node) => node?.closest?.("textarea,[contenteditable=true]") || (node?.matches?.("input") && !["range", "checkbox", "radio", "button"].includes(node.type));

function shortcut(event) {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || typing(event.target)) return;
  const key = event.key.toLowerCase(), by = key === "y" || (key === "z" && event.shiftKey) ? 1 : key === "z" ? -1 : 0;
  if (!by) return;
  event.preventDefault();
  trail.step(by);
}

export default function ({ data, parentElement }) {
  const desk = parentElement.querySelector(".tv-desk");
  const button = (label, title, run) => {
    const made = Object.assign(document.createElement("button"), { type: "button", textContent: label, title });
    made.setAttribute("aria-label", title);
    made.onclick = run;
    return made;
  };
  const undo = button("↶", "Undo (Ctrl+Z)", () => trail.step(-1)), redo = button("↷", "Redo (Ctrl+Shift+Z)", () => trail.step(1));
  const refresh = () => { undo.disabled = trail.at < 1; redo.disabled = trail.at >= trail.top; };
  desk.replaceChildren(
    undo, redo,
    button("Reset", "Reset the scene", () => trail.open(box.data.page, "")),
    button("Presets", "Presets: scenes to open", () => gallery(data.presets)),
    button("Share", "Share this scene", () => share()),
    button("Present", "Present full screen", () => present()),
  );
  refresh();
  window.addEventListener("tv-trail", refresh);
  document.addEventListener("keydown", shortcut);
  return () => { window.removeEventListener("tv-trail", refresh); document.removeEventListener("keydown", shortcut); };
}
