import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FAILURES } from "../../src/model/failures.ts";
import type { Outcome } from "../../src/model/probe-outcome.ts";
import { createProbe, type ProbeTarget } from "../../src/probe/probe.ts";
import { type Act, type RawServer, say, startRawServer } from "../monitors/checks/raw-server.ts";
import {
  BLOCK_PAGES,
  LIMITS,
  NEVER,
  openHarness,
  rulesOf,
  traceOf,
  type Harness,
  storable,
} from "./harness.ts";

let harness: Harness;
let raw: RawServer;
const acts = new Map<string, Act>();
beforeAll(async () => {
  harness = await openHarness();
  raw = await startRawServer((host) => acts.get(host));
});
afterAll(() => Promise.all([harness.close(), raw.close()]));

/** Creates a host with this response. */
function newHost(act: Act): string {
  const host = `raw-${acts.size}.test`;
  acts.set(host, act);
  return host;
}

/** Probes a host of the raw server as a service; the raw server also answers for all redirect targets. */
async function probe(host: string, parts: Partial<ProbeTarget> = {}): Promise<Outcome> {
  const once = createProbe({ ...harness.deps, connectTo: rulesOf([`::127.0.0.1:${raw.port}`]) });
  return storable(await once({ url: `http://${host}/`, trust: "public", ...parts }, 0, NEVER));
}

/** A redirect with these header lines. */
function moved(...lines: readonly string[]): Act {
  return say(["HTTP/1.1 302 Found", ...lines, "Content-Length: 0", "", ""].join("\r\n"));
}

const MALFORMED = { kind: "failed", stage: "http", code: "http-malformed" } as const;

describe("a redirect with an ambiguous or invalid target", () => {
  test.for<[string, ...string[]]>([
    ["two headers", "Location: /a", "Location: /b"],
    ["an empty header next to another", "Location:", "Location: /a"],
    ["16,385 characters", `Location: /${"a".repeat(16_384)}`],
  ])("by %s is malformed and has its status", async ([, ...lines]) => {
    const outcome = await probe(newHost(moved(...lines)));
    expect(outcome).toMatchObject({ ...MALFORMED, trace: { redirects: 0, httpStatus: 302 } });
  });

  test("is malformed on a later hop too", async () => {
    const second = newHost(moved("Location: /a", "Location: /b"));
    const outcome = await probe(newHost(moved(`Location: http://${second}/`)));
    const trace = { redirects: 1, url: `http://${second}/`, httpStatus: 302 };
    expect(outcome).toMatchObject({ ...MALFORMED, trace });
  });

  test("is final if the endpoint expects its status", async () => {
    const host = newHost(moved("Location: /a", "Location: /b"));
    expect(await probe(host, { expect: [302] })).toMatchObject({ kind: "ok" });
  });

  test("is a block page if one of its targets belongs to a filter", async () => {
    const [row, other] = BLOCK_PAGES.filter(({ where }) => where === "location-host");
    for (const lines of [
      [`Location: http://${row?.pattern}/`, `Location: http://${other?.pattern}/`],
      ["Location: /a", `Location: http://${row?.pattern}/`],
      [`Location: http://${row?.pattern}/?url=\xd0\xbf`],
    ]) {
      const outcome = await probe(newHost(moved(...lines)));
      expect(outcome).toMatchObject({ code: "http-block-page", fingerprint: row?.id });
    }
  });
});

test.for([
  ["percent-encoded UTF-8", "/%D0%BF%D1%83%D1%82%D1%8C"],
  ["a space", "/a b"],
  ["16,384 characters", `/${"a".repeat(16_383)}`],
])("a redirect by %s is followed", async ([, location = ""]) => {
  const host = newHost(() => {});
  const paths: string[] = [];
  acts.set(host, (socket) => {
    paths.push(host);
    const answer =
      paths.length === 1 ? moved(`Location: ${location}`) : say("HTTP/1.1 200 OK\r\n\r\n");
    answer(socket);
  });
  expect(await probe(host)).toMatchObject({ kind: "ok", trace: { redirects: 1 } });
});

describe("the time of a server", () => {
  const DATE = "Date: Tue, 15 Nov 1994 08:12:31 GMT";
  const DATE_MS = 784_887_151_000;

  test.for<[told: number | undefined, ...lines: string[]]>([
    [DATE_MS, DATE],
    [DATE_MS, DATE, "Age: 0"],
    [DATE_MS + 90_000, DATE, "Age: 90"],
    [undefined, DATE, "Age: -1"],
    [undefined, DATE, "Age: 1.5"],
    [undefined, DATE, "Age: soon"],
    [undefined, DATE, "Age: 9007199254740992"],
    [undefined, "Date: today"],
    [undefined, "Age: 90"],
  ])("is %s after %j", async ([told, ...lines]) => {
    const times: number[] = [];
    const answer = ["HTTP/1.1 200 OK", ...lines, "Content-Length: 0", "", ""].join("\r\n");
    await probe(newHost(say(answer)), { onServerTime: (ms) => times.push(ms) });
    expect(times).toEqual(told === undefined ? [] : [told]);
  });
});

