// The camera and the zoom in a link: what a person has done to the view, in the words that Python reads.
import { is3d } from "./view.js";

const short = (v) => String(Math.round(v * 1000) / 1000 || 0);
const list = ({ x, y, z }) => [x, y, z];
const words = (part) => part.map(short).join("_");

// What is up on the screen: only the part of `up` across the line of sight counts.
function upright(up, ahead) {
  const length = Math.hypot(...ahead) || 1, along = up.reduce((sum, v, i) => sum + (v * ahead[i]) / length, 0);
  const across = up.map((v, i) => v - (along * ahead[i]) / length), size = Math.hypot(...across) || 1;
  return across.map((v) => v / size);
}

// The query with the view as it is now; empty where it is the picture's own.
export function withView(link, gd, home) {
  const query = new URLSearchParams(link), space = is3d(gd);
  if (query.has("cam")) query.set("cam", space ? camera(gd, home) : "");
  if (query.has("zoom")) query.set("zoom", space ? "" : zoomed(gd, home));
  return query.toString();
}

// Eye; with what is up if the picture is tilted, with what is looked at if that was moved; nothing if all is as drawn.
function camera(gd, home) {
  const { eye, up, center } = gd._fullLayout.scene._scene.getCamera(), from = list(eye), to = list(center);
  const ahead = to.map((v, i) => v - from[i]), tilt = upright(list(up), ahead);
  const moved = words(to) !== "0_0_0", tilted = tilt.some((v, i) => Math.abs(v - upright([0, 0, 1], ahead)[i]) > 2e-3);
  if (!moved && !tilted && words(from) === words(list(home.scene.eye))) return "";
  return [from, ...(tilted || moved ? [tilt] : []), ...(moved ? [to] : [])].map(words).join("_");
}

function zoomed(gd, home) {
  const now = ["xaxis", "yaxis"].map((name) => gd._fullLayout[name].range), own = [home.xaxis, home.yaxis];
  const span = own[0][1] - own[0][0];
  if (now.flat().every((v, i) => Math.abs(v - own.flat()[i]) < 2e-3 * Math.abs(span))) return "";
  return now.flat().map(short).join("_");
}

// The view a link asks for, when the picture is drawn for the first time.
export function startView(layout, start) {
  if (start?.camera && layout.scene) layout.scene = { ...layout.scene, camera: { ...layout.scene.camera, ...start.camera } };
  if (start?.zoom && layout.xaxis) {
    const [a, b, c, d] = start.zoom;
    layout.xaxis = { ...layout.xaxis, range: [a, b], autorange: false };
    layout.yaxis = { ...layout.yaxis, range: [c, d], autorange: false };
  }
}
