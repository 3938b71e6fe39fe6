// What a person has done to the view (zoom, pan, camera) outlives every change of the figure.
import { told } from "./announce.js";

export const sceneNames = (layout) => Object.keys(layout ?? {}).filter((name) => /^scene\d*$/.test(name));
export const is3d = (gd) => sceneNames(gd._fullLayout).some((name) => gd._fullLayout[name]?._scene);

// uirevision alone loses ranges when scaleanchor is used, so they are copied into the new layout.
export function keepView(gd, layout, kept) {
  for (const name of sceneNames(layout)) {
    const live = gd._fullLayout?.[name]?._scene;
    const camera = live ? live.getCamera() : kept?.[name];
    if (camera) layout[name] = { ...layout[name], camera };
  }
  for (const name of Object.keys(layout).filter((key) => /^[xy]axis\d*$/.test(key))) {
    const range = gd._fullLayout?.[name]?.range ?? kept?.[name];
    if (range && layout[name]?.uirevision !== false) layout[name] = { ...layout[name], range: [...range], autorange: false };
  }
}

// A copy of the view, for when the node is taken away and comes back (another page and back).
export function copyView(gd) {
  const out = {}, full = gd._fullLayout ?? {};
  for (const name of sceneNames(full)) if (full[name]._scene) out[name] = full[name]._scene.getCamera();
  for (const name of Object.keys(full)) if (/^[xy]axis\d*$/.test(name) && full[name]?.range) out[name] = [...full[name].range];
  return out;
}

export function resetView(gd, home) {
  const change = {};
  for (const [name, value] of Object.entries(home)) change[Array.isArray(value) ? name + ".range" : name + ".camera"] = structuredClone(value);
  return window.Plotly.relayout(gd, change);
}

// How near the picture is seen, of how it was drawn: 1.25 is a quarter nearer.
export function nearness(gd, home) {
  for (const [name, own] of Object.entries(home ?? {})) {
    if (Array.isArray(own)) {
      const [low, high] = (gd._fullLayout[name]?.range ?? own).map(Number);
      return (own[1] - own[0]) / (high - low);
    }
    const eye = gd._fullLayout[name]?._scene?.getCamera().eye;
    if (eye && own.eye) return Math.hypot(own.eye.x, own.eye.y, own.eye.z) / Math.hypot(eye.x, eye.y, eye.z);
  }
  return 1;
}

// Zoom, and say how near it is now.
export async function zoomed(gd, factor, home) {
  await zoom(gd, factor);
  told(`${Math.round(100 * nearness(gd, home))} %`);
}

export function zoom(gd, factor) {
  const change = {};
  if (is3d(gd)) {
    for (const name of sceneNames(gd._fullLayout)) {
      const camera = gd._fullLayout[name]._scene?.getCamera();
      if (!camera) continue;
      for (const axis of ["x", "y", "z"]) camera.eye[axis] *= factor;
      if (camera.projection?.type === "orthographic" && gd._fullLayout[name].aspectratio) {
        const ratio = gd._fullLayout[name].aspectratio;
        change[name + ".aspectratio"] = { x: ratio.x / factor, y: ratio.y / factor, z: ratio.z / factor };
      }
      change[name + ".camera"] = camera;
    }
  } else {
    for (const [name, axis] of Object.entries(gd._fullLayout)) {
      if (!/^[xy]axis\d*$/.test(name) || !axis?.range) continue;
      const [low, high] = axis.range.map(Number), middle = (low + high) / 2, half = ((high - low) / 2) * factor;
      change[name + ".range"] = [middle - half, middle + half];
    }
  }
  return window.Plotly.relayout(gd, change);
}
