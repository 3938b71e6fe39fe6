import assert from "node:assert/strict";
import { test } from "node:test";
import { scripts } from "./scripts.js";

const { unpack } = await scripts("payload");

function message(header, buffers) {
  const head = new TextEncoder().encode(JSON.stringify(header));
  const pad = (n) => Math.ceil(n / 8) * 8;
  const out = new Uint8Array(8 + pad(head.length) + buffers.reduce((sum, b) => sum + pad(b.byteLength), 0));
  new DataView(out.buffer).setUint32(0, head.length, true);
  out.set(head, 8);
  let at = 8 + pad(head.length);
  for (const b of buffers) { out.set(new Uint8Array(b.buffer), at); at += pad(b.byteLength); }
  return out;
}

test("typed buffers come back as they were, wherever the message begins", () => {
  const x = Float32Array.of(1.5, -2, Number.NaN), i = Int32Array.of(7, -8);
  const bytes = message({ data: [{ x: { $b: [0, 3, "f4"] }, i: { $b: [16, 2, "i4"] } }], meta: { alt: "∆" } }, [x, i]);
  const shifted = new Uint8Array(bytes.length + 3);
  shifted.set(bytes, 3);
  for (const packed of [bytes, shifted.subarray(3)]) {
    const { data: [trace], meta } = unpack(packed);
    assert.deepEqual(trace.x, x);
    assert.deepEqual(trace.i, i);
    assert.equal(meta.alt, "∆");
  }
});
