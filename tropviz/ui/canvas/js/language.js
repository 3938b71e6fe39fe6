// Texts of the scripts in the language of the page: Python writes the table into it (ui/words.py), for other languages
// than English; the English text is its key.
let written = "", /** @type {Record<string, string>} */ table = {};

function words() {
  const node = globalThis.document?.getElementById("tv-words"), text = node?.dataset.words ?? "{}";
  if (text !== written) { written = text; table = JSON.parse(text); }
  return table;
}

// A text, with {name} for what stands in it.
export const spoken = (text, values = {}) => (words()[text] ?? text).replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));

// A number in the English form as the language writes it.
export function numeral(text) {
  const [decimal, group] = globalThis.document?.getElementById("tv-words")?.dataset.signs ?? ".,";
  return decimal === "." ? text : text.replace(/(?<=\d)[.,](?=\d)/g, (sign) => (sign === "," ? group : decimal));
}
