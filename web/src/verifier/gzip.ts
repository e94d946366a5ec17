/** Gzip (RFC 1952): one member that is the whole of a file. */

import type { Bytes } from "./bytes.ts";

/** Bytes of the end: CRC-32 and size of what was packed, little-endian. */
const TRAILER_BYTES = 8;

export type Unpacked = { bytes: Bytes; broken?: undefined } | { bytes?: undefined; broken: string };

/** Return what is packed, or why it is not whole. Stops after `max` bytes. */
export async function unpack(packed: Bytes, max: number): Promise<Unpacked> {
  const parts: Bytes[] = [];
  let length = 0;
  try {
    const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      parts.push(next.value);
      length += next.value.length;
      if (length > max) break;
    }
  } catch (error) {
    if (length <= max) return { broken: `cannot be unpacked: ${error instanceof Error ? error.message : error}` };
  }
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
  return length > max || endsAs(packed, bytes) ? { bytes } : { broken: "another end than what it holds" };
}

/** Return true if the file's end agrees with its content. Not every engine checks that the end is there. */
function endsAs(packed: Bytes, bytes: Bytes): boolean {
  if (packed.length < TRAILER_BYTES) return false;
  const end = new DataView(packed.buffer, packed.byteOffset + packed.length - TRAILER_BYTES);
  return end.getUint32(0, true) === crc32(bytes) && end.getUint32(4, true) === bytes.length;
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  for (let bit = 0; bit < 8; bit++) byte = byte & 1 ? (byte >>> 1) ^ 0xedb88320 : byte >>> 1;
  return byte;
});

function crc32(bytes: Bytes): number {
  let sum = 0xffffffff;
  for (let i = 0; i < bytes.length; i++) sum = TABLE[(sum ^ bytes[i]!) & 0xff]! ^ (sum >>> 8);
  return ~sum >>> 0;
}
