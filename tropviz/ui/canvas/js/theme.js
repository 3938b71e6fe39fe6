// The page's theme, read from Streamlit's own CSS variables, laid under what the figure asks for.
export function themed(layout, el) {
  const css = getComputedStyle(el);
  const v = (name) => css.getPropertyValue("--st-" + name).trim();
  const axis = {
    gridcolor: v("border-color"), zerolinecolor: v("border-color"), linecolor: v("border-color"),
    tickfont: { color: v("text-color"), size: 11 }, title: { font: { color: v("text-color"), size: 13 } },
  };
  const merge = (own) => ({ ...axis, ...own, tickfont: { ...axis.tickfont, ...own?.tickfont },
    title: typeof own?.title === "string" ? { ...axis.title, text: own.title } : { ...axis.title, ...own?.title } });
  const out = {
    paper_bgcolor: v("background-color"), plot_bgcolor: v("background-color"), margin: { l: 0, r: 0, t: 0, b: 0 },
    ...layout,
    font: { color: v("text-color"), family: v("font"), size: 13, ...layout.font },
    hoverlabel: { bgcolor: v("secondary-background-color"), bordercolor: v("border-color"), font: { color: v("text-color"), family: v("font") }, ...layout.hoverlabel },
    modebar: { bgcolor: "rgba(0,0,0,0)", color: v("border-color"), activecolor: v("text-color"), ...layout.modebar },
  };
  const scenes = Object.keys(layout).filter((name) => /^scene\d*$/.test(name));
  for (const name of scenes) {
    out[name] = { ...layout[name] };
    for (const a of ["xaxis", "yaxis", "zaxis"]) out[name][a] = merge({ backgroundcolor: v("background-color"), ...layout[name][a] });
  }
  const axes = Object.keys(layout).filter((name) => /^[xy]axis\d*$/.test(name));
  if (!scenes.length) for (const a of new Set(["xaxis", "yaxis", ...axes])) out[a] = merge(layout[a] ?? {});
  return out;
}
