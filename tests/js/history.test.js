import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { scripts } from "./scripts.js";

// The little of a browser's history that the trail touches: entries, each with an address and a state.
const entries = [{ state: null, url: new URL("http://localhost/?v=1") }];
let here = 0;
const to = (url) => new URL(url ?? "", entries[here].url);
window.history = {
  get state() { return entries[here].state; },
  replaceState(state, _, url) { entries[here] = { state, url: to(url) }; },
  pushState(state, _, url) { entries.splice(here + 1, entries.length, { state, url: to(url) }); here++; },
  go(by) { here += by; window.dispatchEvent(Object.assign(new Event("popstate"), { state: entries[here].state })); },
};
Object.defineProperty(window, "location", { get: () => entries[here].url, configurable: true });
Object.defineProperty(document, "baseURI", { get: () => entries[here].url.href, configurable: true });

mock.timers.enable({ apis: ["Date", "setTimeout"], now: 1e6 });
const { trail } = await scripts("history"), { box } = await scripts("outbox");
let led = 0, heard = 0;
trail.others = () => { led++; };
const asked = () => box.said.filter((e) => e.name === "open").map((e) => e.link);
// A page's beacon tells the link of its scene; all that was said has been heard.
const tells = (page, link) => {
  box.tell({ session: "a", heard: (heard = box.seq), more: false, page, link, short: "" }, () => {});
  trail.told(page, link);
};
const address = () => entries[here].url.pathname;
const later = () => mock.timers.tick(1000);

test("a step of the scene is an entry, and a burst of them is one", () => {
  tells("fan", "n=8");
  tells("fan", "n=9");
  tells("fan", "n=10");
  later();
  tells("fan", "n=11");
  assert.deepEqual(entries.map((e) => e.state.tv.link), ["n=8", "n=10", "n=11"]);
  assert.deepEqual([trail.at, trail.top], [2, 2]);
});

test("Back within a page asks for that entry's scene; a change from there ends what was ahead", () => {
  later();
  trail.step(-1);
  assert.deepEqual([asked(), trail.at, trail.top], [["n=10"], 1, 2]);
  tells("fan", "n=10");
  assert.deepEqual([entries.length, here], [3, 1]);
  later();
  tells("fan", "n=7");
  assert.deepEqual(entries.map((e) => e.state.tv.link), ["n=8", "n=10", "n=7"]);
});

test("Back while another page is on its way leads Streamlit back, and the scene of that entry is opened there", () => {
  later();
  window.history.pushState({}, "", "/hypersimplex?v=1");
  box.leave();                                            // the fan is taken away, and nothing has come yet
  window.history.go(-2);
  assert.deepEqual([led, address(), asked()], [1, "/", []]);
  tells("fan", "n=7");                                    // drawn anew, of the scene as it was left
  assert.deepEqual(asked(), ["n=10"]);
  tells("fan", "n=10");
  assert.deepEqual([here, entries[1].state.tv.link, trail.at], [1, "n=10", 1]);
});

test("a page that is on its way out tells nothing, and one that stays all the same is led away once", () => {
  window.history.pushState({}, "", "/hypersimplex?v=1");
  tells("hypersimplex", "n=4");
  later();
  window.history.go(-1);
  const before = entries.length;
  const already = led;
  tells("hypersimplex", "n=4");                           // its last message, under the other page's address
  tells("hypersimplex", "n=4");
  assert.deepEqual([led, entries.length, entries[here].state.tv.page], [already + 1, before, "fan"]);
  tells("fan", "n=10");
  assert.deepEqual([trail.page, entries[here].state.tv.page, asked()], ["fan", "fan", []]);
});
