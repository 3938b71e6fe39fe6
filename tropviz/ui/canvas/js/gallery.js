// Scenes to open, each with its picture (drawn by this server) and a sentence.
import { dialog, make } from "./dialog.js";
import { spoken } from "./language.js";
import { opening } from "./opening.js";

export function gallery(presets) {
  const cards = presets.map(({ name, title, sentence, page, link, picture }) => {
    const image = make("img", { src: new URL(picture, document.baseURI).href, alt: "", loading: "lazy", width: 160, height: 160 });
    const card = opening(page, link, () => shown.close(), image, make("b", { textContent: title }), make("span", { textContent: sentence }));
    card.dataset.preset = name;
    return card;
  });
  const shown = dialog(spoken("Scenes to open"), "tv-gallery", make("div", {}, ...cards));
}
