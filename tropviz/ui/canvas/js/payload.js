// One message from Python: u32 length of the header, u32 zero, JSON header, padding to 8, typed buffers (each padded to 8).
// In the header {"$b": [offset, numbers, type]} stands for an array, {"$m": [offset, bytes]} for a message of its own.
const TYPES = { f4: Float32Array, f8: Float64Array, i4: Int32Array, u1: Uint8Array };

export function unpack(bytes) {
  const b = bytes.byteOffset % 8 ? bytes.slice() : bytes;
  const length = new DataView(b.buffer, b.byteOffset).getUint32(0, true);
  const base = b.byteOffset + 8 + Math.ceil(length / 8) * 8;
  const header = new TextDecoder().decode(b.subarray(8, 8 + length));
  return JSON.parse(header, (_, v) => {
    if (v?.$b) return new TYPES[v.$b[2]](b.buffer, base + v.$b[0], v.$b[1]);
    return v?.$m ? unpack(new Uint8Array(b.buffer, base + v.$m[0], v.$m[1])) : v;
  });
}
