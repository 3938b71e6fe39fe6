// The controls that stay in sight on a slide and in a presentation, in a strip below; a part of the sidebar, restyled.
const STAGE = ":is(.tv-present,.tv-slide)", BAR = '[data-testid="stSidebar"]';

export function stay(names, slide) {
  const root = document.documentElement;
  if (!root) return;
  root.classList.toggle("tv-slide", Boolean(slide && names.length));
  root.classList.toggle("tv-strip", names.length > 0);
  const style = document.getElementById("tv-stay") ?? document.head.appendChild(Object.assign(document.createElement("style"), { id: "tv-stay" }));
  const those = names.map((name) => `.st-key-w_${name}`).join(",");
  const text = those ? `${STAGE} ${BAR} [data-testid="stElementContainer"]:not(:is(${those}),:is(${those}) *,:has(${those})),${STAGE} ${BAR} [data-testid="stExpander"]:not(:has(${those})){display:none}` : "";
  if (style.textContent !== text) style.textContent = text;
}
