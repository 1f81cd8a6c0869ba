import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseVantages } from "../../src/vantages/parse-vantages.ts";

/* The example for operators, deploy/vantage/vantages.yaml, and the one in docs/services/vantages.md. */

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

test("the file in the documentation is valid, and has every key", () => {
  const [, yaml = ""] = /```yaml\n(?<yaml>vantages:\n.*?)```/su.exec(PAGE) ?? [];
  const [vantage] = parseOrThrow(yaml);
  const rows = [...PAGE.matchAll(/^\| `(\w+)` \| .+ \|$/gmu)];
  const documented = new Set(rows.map(([, key]) => key));
  const keys = Object.keys(vantage ?? {});
  expect(keys).toHaveLength(6);
  expect(keys.filter((key) => !documented.has(key))).toEqual([]);
});
