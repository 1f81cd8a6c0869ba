import fc from "fast-check";
import { expect, test } from "vitest";
import { parseVantages } from "../../src/vantages/parse-vantages.ts";

const KEY = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";
const OTHER_KEY = "21qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";
const FRA = `{ id: fra, kind: control, country: DE, asn: 24940, network: Hetzner, publicKey: ${KEY} }`;

function problemsOf(text: string): readonly string[] {
  const parsed = parseVantages(text);
  return parsed.kind === "ok"
    ? []
    : parsed.problems.map(({ line, path, message }) => `${line}: ${path}: ${message}`);
}

test("each vantage has its place, its network and its key", () => {
  expect(parseVantages(`vantages:\n  - ${FRA}\n`)).toEqual({
    kind: "ok",
    vantages: [
      {
        id: "fra",
        kind: "control",
        country: "DE",
        asn: 24_940,
        network: "Hetzner",
        publicKey: KEY,
      },
    ],
  });
  expect(parseVantages("vantages: []")).toEqual({ kind: "ok", vantages: [] });
});

test.each([
  ["an id", "id: fra", "id: Fra", "vantages[0].id: not an id"],
  ["a kind", "kind: control", "kind: controll", "vantages[0].kind"],
  ["a country", "country: DE", "country: Germany", "vantages[0].country: not a country"],
  ["a network number", "asn: 24940", "asn: AS24940", "vantages[0].asn"],
  ["a network number of no network", "asn: 24940", "asn: 0", "vantages[0].asn: not the number"],
  ["a key", KEY, "AAAA", "vantages[0].publicKey: not a public key"],
  ["a key that is left out", `, publicKey: ${KEY}`, "", "missing"],
  ["a control in Russia", "country: DE", "country: RU", "a control is in another country"],
  ["a voter abroad", "kind: control", "kind: moscow", "Moscow is in RU"],
  ["an unknown word", "network: Hetzner", "netwerk: Hetzner", 'did you mean "network"?'],
])("%s that is wrong is named with its line", (_, from, to, message) => {
  const problems = problemsOf(`vantages:\n  - ${FRA.replace(from, to)}\n`);
  expect(problems.join("\n")).toContain(message);
  expect(problems).toMatchSnapshot();
  for (const problem of problems) expect(problem).toMatch(/^2: /u);
});

test("two vantages share neither an id nor a key", () => {
  const second = FRA.replace("fra", "hel");
  expect(problemsOf(`vantages:\n  - ${FRA}\n  - ${second}\n`).join()).toContain("same publicKey");
  const third = FRA.replace(KEY, OTHER_KEY);
  expect(problemsOf(`vantages:\n  - ${FRA}\n  - ${third}\n`).join()).toContain("same id");
  expect(problemsOf(`vantages:\n  - ${FRA}\n  - ${second.replace(KEY, OTHER_KEY)}\n`)).toEqual([]);
});

test("more than 32 vantages are refused", () => {
  const many = Array.from({ length: 33 }, (_, at) => `  - ${FRA.replace("fra", `v${at}`)}`);
  expect(problemsOf(`vantages:\n${many.join("\n")}`)).toContain(
    "2: vantages: has too many vantages; give at most 32.",
  );
});

/** A key of so many bytes. */
const keyOf = (bytes: number): string => Buffer.alloc(bytes, 7).toString("base64url");
const MAX_ASN = 4_294_967_295;

test.each([
  ["an id", "id: fra", (size: number) => `id: ${"a".repeat(size)}`, [1, 32], [33]],
  ["a network number", "24940", (asn: number) => `${asn}`, [1, MAX_ASN], [0, 1.5, MAX_ASN + 1]],
  ["a network", "Hetzner", (size: number) => "n".repeat(size), [1, 100], [101]],
  ["a key", KEY, keyOf, [32], [31, 33]],
])("%s has bounds", (_, from, to, good, bad) => {
  const problemsWith = (value: number): readonly string[] =>
    problemsOf(`vantages:\n  - ${FRA.replace(from, to(value))}\n`);
  for (const value of good) expect(problemsWith(value)).toEqual([]);
  for (const value of bad) expect(problemsWith(value)).toHaveLength(1);
});

test.each([
  ["moscow", "RU", []],
  ["moscow", "DE", ["2: vantages[0].kind: Moscow is in RU; elsewhere write control."]],
  ["region", "RU", []],
  ["mobile", "RU", []],
  ["control", "DE", []],
  [
    "control",
    "RU",
    [
      "2: vantages[0].kind: a control is in another country; in Russia write moscow, region or mobile.",
    ],
  ],
])("%s may be in %s: %j", (kind, country, problems) => {
  const text = FRA.replace("control", kind).replace("DE", country);
  expect(problemsOf(`vantages:\n  - ${text}\n`)).toEqual(problems);
});

test("as many as 32 vantages are read", () => {
  const many = Array.from({ length: 32 }, (_, at) => {
    const key = Buffer.alloc(32, at).toString("base64url");
    return `  - ${FRA.replace("fra", `v${at}`).replace(KEY, key)}`;
  });
  expect(problemsOf(`vantages:\n${many.join("\n")}`)).toEqual([]);
});

test("no file makes the parser throw", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json(), fc.uint8Array()), (source) => {
      expect(["ok", "invalid"]).toContain(parseVantages(source).kind);
    }),
  );
});
