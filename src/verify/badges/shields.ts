import { type JsonObject, parseObject, show } from "../api/parse-json.ts";

export type ShieldsReading =
  | { readonly kind: "badge"; readonly label: string; readonly message: string }
  | { readonly kind: "no-badge"; readonly problems: readonly string[] };

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string" && value !== "";

/** A hexadecimal colour or a name such as `brightgreen`; shields draws anything else in grey. */
const isColor: Check = (value) =>
  typeof value === "string" && /^(?:#?(?:[\da-f]{3}){1,2}|[a-z]+)$/iu.test(value);

const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;

/**
 * For any other field or type, shields shows "invalid properties". Sources: shields.io, "Endpoint Badge", and
 * `services/endpoint-common.js` of badges/shields.
 */
const REQUIRED: Readonly<Record<string, Check>> = {
  schemaVersion: (value) => value === 1,
  label: (value) => typeof value === "string",
  message: isText,
};
const OPTIONAL: Readonly<Record<string, Check>> = {
  color: isColor,
  labelColor: isColor,
  isError: (value) => typeof value === "boolean",
  namedLogo: isText,
  logoSvg: isText,
  logoColor: isText,
  logoSize: isText,
  logoWidth: (value) => typeof value === "number",
  style: isText,
  cacheSeconds: isCount,
};

/** Parses bytes as the JSON of which shields.io draws a badge. Never throws. */
export function readShields(body: Uint8Array): ShieldsReading {
  const document = parseObject(body);
  if (document.kind === "not-json") return { kind: "no-badge", problems: [document.reason] };
  const { value } = document;
  const problems = findProblems(value);
  const { label, message } = value;
  return problems.length === 0 && typeof label === "string" && typeof message === "string"
    ? { kind: "badge", label, message }
    : { kind: "no-badge", problems };
}

function findProblems(value: JsonObject): readonly string[] {
  const checks = new Map([...Object.entries(REQUIRED), ...Object.entries(OPTIONAL)]);
  return [
    ...Object.keys(REQUIRED)
      .filter((name) => !(name in value))
      .map((name) => `${name} is missing`),
    ...Object.entries(value).flatMap(([name, one]) => {
      const isRight = checks.get(name);
      if (isRight === undefined) return [`${name} is not a field`];
      return isRight(one) ? [] : [`${name} is ${show(one)}`];
    }),
  ];
}
