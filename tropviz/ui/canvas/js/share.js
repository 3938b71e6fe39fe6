// Share: a short link with its QR code (made by this server), a frame for a course page, and a list of scenes for a lecture.
import { dialog, make } from "./dialog.js";
import { spoken } from "./language.js";
import { copyText, placeOf, shortQuery } from "./link.js";
import { box } from "./outbox.js";
import { playlist, scenesOf } from "./playlist.js";

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
  dialog(spoken("Share this scene"), "tv-share", line(spoken("Link"), link), code, line(spoken("For a course page"), frame), lecture(query));
}

function told(count) {
  if (!count) return spoken("Add scenes one by one, or drop a file with one link a line here. The arrow keys step through them.");
  return count === 1 ? spoken("1 scene. The arrow keys step through them.") : spoken("{count} scenes. The arrow keys step through them.", { count });
}

// The list of scenes: add this one, save it as a file, open one, copy it as a link.
function lecture(query) {
  const part = make("section", {}), { page } = box.data;
  const fill = () => {
    const count = playlist.scenes.length;
    const button = (label, onclick, disabled = false) => make("button", { type: "button", textContent: label, onclick, disabled });
    const save = () => make("a", { href: URL.createObjectURL(new Blob([playlist.text + "\n"], { type: "text/plain" })), download: "scenes.txt" }).click();
    const file = make("input", { type: "file", accept: ".txt,text/plain", ariaLabel: spoken("Open a list of scenes") });
    const take = async (given) => { if (given && given.size < 1e6) { playlist.set(scenesOf(await given.text())); fill(); } };
    file.onchange = () => take(file.files?.[0]);
    part.ondragover = (event) => event.preventDefault();
    part.ondrop = (event) => { event.preventDefault(); take(event.dataTransfer?.files?.[0]); };
    const first = playlist.scenes[0];
    part.replaceChildren(
      make("h3", { textContent: spoken("A list of scenes, for Present") }),
      make("p", { textContent: told(count) }),
      make("div", {}, button(spoken("Add this scene"), () => { playlist.add({ page, link: query }); fill(); }), button(spoken("Empty"), () => { playlist.set([]); fill(); }, !count), button(spoken("Save"), save, !count), file),
    );
    if (first) part.append(line(spoken("Link to the list"), `${placeOf(first.page).href}?${first.link}${playlist.hash}`));
  };
  fill();
  return part;
}
