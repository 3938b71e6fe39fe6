// What has changed, for people who hear the page: the page's first picture in words, when the hand rests.
const REST_MS = 700;
let timer = 0, last = "";
/** @type {HTMLElement | null} */
let region = null;

export function announce(words) {
  if (!region) {                                         // there before anything is written into it; the first picture is not new
    region = Object.assign(document.createElement("div"), { id: "tv-said", className: "tv-unseen" });
    region.setAttribute("role", "status");
    document.body.append(region);
    last = words;
  }
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (region && words !== last) region.textContent = words;
    last = words;
  }, REST_MS);
}
