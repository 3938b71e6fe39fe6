import { told } from "./announce.js";
import { captioned, html as markup, keyOf } from "./caption.js";
import { copyView, sceneNames } from "./view.js";

// The picture as it is seen now, made only when asked for.
function save(blob, name) {
  const a = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
  document.body.append(a);
  a.click();
  a.remove();
  setTimeout(() => URL.revokeObjectURL(a.href), 10000);
  told(name);
}

// The layout of the picture as it is seen now.
function seenLayout(gd) {
  const layout = { ...gd.layout };
  for (const [part, value] of Object.entries(copyView(gd)))
    layout[part] = { ...layout[part], ...(Array.isArray(value) ? { range: value } : { camera: value }) };
  return layout;
}

export async function image(gd, format, name, title) {
  const width = gd.offsetWidth;
  const [layout, more] = captioned(seenLayout(gd), gd._fullLayout._size, width - 8, keyOf(gd), title);
  const height = gd.offsetHeight + more, figure = { data: gd.data, layout: { ...layout, width, height, autosize: false } };
  const url = await window.Plotly.toImage(figure, { format, width, height, scale: format === "png" ? 2 : 1 });
  const blob = await (await fetch(url)).blob();
  save(blob, `${name}.${format}`);
}

// Typed arrays as plain ones; a gap (NaN) is null.
const plain = (_, v) => (ArrayBuffer.isView(v) ? Array.from(/** @type {Float32Array} */ (v), (x) => (Number.isFinite(x) ? x : null)) : v);
const json = (value) => JSON.stringify(value, plain);

// One file that needs no network: the drawing library is written into `page` (tropviz/figures/offline.py).
export async function html(gd, { bundle, page }, name, title) {
  const library = await (await fetch(new URL(bundle, document.baseURI))).text();
  const layout = { ...seenLayout(gd), autosize: true };
  delete layout.width;
  delete layout.height;
  for (const part of sceneNames(layout)) layout[part] = { ...layout[part], dragmode: "orbit" };   // its own: ours stays here
  const key = keyOf(gd).map((entry) => `<span>${markup(entry)}</span> `).join("");
  save(new Blob([offline(page, {
    title,
    style: `html,body,figure{margin:0}body{background:${layout.paper_bgcolor};color:${layout.font?.color};font:1rem/1.5 ${layout.font?.family}}#p{width:min(100vw,86vh);height:86vh;margin:auto}figcaption{max-width:60rem;margin:auto;padding:.5rem 1rem}figcaption span span{margin:0}figcaption span{margin-right:1.1rem}`,
    body: `<figure><div id="p" role="img" aria-label="${text(title)}"></div><figcaption>${key && `<p>${key}</p>`}${text(title)}</figcaption></figure>`,
    script: `Plotly.newPlot("p",${json(gd.data)},${json(layout)},{displaylogo:false,scrollZoom:true,responsive:true})`,
    library,
  })], { type: "text/html" }), `${name}.html`);
}

const inline = (script) => script.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
const text = (value) => value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

// The page with its parts; neither script can end its element early.
export function offline(page, parts) {
  const filled = { ...parts, title: text(parts.title), script: inline(parts.script), library: inline(parts.library) };
  return page.replace(/\{\{(\w+)\}\}/g, (_, part) => filled[part]);
}
