// The desk: what can be done with a scene on every page. Undo, redo, reset; scenes to open; present; share.
import { dialog, make } from "./dialog.js";
import { gallery } from "./gallery.js";
import { trail } from "./history.js";
import { spoken } from "./language.js";
import { box } from "./outbox.js";
import "./paper.js";
import { playlist } from "./playlist.js";
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

// The pages in another language: the same scene, opened by its link.
function languages({ languages: names, language }) {
  const select = Object.assign(document.createElement("select"), { className: "tv-languages", title: spoken("Language") });
  select.setAttribute("aria-label", spoken("Language"));
  for (const [code, name] of Object.entries(names)) select.append(new Option(name, code, false, code === language));
  select.onchange = () => {
    const link = new URLSearchParams(box.address());
    link.set("lang", select.value);
    trail.open(box.data.page, link.toString());
  };
  return select;
}

// A list in the link that is none: said once, like every other entry that cannot be read.
function unread() {
  if (!playlist.unread) return;
  playlist.unread = false;
  dialog(spoken("A list of scenes, for Present"), "tv-share", make("p", { textContent: spoken("The link's list of scenes, behind #play=, cannot be read and is left out: copy the whole link again.") }));
}

export default function ({ data, parentElement }) {
  const desk = parentElement.querySelector(".tv-desk");
  document.documentElement.lang = data.language;
  const button = (label, title, run) => {
    const made = Object.assign(document.createElement("button"), { type: "button", textContent: label, title });
    made.setAttribute("aria-label", title);
    made.onclick = run;
    return made;
  };
  const undo = button("↶", spoken("Undo (Ctrl+Z)"), () => trail.step(-1)), redo = button("↷", spoken("Redo (Ctrl+Shift+Z)"), () => trail.step(1));
  const refresh = () => { undo.disabled = trail.at < 1; redo.disabled = trail.at >= trail.top; };
  desk.replaceChildren(
    undo, redo,
    button(spoken("Reset"), spoken("Reset the scene"), () => trail.open(box.data.page, "")),
    button(spoken("Presets"), spoken("Presets: scenes to open"), () => gallery(data.presets)),
    button(spoken("Share"), spoken("Share this scene"), () => share()),
    button(spoken("Present"), spoken("Present full screen"), () => present()),
    languages(data),
  );
  refresh();
  window.addEventListener("tv-trail", refresh);
  document.addEventListener("keydown", shortcut);
  unread();
  return () => { window.removeEventListener("tv-trail", refresh); document.removeEventListener("keydown", shortcut); };
}
