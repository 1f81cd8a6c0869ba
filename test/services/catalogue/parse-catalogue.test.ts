import { execFile } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  parseCatalogue,
  type ParseResult,
} from "../../../src/services/catalogue/parse-catalogue.ts";
import { atDepth, isFull } from "../../depth.ts";
import { HOSTILE_FILES } from "./hostile-files.ts";

const HERE = new URL(".", import.meta.url);
const INVALID = new URL("invalid/", HERE);
const VALID = readFileSync(new URL("valid.yaml", HERE), "utf8");
const MISTAKES = readdirSync(INVALID)
  .filter((file) => file.endsWith(".yaml"))
  .map((file) => file.slice(0, -".yaml".length));

function problemLines(result: ParseResult): string {
  if (result.kind === "ok") return "ok";
  return result.problems
    .map(
      ({ line, column, path, message }) =>
        `${line}:${column} ${path === "" ? "" : `${path}: `}${message}\n`,
    )
    .join("");
}

function parseValid(text: string): Extract<ParseResult, { kind: "ok" }>["catalogue"] {
  const result = parseCatalogue(text);
  if (result.kind === "invalid") throw new Error(problemLines(result));
  return result.catalogue;
}

test.skipIf(isFull).each(MISTAKES)(
  "the mistake %s is reported with its position and a fix",
  (mistake) => {
    const file = readFileSync(new URL(`${mistake}.yaml`, INVALID));
    const expected = readFileSync(new URL(`${mistake}.txt`, INVALID), "utf8");
    expect(problemLines(parseCatalogue(file))).toBe(expected);
  },
);

describe("a valid file", () => {
  test.skipIf(isFull)("gets the default values", () => {
    const [service] = parseValid(VALID).services;
    expect(service?.endpoints).toEqual([
      {
        url: "https://one.example/",
        what: "main site",
        expect: [200, 302],
        denied: { status: 403 },
        isCritical: true,
        sites: ["one.example"],
        trust: "public",
      },
      {
        url: "https://api.one.example/",
        what: "API",
        isCritical: false,
        sites: ["one.example"],
        trust: "public",
      },
    ]);
  });

  test.skipIf(isFull)("without annotations has an empty list", () => {
    const [service] = parseValid(VALID.slice(0, VALID.indexOf("    annotations:"))).services;
    expect(service?.annotations).toEqual([]);
  });

  test.skipIf(isFull)("has its first endpoint critical if none is marked", () => {
    const critical = (text: string): unknown =>
      parseValid(text).services[0]?.endpoints.map(({ isCritical }) => isCritical);
    expect(critical(VALID)).toEqual([true, false]);
    const marked = VALID.replace("what: API", "$&\n        critical: true");
    expect(critical(marked)).toEqual([false, true]);
    const both = marked.replace("what: main site", "$&\n        critical: true");
    expect(critical(both)).toEqual([true, true]);
  });

  test.skipIf(isFull)("describes a domestic service, unless it is marked as abroad", () => {
    expect(parseValid(VALID).services[0]?.isAbroad).toBe(false);
    const text = VALID.replace("category: banks\n", "$&    abroad: true\n");
    expect(parseValid(text).services[0]?.isAbroad).toBe(true);
    expect(parseValid(text).services[0]).not.toHaveProperty("abroad");
  });

  test.skipIf(isFull)("may describe the body, location and redirects of a healthy response", () => {
    const markers = `
        body: Войти
        notBody: [технические работы, "domain is for sale"]
        location: id.example
        redirects: answer
        works: answer`;
    const text = VALID.replace("what: API", `$&${markers}`);
    expect(parseValid(text).services[0]?.endpoints[1]).toMatchObject({
      body: "Войти",
      notBody: ["технические работы", "domain is for sale"],
      location: "id.example",
      redirects: "answer",
      works: "answer",
    });
  });

  test.skipIf(isFull)(
    "may have an endpoint whose owner refuses some, and leads to other sites",
    () => {
      const text = VALID.replace(
        "what: API",
        "$&\n        refuses: [hosting, abroad]\n        leadsTo: [id.example]",
      );
      const [one, other] = parseValid(text).services[0]?.endpoints ?? [];
      expect(other).toMatchObject({
        refuses: ["hosting", "abroad"],
        sites: ["one.example", "id.example"],
      });
      expect(one).not.toHaveProperty("refuses");
      expect(other).not.toHaveProperty("leadsTo");
    },
  );

  test.skipIf(isFull)("may give a single `notBody` text without a list", () => {
    const text = VALID.replace("what: API", "$&\n        notBody: технические работы");
    expect(parseValid(text).services[0]?.endpoints[1]?.notBody).toEqual(["технические работы"]);
  });

  test.skipIf(isFull)("keeps the networks of its anchors", () => {
    const networks = parseValid(VALID).anchors.map(({ network }) => network);
    expect(networks.slice(0, 2)).toEqual(["net a", "net b"]);
  });

  test.skipIf(isFull)("keeps dates unchanged", () => {
    expect(parseValid(VALID).services[0]?.annotations[0]?.since).toBe("2022-11-30");
  });

  test.skipIf(isFull)("keeps a Russian reason, and has none by default", () => {
    const text = VALID.replace("reason: It left.", "$&\n        reasonRu: Ушёл.");
    expect(parseValid(text).services[0]?.annotations).toEqual([
      {
        kind: "provider",
        since: "2022-11-30",
        reason: "It left.",
        reasonRu: "Ушёл.",
        source: { url: "https://news.example/1", title: "News, 30 November 2022" },
      },
    ]);
    expect(parseValid(VALID).services[0]?.annotations[0]).not.toHaveProperty("reasonRu");
  });

  test.skipIf(isFull)("needs no source for an annotation that is only reported", () => {
    const text = VALID.replace(/source: .*/u, "certainty: reported");
    expect(parseValid(text).services[0]?.annotations).toEqual([
      { kind: "provider", since: "2022-11-30", reason: "It left.", certainty: "reported" },
    ]);
  });

  test.skipIf(isFull)("has its URLs normalised", () => {
    const text = VALID.replace("https://api.one.example/", "HTTPS://API.One.example:443");
    expect(parseValid(text).services[0]?.endpoints[1]?.url).toBe("https://api.one.example/");
  });

  test.skipIf(isFull)("has its names trimmed and composed (NFC)", () => {
    const text = VALID.replace("name: Один", 'name: "  \\u0418\\u0306  "');
    expect(parseValid(text).services[0]?.name).toBe("\u0419");
  });

  test.skipIf(isFull)("may have a byte order mark and CRLF line ends", () => {
    const text = `\uFEFF${VALID.replaceAll("\n", "\r\n")}`;
    expect(parseValid(text)).toEqual(parseValid(VALID));
    expect(parseCatalogue(new TextEncoder().encode(text)).kind).toBe("ok");
  });

  test.skipIf(isFull)("may have the same URL for an endpoint and an anchor", () => {
    const text = VALID.replace("https://a.example/", "https://one.example/");
    expect(parseCatalogue(text).kind).toBe("ok");
  });
});

