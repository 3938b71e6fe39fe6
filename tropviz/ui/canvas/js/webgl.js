// Pictures in space need WebGL. Without it, or while a browser has taken it away, one sentence stands in their place.
import { spoken } from "./language.js";
import { sceneNames } from "./view.js";

export const inSpace = (layout) => sceneNames(layout).length > 0;

export function webgl() {
  const gl = document.createElement("canvas").getContext("webgl");
  gl?.getExtension("WEBGL_lose_context")?.loseContext();   // a browser allows sixteen in all
  return Boolean(gl);
}

// Say it over the picture's place, with what there is to see in words; `again` tries once more. Null: it is drawn again.
export function veil(gd, text, again) {
  const host = gd.parentElement;
  let over = host.querySelector(".tv-veil");
  gd.toggleAttribute("data-veiled", Boolean(again));
  if (!again) { over?.remove(); return; }
  if (!over) {
    over = Object.assign(document.createElement("div"), { className: "tv-veil" });
    over.append(document.createElement("p"), document.createElement("p"), document.createElement("button"));
    over.setAttribute("role", "status");
    host.append(over);
  }
  const [why, what, button] = over.children;
  [why.textContent, what.textContent, button.textContent] = [spoken("This browser draws nothing in space now (WebGL is off or out of memory)."), text, spoken("Try again")];
  button.onclick = again;
}
