import * as z from "zod";
import { parseObject } from "../api/parse-json.ts";
import { COUNT, findSchemaProblems, FLAG, matching, TEXT } from "../api/schema.ts";

export type ShieldsReading =
  | { readonly kind: "badge"; readonly label: string; readonly message: string }
  | { readonly kind: "no-badge"; readonly problems: readonly string[] };

const FILLED = z.string("a text that is not empty").min(1, "a text that is not empty").optional();

/** Shields draws anything else in grey. */
const COLOR = matching(
  /^(?:#?(?:[\da-f]{3}){1,2}|[a-z]+)$/iu,
  "a hexadecimal colour or a name such as brightgreen",
).optional();

/**
 * For any other field or type, shields shows "invalid properties". Sources: shields.io, "Endpoint Badge", and
 * `services/endpoint-common.js` of badges/shields.
 */
const SHIELD = z.strictObject({
  schemaVersion: z.literal(1, "1"),
  label: TEXT,
  message: FILLED.unwrap(),
  color: COLOR,
  labelColor: COLOR,
  isError: FLAG.optional(),
  namedLogo: FILLED,
  logoSvg: FILLED,
  logoColor: FILLED,
  logoSize: FILLED,
  logoWidth: z.number("a number").optional(),
  style: FILLED,
  cacheSeconds: COUNT.optional(),
});

/** Parses bytes as the JSON of which shields.io draws a badge. Never throws. */
export function readShields(body: Uint8Array): ShieldsReading {
  const json = parseObject(body);
  if (json.kind === "not-json") return { kind: "no-badge", problems: [json.reason] };
  const { data } = SHIELD.safeParse(json.value);
  return data === undefined
    ? { kind: "no-badge", problems: findSchemaProblems(SHIELD, json.value) }
    : { kind: "badge", label: data.label, message: data.message };
}