test.skipIf(isFull)("a file over 4 MiB is refused because of its size", () => {
  const padding = "#".padEnd(2_000, "x");
  const result = parseCatalogue(VALID + `${padding}\n`.repeat(2_200));
  expect(problemLines(result)).toBe("1:1 the file is over 4194304 bytes; make it shorter.\n");
});

test.skipIf(isFull)("only the first hundred problems are listed; the others are counted", () => {
  const result = parseCatalogue(VALID + bogusKeys(251));
  if (result.kind === "ok") throw new Error("it was accepted");
  expect(result.problems).toHaveLength(101);
  expect(result.problems.at(-1)?.message).toBe("151 more problems are not shown; fix these first.");
});

function bogusKeys(count: number): string {
  return Array.from({ length: count }, (_, index) => `bogus${index}: 1\n`).join("");
}

/** Files that are empty at some sizes, so they may be valid overlays. */
const BLANK = new Set([
  "block mappings by indentation",
  "carriage returns",
  "comments only",
  "document ends",
  "empty lines",
]);

test.each(isFull ? [4 * 1024 * 1024, 44_000] : [6_000])(
  "hostile files of %i bytes are refused with a small heap",
  async (size) => {
    const script = fileURLToPath(new URL("parse-hostile.ts", HERE));
    const { stdout } = await promisify(execFile)(process.execPath, [
      "--max-old-space-size=200",
      "--import",
      "tsx",
      script,
      String(size),
    ]);
    const answers: unknown[] = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const asOverlay = (name: string): unknown =>
      BLANK.has(name) ? expect.stringMatching(/^(ok|invalid)$/u) : "invalid";
    expect(answers).toEqual(
      Object.keys(HOSTILE_FILES).map((name) => [name, "invalid", asOverlay(name)]),
    );
  },
);

test("a mutated file is accepted, or has problems with positions inside it", () => {
  const scraps = fc.oneof(
    fc.constantFrom(
      "\n",
      "  ",
      "- ",
      ": ",
      "{",
      "}",
      "[",
      "]",
      "&a ",
      "*a",
      "!t ",
      "%",
      "---\n",
      '"',
      "'",
      "|\n",
      "#",
      "\t",
      "<<: ",
      "null",
      "\0",
    ),
    fc.string({ unit: "binary", maxLength: 5 }),
  );
  const edit = fc.record({ at: fc.nat(VALID.length), removed: fc.nat(30), inserted: scraps });
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), (edits) => {
      const text = edits.reduce(
        (before, { at, removed, inserted }) =>
          before.slice(0, at) + inserted + before.slice(at + removed),
        VALID,
      );
      const result = parseCatalogue(text);
      if (result.kind === "ok") return;
      expect(result.problems).not.toHaveLength(0);
      const lines = text.split("\n");
      for (const { line, column, message } of result.problems) {
        expect(line).toBeGreaterThanOrEqual(1);
        expect(column).toBeGreaterThanOrEqual(1);
        expect(column).toBeLessThanOrEqual((lines[line - 1]?.length ?? -1) + 1);
        expect(message).toMatch(/\.$/);
      }
    }),
    { numRuns: atDepth(100, 500) },
  );
});

test.each([
  [99, false],
  [100, true],
  [999, true],
  [1_000, false],
  [403.5, false],
])("%d is a status of HTTP: %s", (status, isStatus) => {
  const result = parseCatalogue(VALID.replace("status: 403", `status: ${status}`));
  expect(result.kind === "ok").toBe(isStatus);
});
