// What has changed, for people who hear the page: what is new in the words of its first picture, when the hand rests; and
// what a button has done.
const REST_MS = 700;
let timer = 0, last = "";
/** @type {HTMLElement | null} */
let region = null;

// There before anything is written into it.
function place() {
  if (region) return region;
  region = Object.assign(document.createElement("div"), { id: "tv-said", className: "tv-unseen" });
  region.setAttribute("role", "status");
  document.body.append(region);
  return region;
}

/** @param {string} text */
const sentences = (text) => text.split(/(?<=[.!?])\s+/);

// The sentences that were not said before; all, where there is none.
/** @param {string} words @param {string} before */
export function news(words, before) {
  const known = new Set(sentences(before));
  return sentences(words).filter((one) => !known.has(one)).join(" ") || words;
}

export function announce(words) {
  if (!region) last = words;                             // the first picture is not new
  const here = place();
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (words !== last) here.textContent = news(words, last);
    last = words;
  }, REST_MS);
}

// Said now.
/** @param {string} words */
export function told(words) { place().textContent = words; }
