export type PngReading =
  | {
      readonly kind: "png";
      /** Pixels. */
      readonly width: number;
      readonly height: number;
    }
  | { readonly kind: "no-png"; readonly reason: string };

/** Source: PNG Specification (Third Edition), section 5.2. */
const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");

/** The last chunk, IEND, which is empty, with its checksum. Source: section 11.2.5. */
const END = Buffer.from("0000000049454e44ae426082", "hex");

/** Length, type and 13 bytes of data of the first chunk, which must be IHDR. Source: section 11.2.1. */
const HEADER_BYTES = 21;

/** Reads the size of a PNG, and checks its signature, its header and its end. Never throws. */
export function readPng(body: Uint8Array): PngReading {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const header = bytes.subarray(SIGNATURE.length, SIGNATURE.length + HEADER_BYTES);
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) {
    return { kind: "no-png", reason: "it does not begin with the PNG signature" };
  }
  if (header.length < HEADER_BYTES || header.toString("latin1", 4, 8) !== "IHDR") {
    return { kind: "no-png", reason: "it has no header" };
  }
  if (!bytes.subarray(-END.length).equals(END)) {
    return { kind: "no-png", reason: "its end is missing" };
  }
  return { kind: "png", width: header.readUInt32BE(8), height: header.readUInt32BE(12) };
}
