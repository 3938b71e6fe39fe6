// Share: a short link with its QR code (made by this server), a frame for a course page, and a list of scenes for a lecture.
import { dialog, make } from "./dialog.js";
import { spoken } from "./language.js";
import { at, copyText, placeOf, shortQuery } from "./link.js";
import { box } from "./outbox.js";
import { playlist, scenesOf } from "./playlist.js";
import { wayTo } from "./streamlit.js";

const LONGEST = 2000;                                    // what a QR code still holds, and a phone still reads

function line(label, value) {
  const field = make("input", { readOnly: true, value, ariaLabel: label });
  const copy = make("button", { type: "button", textContent: spoken("Copy") });
  copy.onclick = async () => { copy.textContent = (await copyText(field.value)) ? spoken("Copied") : spoken("Select and copy it"); field.select(); };
  field.onfocus = () => field.select();
  return make("label", {}, make("span", { textContent: label }), field, copy);
}

export function share() {
  const query = shortQuery(), there = placeOf(box.data.page), link = `${there.href}?${query}`;
  const framed = `${there.href}?${query}&slide=1&embed=true`.replaceAll("&", "&amp;");
  const frame = `<iframe src="${framed}" title="tropviz" width="100%" height="640" style="border:0" allow="fullscreen"></iframe>`;
  const code = link.length <= LONGEST
    ? make("img", { className: "tv-qr", alt: spoken("QR code of the link"), src: new URL("qr.svg?text=" + encodeURIComponent(link), document.baseURI).href, width: 200, height: 200 })
    : make("p", { textContent: spoken("The link is too long for a QR code.") });
  dialog(spoken("Share this scene"), "tv-share", line(spoken("Link"), link), code, line(spoken("For a course page"), frame), lecture());
}

function told(count) {
  if (!count) return spoken("Add scenes one by one, or drop a file with one link a line here. The arrow keys step through them.");
  return count === 1 ? spoken("1 scene. The arrow keys step through them.") : spoken("{count} scenes. The arrow keys step through them.", { count });
}

// What a scene is called in the list: its page, as the navigation names it, and its link's entries.
function named({ page, link }) {
  const title = wayTo(placeOf(page))?.textContent?.trim() || page;
  const entries = [...new URLSearchParams(link)].filter(([name]) => name !== "v").map(([name, value]) => `${name}=${value}`);
  return [title, ...entries].join(" · ");
}

// The scenes one under another, each with what can be done with it; `changed` gets the place and the button to go on from.
function list(changed) {
  return make("ol", { className: "tv-list" }, ...playlist.scenes.map((scene, i) => {
    const name = named(scene);
    const button = (sign, label, disabled, act) => {
      const made = make("button", { type: "button", textContent: sign, title: label, disabled, onclick: () => changed(act(), label) });
      made.setAttribute("aria-label", `${label}: ${name}`);
      return made;
    };
    return make("li", {}, make("a", { textContent: name, href: `${placeOf(scene.page).href}?${scene.link}`, target: "_blank" }),
      button("↑", spoken("Earlier"), i === 0, () => playlist.move(i, -1)),
      button("↓", spoken("Later"), i === playlist.scenes.length - 1, () => playlist.move(i, 1)),
      button("×", spoken("Take out"), false, () => { playlist.remove(i); return i; }));
  }));
}

// While another scene is on its way, what the box knows is not what is seen.
const underway = () => box.waits(box.opening) || !at(box.data.page);

// The list of scenes: add this one, put them in order, save them as a file, open one, copy it as a link.
function lecture() {
  const part = make("section", {});
  const arrived = () => {
    if (!part.isConnected) window.removeEventListener("tv-heard", arrived);
    else queueMicrotask(() => { if (!underway()) part.querySelector(".tv-add")?.removeAttribute("disabled"); });
  };
  window.addEventListener("tv-heard", arrived);
  const changed = (place, label) => {
    fill();
    const row = part.querySelectorAll(".tv-list li")[Math.min(place, playlist.scenes.length - 1)];
    const same = /** @type {HTMLElement | null} */ (row?.querySelector(`button[title="${label}"]:enabled`) ?? row?.querySelector("button:enabled"));
    (same ?? part.querySelector("button"))?.focus();
  };
  const add = () => { if (!underway()) { playlist.add({ page: box.data.page, link: shortQuery() }); fill(); /** @type {HTMLElement | null} */ (part.querySelector(".tv-add"))?.focus(); } };   // a new button: a keyboard goes on from it
  const fill = () => {
    const count = playlist.scenes.length;
    const button = (label, onclick, disabled = false) => make("button", { type: "button", textContent: label, onclick, disabled });
    const save = () => make("a", { href: URL.createObjectURL(new Blob([playlist.text + "\n"], { type: "text/plain" })), download: "scenes.txt" }).click();
    const file = make("input", { type: "file", accept: ".txt,text/plain", ariaLabel: spoken("Open a list of scenes") });
    const take = async (given) => { if (given && given.size < 1e6) { playlist.set(scenesOf(await given.text())); fill(); } };
    file.onchange = () => take(file.files?.[0]);
    part.ondragover = (event) => event.preventDefault();
    part.ondrop = (event) => { event.preventDefault(); take(event.dataTransfer?.files?.[0]); };
    const first = playlist.scenes[0], adder = button(spoken("Add this scene"), add, underway());
    adder.className = "tv-add";
    part.replaceChildren(
      make("h3", { textContent: spoken("A list of scenes, for Present") }),
      make("p", { textContent: told(count), role: "status" }),
      make("div", {}, adder, button(spoken("Empty"), () => { playlist.set([]); fill(); }, !count), button(spoken("Save"), save, !count), file),
      list(changed),
    );
    if (first) part.append(line(spoken("Link to the list"), `${placeOf(first.page).href}?${first.link}${playlist.hash}`));
  };
  fill();
  return part;
}
