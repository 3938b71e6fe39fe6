// The start panel of a first arrival. It is laid over the page, so that nothing moves, and never comes twice.
import { make } from "./dialog.js";
import { trail } from "./history.js";
import { recall, remember } from "./keeping.js";
import { spoken } from "./language.js";
import { opening } from "./opening.js";

export default function ({ data, parentElement }) {
  const panel = parentElement.querySelector(".tv-welcome");
  if (panel.childElementCount || recall("welcomed")) return;
  remember("welcomed", "1");
  panel.setAttribute("role", "region");
  panel.setAttribute("aria-label", spoken("Welcome"));
  const list = make("nav", { ariaLabel: spoken("Scenes to begin with") });
  const done = () => { panel.hidden = true; };
  list.append(...data.scenes.map(({ label, page, link }) => opening(page, link, done, label)));
  // Who has begun elsewhere, with a preset or a control, is welcome: what is laid over the page goes.
  let here = trail.page;
  window.addEventListener("tv-trail", function begun() {
    here ||= trail.page;
    if (!trail.changed && trail.page === here) return;
    window.removeEventListener("tv-trail", begun);
    done();
  });
  const close = make("button", { type: "button", textContent: spoken("Start here") });
  close.onclick = done;
  panel.append(make("h2", { textContent: spoken("How a router cuts up space") }));
  for (const sentence of data.sentences) panel.append(make("p", { textContent: sentence }));
  list.append(close);
  panel.append(list);
  panel.onkeydown = (event) => { if (event.key === "Escape") done(); };
  panel.hidden = false;
}
