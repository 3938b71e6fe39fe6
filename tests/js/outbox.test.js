import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { scripts } from "./scripts.js";

const { box } = await scripts("outbox");
const soon = () => new Promise((done) => queueMicrotask(() => queueMicrotask(done)));
const posts = [];
const tell = (data) => box.tell({ session: "a", heard: 0, more: false, page: "fan", link: "", ...data }, (_, said) => posts.push(said));

test("what is said is sent with every message until it was heard, and numbers only grow", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  tell({});
  const one = box.say("picture", "click", { x: 1 }), two = box.say("picture", "step", { dx: 1 });
  await soon();
  assert.ok(two > one && box.waits(one));
  assert.deepEqual(posts.at(-1).map((e) => e.name), ["click", "step"]);   // both in one message
  mock.timers.tick(3000);                                                  // unheard: it goes out again
  await soon();
  assert.deepEqual(posts.at(-1).map((e) => e.id), [one, two]);
  box.hear({ session: "a", heard: one });
  assert.ok(!box.waits(one) && box.waits(two));
  tell({ heard: two });                                                    // the beacon has the word: nothing is due
  const sent = posts.length;
  mock.timers.tick(10_000);
  await soon();
  assert.equal(posts.length, sent);
});

test("of words that replace one another the last is sent", async () => {
  box.say("picture", "drag", { x: 1 }, true);
  const last = box.say("picture", "drag", { x: 2 }, true);
  await soon();
  assert.deepEqual(posts.at(-1).map((e) => e.x), [2]);
  box.hear({ session: "a", heard: last });
});

test("what is behind follows when the hand rests, and not while it holds", async () => {
  box.held = "picture";
  tell({ more: true, heard: box.data.heard });
  mock.timers.tick(250);
  await soon();
  assert.equal(box.said.length, 0);
  box.held = "";
  mock.timers.tick(250);
  await soon();
  assert.deepEqual(posts.at(-1).map((e) => e.name), ["rest"]);
  box.hear({ session: "a", heard: posts.at(-1)[0].id });
});

test("another server process hears nothing of what was said to the last", async () => {
  box.say("picture", "click");
  await soon();
  tell({ session: "b", heard: 0 });
  assert.equal(box.said.length, 0);
});
