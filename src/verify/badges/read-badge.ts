import { readSvg, type Svg } from "./svg.ts";
import { findSchemaProblems, parseObject } from "../api/json-document.ts";
import { SHIELDS_SCHEMAS, type ShieldsEndpoint } from "../../contract/shields.ts";

/** Pixels. */
export type Size = readonly [width: number, height: number];

/** What can be read of a badge, and what is wrong with its format. */
export interface BadgeReading {
  readonly problems: readonly string[];
  /** Absent if it cannot be read as what its name says, or is another format. */
  readonly svg?: Svg;
  readonly shield?: ShieldsEndpoint;
  readonly pngSize?: Size;
}

/** Reads a badge by the extension of its name. Never throws. */
export function readBadge(name: string, body: Uint8Array): BadgeReading {
  if (name.endsWith(".png")) return readPng(body);
  if (name.endsWith(".json")) return readShield(body);
  const svg = readSvg(body);
  return typeof svg === "string" ? { problems: [svg] } : { problems: svg.problems, svg };
}

function readShield(body: Uint8Array): BadgeReading {
  const json = parseObject(body);
  if (json.kind === "not-json") return { problems: [json.reason] };
  const { ShieldsEndpoint: schema } = SHIELDS_SCHEMAS;
  const { data } = schema.safeParse(json.value);
  return data === undefined
    ? { problems: findSchemaProblems(schema, json.value).map(({ text }) => text) }
    : { problems: [], shield: data };
}

/** Source: PNG Specification (Third Edition), section 5.2. */
const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");

/** The last chunk, IEND, which is empty, with its checksum. Source: section 11.2.5. */
const END = Buffer.from("0000000049454e44ae426082", "hex");

/** Length, type and 13 bytes of data of the first chunk, which must be IHDR. Source: section 11.2.1. */
const HEADER_BYTES = 21;

/** Checks the signature of a PNG, its header and its end. */
function readPng(body: Uint8Array): BadgeReading {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const header = bytes.subarray(SIGNATURE.length, SIGNATURE.length + HEADER_BYTES);
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE))
    return { problems: ["it does not begin with the PNG signature"] };
  if (header.length < HEADER_BYTES || header.toString("latin1", 4, 8) !== "IHDR")
    return { problems: ["it has no header"] };
  if (!bytes.subarray(-END.length).equals(END)) return { problems: ["its end is missing"] };
  return { problems: [], pngSize: [header.readUInt32BE(8), header.readUInt32BE(12)] };
}
