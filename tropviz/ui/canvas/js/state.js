// Everything one canvas knows between two messages from Python.
import { box } from "./outbox.js";

export class CanvasState {
  /**
   * @param {string} bundle address of plotly.js
   * @param {string} page of a picture that is saved
   */
  constructor(bundle, page) {
    this.bundle = bundle;
    this.page = page;
    /** @type {any} what Python said about the latest picture (`meta` of its message) */
    this.meta = null;
    /** How often the figure was drawn on this node. */
    this.count = 0;
    /** Wheel and fingers zoom it. */
    this.zooms = false;
    /** The plane is not seen as it was drawn: one finger pans it. */
    this.zoomed = false;
    /** What Python was last told of what is seen, and the clock until it is told again. */
    this.saw = "";
    this.looking = 0;
    /** Two fingers are on it, or were in this touch. */
    this.pinched = false;
    /** What events of the picture in view refer to. */
    this.of = "";
    /** Token of zoom and camera: while it stays, zoom and camera stay as the person left them. */
    this.viewpoint = "";
    /** @type {any} ranges and cameras of the picture as it was drawn */
    this.home = null;
    /** @type {any} triangles by cell, in space */
    this.faces = null;
    /** @type {Promise<void> | undefined} drawings, one after another */
    this.queue = undefined;
    /** The handle is in somebody's hand. */
    this.dragging = false;
    /** Number of the last word about the handle. */
    this.dragged = 0;
    /** @type {import("./overlay.js").Overlay | null} */
    this.over = null;
    /** @type {import("./frames.js").Player | null} */
    this.player = null;
    /** @type {import("./toolbar.js").Toolbar | null} */
    this.bar = null;
    /** @type {ResizeObserver | null} */
    this.observer = null;
    /** @type {any} the latest figure, to be drawn again */
    this.last = null;
    /** @type {any} the view to come back to after that */
    this.kept = null;
    /** It is in space, and this browser has no WebGL for it. */
    this.blank = false;
    /** @type {() => void} fit the picture to its place */
    this.refit = () => {};
    /** @type {() => void} take away what was laid beside the picture */
    this.unwire = () => {};
    /** Draw the figure anew, with lines and letters of another size. */
    this.rescale = () => { this.say("need", {}, true); };
    /** @type {() => void} Python has heard something, or a picture is drawn */
    this.acked = () => {};
  }

  /** A handle in somebody's hand, or let go at a place that Python has not heard of yet. */
  get held() { return this.dragging || box.waits(this.dragged); }

  /** Tell Python; every event says which picture it is of, so that those of an old one can be dropped. */
  say(name, event = {}, only = false) { return box.say(this.meta.key, name, { of: this.of, ...event }, only); }

  hears(name) { return this.meta.hears.includes(name); }

  get interactive() { return ["click", "drag", "step"].some((name) => this.hears(name)); }
}
