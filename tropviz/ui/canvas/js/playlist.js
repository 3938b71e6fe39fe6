// A teacher's list of scenes: in a link, behind #play=, one "page?query" after another; or in a file, one a line.
const MOST = 200, KEY = "tropviz.play";

// { page, link } of an address or of "page?query"; null if it is none.
export function sceneOf(text) {
  const [before, after] = text.trim().split("#")[0].split("?");
  if (!after || !new URLSearchParams(after).has("v")) return null;
  const page = before.split("/").filter(Boolean).pop() ?? "";
  return { page: /^[a-z_]+$/.test(page) ? page : "fan", link: after };
}

export const scenesOf = (text) => text.split(/[\n|]/).map(sceneOf).filter(Boolean).slice(0, MOST);
const textOf = ({ page, link }) => `${page}?${link}`;

class Playlist {
  constructor() {
    this.at = 0;
    this.scenes = [];
    const given = new URLSearchParams((window.location?.hash ?? "").slice(1)).get("play");
    let kept = "";
    try { kept = window.sessionStorage.getItem(KEY) ?? ""; } catch { /* not allowed */ }
    const told = scenesOf(given ?? "");
    this.unread = Boolean(given) && !told.length;        // is said once, by the desk
    this.scenes = told.length ? told : scenesOf(kept);   // a reload, or another page, keeps the list
    if (told.length) this.keep();
  }

  set(scenes) { this.scenes = scenes.slice(0, MOST); this.at = 0; this.keep(); }
  add(scene) { this.set([...this.scenes, scene]); }
  remove(at) { this.set(this.scenes.filter((_, i) => i !== at)); }
  // The scene at a place, so many places further on, within the list; where it is then.
  move(at, by) {
    const scenes = [...this.scenes], to = Math.min(Math.max(at + by, 0), scenes.length - 1);
    scenes.splice(to, 0, ...scenes.splice(at, 1));
    this.set(scenes);
    return to;
  }
  get text() { return this.scenes.map(textOf).join("\n"); }
  get hash() { return this.scenes.length ? "#" + new URLSearchParams({ play: this.scenes.map(textOf).join("|") }) : ""; }
  keep() { try { window.sessionStorage.setItem(KEY, this.text); } catch { /* not allowed: for this page load */ } }

  // The scene so many further on, within the list.
  turn(by) {
    this.at = Math.min(Math.max(this.at + by, 0), this.scenes.length - 1);
    return this.scenes[this.at];
  }
}

export const playlist = (window.__tvPlay ??= new Playlist());
