// What stands beside a picture in the page and must leave it together with the picture: its key, and what it shows.
// A saved picture cannot bring the letters of the page along: those that every system has, measured as they are set.
const LINE = 17, GAP = 8, SIZE = 12, FAMILY = "Verdana, 'DejaVu Sans', sans-serif";
const text = (value) => value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** The key's entries, as runs of text, each with a colour or in that of the page.
 * @returns {{ text: string, colour: string }[][]} */
export function keyOf(gd) {
  let here = gd.closest('[data-testid="stVerticalBlock"]'), found = here?.querySelectorAll(".tv-key") ?? [];
  while (here && !found.length && ![...here.classList].some((name) => name.startsWith("st-key-part-"))) {
    here = here.parentElement?.closest('[data-testid="stVerticalBlock"]');
    found = here?.querySelectorAll(".tv-key") ?? [];
  }
  return [...found].flatMap((key) => [...(key.children.length ? key.querySelectorAll(":scope > span") : [key])])
    .map((entry) => [...entry.childNodes].map((node) => ({
      text: (node.textContent ?? "").replace(/\s+/g, " "),
      colour: node instanceof HTMLElement ? getComputedStyle(node).color : "",
    })));
}

const coloured = ({ text: words, colour }) => (colour ? `<span style="color:${colour}">${text(words)}</span>` : text(words));
export const html = (entry) => entry.map(coloured).join("");

/** Pieces set in lines of a width, with a space between them; a piece that is too long stands alone.
 * @param {string[]} pieces @param {(piece: string) => number} wide @returns {string[][]} */
export function lines(pieces, wide, width, space) {
  const set = [];
  let left = 0;
  for (const piece of pieces) {
    const size = wide(piece) + space;
    if (!set.length || size > left) { set.push([]); left = width; }
    set[set.length - 1].push(piece);
    left -= size;
  }
  return set;
}

// The layout of a picture with its key and its caption under it, and how much higher it is.
export function captioned(layout, size, width, entries, words) {
  const pen = document.createElement("canvas").getContext("2d");
  if (pen) pen.font = `${SIZE}px ${FAMILY}`;
  const wide = (piece) => pen?.measureText(piece).width ?? 7 * piece.length;
  const plain = new Map(entries.map((entry) => [entry.map((run) => run.text).join(""), html(entry)]));
  const set = [
    ...lines([...plain.keys()], wide, width, wide("    ")).map((line) => line.map((piece) => plain.get(piece)).join("    ")),
    ...lines(words.split(" ").filter(Boolean), wide, width, wide(" ")).map((line) => text(line.join(" "))),
  ];
  const more = set.length ? GAP + LINE * set.length : 0, margin = { l: size.l, r: size.r, t: size.t, b: size.b + more };
  const notes = set.map((line, i) => ({
    text: line, align: "left", showarrow: false, font: { size: SIZE, family: FAMILY },
    xref: "paper", x: 0, xanchor: "left", xshift: 4 - size.l, yref: "paper", y: 0, yanchor: "top", yshift: -(size.b + GAP / 2 + LINE * i),
  }));
  return [{ ...layout, margin, annotations: [...(layout.annotations ?? []), ...notes] }, more];
}
