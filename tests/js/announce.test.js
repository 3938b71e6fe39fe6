import assert from "node:assert/strict";
import { test } from "node:test";
import { scripts } from "./scripts.js";

const { news } = await scripts("announce");

test("of a picture's words those are said that are new; all, where something was taken back", () => {
  const all = "13 cells from -3.5 to 3.5. Selected: {0, 1}. Share of the data: 2.5 %.";
  assert.equal(news(all, "13 cells from -3.5 to 3.5."), "Selected: {0, 1}. Share of the data: 2.5 %.");
  assert.equal(news(all.replace("1}", "2}"), all), "Selected: {0, 2}.");
  assert.equal(news("13 cells from -3.5 to 3.5.", all), "13 cells from -3.5 to 3.5.");
});
