// Scenes to open, each with its picture (drawn by this server) and a sentence.
import { dialog, make } from "./dialog.js";
import { trail } from "./history.js";
import { spoken } from "./language.js";
import { placeOf } from "./link.js";

export function gallery(presets) {
  const cards = presets.map(({ name, title, sentence, page, link, picture }) => {
    const image = make("img", { src: new URL(picture, document.baseURI).href, alt: "", loading: "lazy", width: 160, height: 160 });
    const card = make("a", { href: `${placeOf(page).href}?${link}` }, image, make("b", { textContent: title }), make("span", { textContent: sentence }));
    card.dataset.preset = name;
    card.onclick = (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;   // in a tab of its own
      event.preventDefault();
      shown.close();
      trail.open(page, link);
    };
    return card;
  });
  const shown = dialog(spoken("Scenes to open"), "tv-gallery", make("div", {}, ...cards));
}
