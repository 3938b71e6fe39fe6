// Present: full screen, type and lines for the back row, the controls that stay in a strip below, and the next scene of a
// list by the arrow keys. Escape leaves.
import { make } from "./dialog.js";
import { trail } from "./history.js";
import { recall, remember } from "./keeping.js";
import { spoken } from "./language.js";
import { playlist } from "./playlist.js";

const OWN = "input,textarea,[role=slider],[role=application]";   // what has a use of its own for the arrow keys
const root = document.documentElement, STEPS = [1, 1.2, 1.4, 1.7, 2];
/** @type {HTMLElement | null} */
let bar = null;
let step = 2;
/** @type {any} what had the focus before */
let from = null;
/** @type {any} what a phone's back button closes */
let back = null;

export function present() {
  if (bar) return;
  step = Number(recall("present.step") ?? step);
  const button = (label, title, onclick) => {
    const made = make("button", { type: "button", textContent: label, title, onclick });
    made.setAttribute("aria-label", title);
    return made;
  };
  const stage = make("div", { className: "tv-stage", role: "toolbar", ariaLabel: spoken("Presentation") },
    button("A−", spoken("Smaller type and lines"), () => scale(step - 1)), button("A+", spoken("Larger type and lines"), () => scale(step + 1)));
  if (playlist.scenes.length)
    stage.append(button("‹", spoken("Last scene (left arrow)"), () => turn(-1)), make("output"), button("›", spoken("Next scene (right arrow)"), () => turn(1)));
  stage.append(button(spoken("Leave"), spoken("Leave (Escape)"), leave));
  (document.querySelector(".stApp") ?? document.body).append(stage);
  from = document.activeElement;
  stage.tabIndex = -1;
  stage.focus({ preventScroll: true });
  bar = stage;
  back = "CloseWatcher" in window ? new /** @type {any} */ (window).CloseWatcher() : null;
  if (back) back.onclose = leave;
  root.classList.add("tv-present");
  document.addEventListener("keydown", keyed, true);
  document.addEventListener("fullscreenchange", changed);
  root.requestFullscreen?.().catch(() => {});          // refused inside a frame: the page itself is enough
  scale(step);
  turn(0);
}

function leave() {
  if (!bar) return;
  bar.remove();
  bar = null;
  back?.destroy();
  root.classList.remove("tv-present");
  document.removeEventListener("keydown", keyed, true);
  document.removeEventListener("fullscreenchange", changed);
  if (document.fullscreenElement) document.exitFullscreen();
  grow(1);
  (from?.isConnected ? from : document.querySelector(".tv-desk button:last-of-type"))?.focus({ preventScroll: true });
}

const changed = () => { if (!document.fullscreenElement) leave(); };

function keyed(event) {
  const by = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 }[event.key];
  if (event.key === "Escape") leave();
  else if (by && playlist.scenes.length && !(event.key.startsWith("Arrow") && event.target.closest?.(OWN))) turn(by);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function turn(by) {
  const scene = playlist.turn(by);
  if (!scene) return;
  const count = bar?.querySelector("output");
  if (count) count.textContent = spoken("{at} of {all}", { at: playlist.at + 1, all: playlist.scenes.length });
  trail.open(scene.page, scene.link);
}

function scale(to) {
  step = Math.min(Math.max(to, 0), STEPS.length - 1);
  remember("present.step", String(step));
  grow(STEPS[step]);
}

// The type of the page through its root; pictures are drawn anew with wider lines (`scaled`).
function grow(by) {
  root.style.fontSize = by === 1 ? "" : `${100 * by}%`;
  window.__tvScale = by;
  window.dispatchEvent(new Event("tv-scale"));
}
