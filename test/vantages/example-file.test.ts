import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseVantages } from "../../src/vantages/parse-vantages.ts";

/* The example for operators, deploy/vantage/vantages.yaml, and what docs/services/vantages.md says of its keys. */

const EXAMPLE = readFileSync(new URL("../../deploy/vantage/vantages.yaml", import.meta.url));
const PAGE = readFileSync(new URL("../../docs/services/vantages.md", import.meta.url), "utf8");

function parseOrThrow(source: Uint8Array | string) {
  const parsed = parseVantages(source);
  if (parsed.kind === "ok") return parsed.vantages;
  throw new Error(JSON.stringify(parsed.problems));
}

test("the example has three controls, a voter and a mobile, in five networks", () => {
  const vantages = parseOrThrow(EXAMPLE);
  expect(vantages.map(({ kind }) => kind)).toEqual([
    "control",
    "control",
    "control",
    "moscow",
    "mobile",
  ]);
  expect(new Set(vantages.map(({ asn }) => asn)).size).toBe(vantages.length);
});

test("no control of the example is in Russia, and every other place is", () => {
  const misplaced = parseOrThrow(EXAMPLE).filter(
    ({ kind, country }) => (kind === "control") === (country === "RU"),
  );
  expect(misplaced).toEqual([]);
});

test("every key of the example is documented", () => {
  const rows = [...PAGE.matchAll(/^\| `(\w+)` \| .+ \|$/gmu)];
  const documented = new Set(rows.map(([, key]) => key));
  const keys = new Set(parseOrThrow(EXAMPLE).flatMap((vantage) => Object.keys(vantage)));
  expect(keys.size).toBe(7);
  expect([...keys].filter((key) => !documented.has(key))).toEqual([]);
});