const ANSWERS = [
  "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\nhello",
  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n0\r\nX: y\r\n\r\n",
  "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
  "HTTP/1.1 302 Found\r\nLocation: /there?a=%D0%BF#c\r\nContent-Length: 0\r\n\r\n",
  "HTTP/1.1 301 Moved\r\nLocation: http://a.test/\r\nConnection: close\r\n\r\nmoved",
  'HTTP/1.1 304 Not Modified\r\nETag: "a"\r\n\r\n',
  "HTTP/1.0 503 Unavailable\r\nRetry-After: 1\r\n\r\nlater",
] as const;

const PARTS = [
  "\r\n",
  "\r\n\r\n",
  "\n",
  "\0",
  ":",
  " ",
  "\t",
  "\xff\xfe",
  "0\r\n\r\n",
  "FFFFFFFFFFFFFFFF",
  "HTTP/1.1 100 Continue\r\n\r\n",
  "HTTP/1.1 101 Switching Protocols\r\n\r\n",
  "HTTP/2 200\r\n",
  "Content-Length: 3\r\n",
  "Content-Length: 99999999999999999999\r\n",
  "Content-Length: -1\r\n",
  "Transfer-Encoding: chunked\r\n",
  "Transfer-Encoding: gzip\r\n",
  "Location: /\r\n",
  "Location: http://[::1\r\n",
  "Location: javascript:1\r\n",
  `Location: /${"x".repeat(3_000)}\r\n`,
  "Connection: upgrade\r\nUpgrade: h2c\r\n",
  "Set-Cookie: a=b\r\n",
  "__proto__: a\r\n",
  "constructor: b\r\n",
] as const;

const byte = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCodePoint(code));
const place = fc.double({ min: 0, max: 1, noNaN: true });

/** One change: replaces some characters at a position by a text. */
const change = fc.record({
  at: place,
  remove: fc.oneof(fc.constant(0), fc.nat(3), fc.nat(40)),
  insert: fc.oneof(fc.constant(""), byte, fc.constantFrom(...PARTS)),
});

/** A changed response, sent in two pieces; the connection is then closed or left open. */
const mutated = fc
  .record({
    answer: fc.constantFrom(...ANSWERS),
    changes: fc.array(change, { minLength: 1, maxLength: 4 }),
    cut: place,
    isClosed: fc.boolean(),
  })
  .map(({ answer, changes, cut, isClosed }) => {
    let text: string = answer;
    for (const { at, remove, insert } of changes) {
      const from = Math.round(at * text.length);
      text = text.slice(0, from) + insert + text.slice(from + remove);
    }
    return { text, cut: Math.round(cut * text.length), isClosed };
  });

function sayInPieces({
  text,
  cut,
  isClosed,
}: {
  text: string;
  cut: number;
  isClosed: boolean;
}): Act {
  const bytes = Buffer.from(text, "latin1");
  return (socket) => {
    socket.write(bytes.subarray(0, cut));
    setImmediate(() => {
      if (socket.destroyed) return;
      if (isClosed) socket.end(bytes.subarray(cut));
      else socket.write(bytes.subarray(cut));
    });
  };
}

test("a probe of any corrupted response ends with a known outcome", async () => {
  const limits = { ...LIMITS, tlsMs: 60, firstByteMs: 60, stallMs: 60, totalMs: 200 };
  await fc.assert(
    fc.asyncProperty(fc.array(mutated, { minLength: 24, maxLength: 24 }), async (answers) => {
      acts.clear();
      const outcomes = await Promise.all(
        answers.map((answer) => probe(newHost(sayInPieces(answer)), { limits })),
      );
      for (const outcome of outcomes) {
        const trace = traceOf(outcome);
        if (outcome.kind === "failed") expect(FAILURES[outcome.code].stage).toBe(outcome.stage);
        else expect(outcome.kind).toBe("ok");
        expect(trace.redirects).toBeLessThanOrEqual(limits.redirects);
        expect(trace.bodyBytes).toBeLessThanOrEqual(trace.rawBytes);
        expect(URL.canParse(trace.url)).toBe(true);
      }
    }),
    { numRuns: 25 },
  );
});
