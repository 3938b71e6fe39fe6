// Lines, points and letters of a figure for the back row. Copies: what a figure shares with the next one stays as it is.
const FONTS = new Set(["font", "tickfont", "textfont", "insidetextfont", "outsidetextfont"]), PLAIN = 12;

/** @returns {[any[], any]} traces and layout */
export function scaled(data, layout, by = window.__tvScale ?? 1) {
  if (by === 1) return [data, layout];
  const font = { ...layout.font, size: layout.font?.size ?? PLAIN };
  return [data.map((trace) => larger(trace, by)), larger({ ...layout, font }, by)];
}

function larger(node, by) {
  if (Array.isArray(node)) return node.map((item) => larger(item, by));
  if (!node || Object.getPrototypeOf(node) !== Object.prototype) return node;
  const copy = {};
  for (const [name, value] of Object.entries(node)) {
    const part = larger(value, by);
    if (FONTS.has(name) && typeof part?.size === "number") part.size *= by;
    if (name === "line" && typeof part?.width === "number") part.width *= by;
    if (name === "margin") for (const [side, room] of Object.entries(part)) if (typeof room === "number") part[side] = room * by;
    if (name === "marker" && typeof part?.size === "number") part.size *= by;
    copy[name] = part;
  }
  return copy;
}
