// Lines, points and letters of a figure for the back row. The figure is fresh from the message, so it is changed in place.
const FONTS = new Set(["font", "tickfont", "textfont", "insidetextfont", "outsidetextfont"]), PLAIN = 12;

export function scaled(data, layout, by = window.__tvScale ?? 1) {
  if (by === 1) return;
  layout.font = { ...layout.font, size: layout.font?.size ?? PLAIN };
  for (const part of [...data, layout]) walk(part, by);
}

function walk(node, by) {
  if (!node || typeof node !== "object" || ArrayBuffer.isView(node)) return;
  for (const [name, value] of Object.entries(node)) {
    if (!value || typeof value !== "object" || ArrayBuffer.isView(value)) continue;
    if (FONTS.has(name) && typeof value.size === "number") value.size *= by;
    if (name === "line" && typeof value.width === "number") value.width *= by;
    if (name === "marker" && typeof value.size === "number") value.size *= by;
    walk(value, by);
  }
}
