// The start panel of a first arrival. It is laid over the page, so that nothing moves, and never comes twice.
import { recall, remember } from "./keeping.js";
import { spoken } from "./language.js";

const make = (tag, more) => Object.assign(document.createElement(tag), more);

export default function ({ data, parentElement }) {
  const panel = parentElement.querySelector(".tv-welcome");
  if (panel.childElementCount || recall("welcomed")) return;
  remember("welcomed", "1");
  panel.setAttribute("role", "region");
  panel.setAttribute("aria-label", spoken("Welcome"));
  const list = make("nav", { ariaLabel: spoken("Scenes to begin with") });
  for (const { label, link } of data.scenes)
    list.append(make("a", { textContent: label, href: new URL(link, document.baseURI).href, target: "_self" }));
  const close = make("button", { type: "button", textContent: spoken("Start here") });
  close.onclick = () => { panel.hidden = true; };
  panel.append(make("h2", { textContent: spoken("How a router cuts up space") }));
  for (const sentence of data.sentences) panel.append(make("p", { textContent: sentence }));
  list.append(close);
  panel.append(list);
  panel.onkeydown = (event) => { if (event.key === "Escape") panel.hidden = true; };
  panel.hidden = false;
}
