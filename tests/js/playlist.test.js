import assert from "node:assert/strict";
import { test } from "node:test";
import { scripts } from "./scripts.js";

const kept = new Map();
window.location = { hash: "#" + new URLSearchParams({ play: "fan?v=1&n=5|https://x.org/app/collapse?v=1&off=3#play=no" }) };
window.sessionStorage = { getItem: (name) => kept.get(name) ?? null, setItem: (name, value) => kept.set(name, value) };
const { playlist, sceneOf, scenesOf } = await scripts("playlist");

test("a scene is read from an address, or from its page and query; what is none is left out", () => {
  assert.deepEqual(sceneOf(" https://x.org/tv/hypersimplex?v=1&n=4 "), { page: "hypersimplex", link: "v=1&n=4" });
  assert.deepEqual(sceneOf("http://localhost:8501/?v=1"), { page: "fan", link: "v=1" });
  assert.equal(sceneOf("fan?n=4"), null);                 // no version: not one of ours
  assert.equal(sceneOf("a line of text"), null);
  assert.equal(scenesOf("one\n\nfan?v=1\n# two").length, 1);
  assert.equal(scenesOf("fan?v=1\n".repeat(1000)).length, 200);
});

test("the list of a link is kept in the tab, and steps end at its ends", () => {
  assert.deepEqual(playlist.scenes, [{ page: "fan", link: "v=1&n=5" }, { page: "collapse", link: "v=1&off=3" }]);
  assert.equal([...kept.values()][0], "fan?v=1&n=5\ncollapse?v=1&off=3");
  assert.deepEqual([0, 1, 1, -1, -1].map((by) => playlist.turn(by).page), ["fan", "collapse", "collapse", "fan", "fan"]);
});

test("a list that was saved is the same list, and so is its link", () => {
  const before = playlist.scenes;
  playlist.set(scenesOf(playlist.text));
  assert.deepEqual(playlist.scenes, before);
  assert.deepEqual(scenesOf(new URLSearchParams(playlist.hash.slice(1)).get("play")), before);
  playlist.add({ page: "fan", link: "v=1" });
  assert.equal(playlist.scenes.length, 3);
  playlist.set([]);
  assert.deepEqual([playlist.hash, playlist.turn(1)], ["", undefined]);
});

test("scenes are moved within the list and taken out one by one", () => {
  playlist.set(scenesOf("fan?v=1\ncollapse?v=1\ntraining?v=1"));
  const pages = () => playlist.scenes.map(({ page }) => page);
  assert.deepEqual([playlist.move(2, -1), pages()], [1, ["fan", "training", "collapse"]]);
  assert.deepEqual([playlist.move(0, -1), playlist.move(2, 1), pages()], [0, 2, ["fan", "training", "collapse"]]);
  playlist.remove(1);
  assert.deepEqual(pages(), ["fan", "collapse"]);
  assert.equal([...kept.values()][0], "fan?v=1\ncollapse?v=1");
});

test("a list in a link that is none is told, and the one of the tab stays", async () => {
  delete window.__tvPlay;
  window.location = { hash: "#play=garbage%%%" };
  const { playlist: again } = await scripts("playlist.js?again=");
  assert.deepEqual([again.unread, again.scenes.map(({ page }) => page)], [true, ["fan", "collapse"]]);
});
