// Gzip (RFC 1952): one member that is the whole of a file.

const TRAILER = 8; // bytes: CRC-32 and size of what was packed, little-endian

/** {bytes} of what is packed, or {broken}: why that is not whole. Stops behind `most` bytes. */
export async function unpack(packed, most) {
  const parts = [];
  let length = 0;
  try {
    const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      parts.push(next.value);
      length += next.value.length;
      if (length > most) break;
    }
  } catch (wrong) {
    if (length <= most) return { broken: `cannot be unpacked: ${wrong.message}` };
  }
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
  return length > most || isOf(packed, bytes) ? { bytes } : { broken: "another end than what it holds" };
}

/** Whether the file ends as what it holds says: not every engine looks whether that end is there. */
function isOf(packed, bytes) {
  if (packed.length < TRAILER) return false;
  const end = new DataView(packed.buffer, packed.byteOffset + packed.length - TRAILER);
  return end.getUint32(0, true) === crc32(bytes) && end.getUint32(4, true) === bytes.length;
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  for (let bit = 0; bit < 8; bit++) byte = byte & 1 ? (byte >>> 1) ^ 0xedb88320 : byte >>> 1;
  return byte;
});

function crc32(bytes) {
  let sum = 0xffffffff;
  for (let i = 0; i < bytes.length; i++) sum = TABLE[(sum ^ bytes[i]) & 0xff] ^ (sum >>> 8);
  return ~sum >>> 0;
}
