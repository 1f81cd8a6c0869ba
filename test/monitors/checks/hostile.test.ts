import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RAW_KINDS, INTERNET_KINDS } from "./hostile-kinds.ts";
import { openHostileHarness, type HostileHarness } from "./hostile-harness.ts";
import { say } from "./raw-server.ts";

const TEXT = "в наличии";

/** Twenty megabytes of the text, compressed. */
const PACKED = gzipSync(TEXT.repeat(1_200_000));
const PACKED_HEAD = `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${PACKED.length}\r\n\r\n`;

let hostile: HostileHarness;
beforeAll(async () => {
  hostile = await openHostileHarness({
    "packed.test": say(PACKED_HEAD + PACKED.toString("latin1")),
  });
});
afterAll(() => hostile.close());

/** For servers that never end their response, so any speed of the machine is right. */
const SHORT_MS = 3_000;
/** The largest timeout of an owner, for responses that have to arrive in time. */
const MAX_MS = 20_000;

/** Bytes that a flood may transfer over loopback between two checks of the clock, beyond the limit of 4 MiB. */
const MAX_RAW_BYTES = 256 * 1024 * 1024;

const ALL = Object.entries({ ...INTERNET_KINDS, ...RAW_KINDS }).map(
  ([name, [, word]]) => [name, word] as const,
);
const isTimeOut = (word: string): boolean => word.endsWith("-timeout");

async function expectBounded(name: string, word: string): Promise<void> {
  const cost = await hostile.checkKind(name, isTimeOut(word) ? SHORT_MS : MAX_MS);
  expect(cost.word).toBe(word);
  expect(cost.rawBytes).toBeLessThan(MAX_RAW_BYTES);
  expect(cost.bodyBytes).toBeLessThanOrEqual(4 * 1024);
}

describe("a check of a hostile server ends within limits, with one result", () => {
  test.for(ALL.filter(([, word]) => !isTimeOut(word)))("%s is %s", ([name, word]) =>
    expectBounded(name, word),
  );

  describe("and within the time of the check", { concurrent: true }, () => {
    test.for(ALL.filter(([, word]) => isTimeOut(word)))("%s is %s", ([name, word]) =>
      expectBounded(name, word),
    );
  });
});

describe("an expected text", () => {
  const parts = { body: TEXT, timeoutMs: MAX_MS };

  test("is found only in the first 256 KiB, and no more is read", async () => {
    for (const [before, word] of [
      [200_000, "healthy"],
      [300_000, "body-unexpected"],
    ] as const) {
      const { harness } = hostile;
      const host = harness.newHost({ kind: "page", body: `${"x".repeat(before)}${TEXT}` });
      const cost = await hostile.check(`https://${host}/`, harness.internet.tlsPort, parts);
      expect(cost.word).toBe(word);
      expect(cost.bodyBytes).toBeLessThanOrEqual(256 * 1024);
    }
  });

  test("is found in a compressed body, of which no more is unpacked than 1 MiB", async () => {
    const cost = await hostile.check("http://packed.test/", hostile.raw.port, parts);
    expect(cost).toMatchObject({ word: "healthy", bodyBytes: PACKED.length });
  });
});
