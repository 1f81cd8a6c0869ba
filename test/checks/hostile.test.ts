import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RAW_KINDS, WORLD_KINDS } from "./hostile-kinds.ts";
import { openHostileLab, type HostileLab } from "./hostile-lab.ts";
import { say } from "./raw-server.ts";

const TEXT = "в наличии";

/** Twenty megabytes of the text, packed. */
const PACKED = gzipSync(TEXT.repeat(1_200_000));
const PACKED_HEAD = `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${PACKED.length}\r\n\r\n`;

let hostile: HostileLab;
beforeAll(async () => {
  hostile = await openHostileLab({ "packed.test": say(PACKED_HEAD + PACKED.toString("latin1")) });
});
afterAll(() => hostile.close());

/** For servers that never come to an end: any speed of the machine is right. */
const SHORT_MS = 3_000;
/** The longest that an owner may ask for, for those whose answers have to come in time. */
const LONGEST_MS = 20_000;

/** What a flood may bring within one look at the clock over loopback, beyond the 4 MiB at which it is ended. */
const MAX_RAW_BYTES = 256 * 1024 * 1024;

const ALL = Object.entries({ ...WORLD_KINDS, ...RAW_KINDS }).map(
  ([name, [, word]]) => [name, word] as const,
);
const isTimeOut = (word: string): boolean => word.endsWith("-timeout");

async function expectBounded(name: string, word: string): Promise<void> {
  const cost = await hostile.checkKind(name, isTimeOut(word) ? SHORT_MS : LONGEST_MS);
  expect(cost.word).toBe(word);
  expect(cost.rawBytes).toBeLessThan(MAX_RAW_BYTES);
  expect(cost.bodyBytes).toBeLessThanOrEqual(64 * 1024);
}

describe("what a stranger's server does to a check ends within bounds, with one verdict", () => {
  test.for(ALL.filter(([, word]) => !isTimeOut(word)))("%s is %s", ([name, word]) =>
    expectBounded(name, word),
  );

  describe("and with the time of the check", { concurrent: true }, () => {
    test.for(ALL.filter(([, word]) => isTimeOut(word)))("%s is %s", ([name, word]) =>
      expectBounded(name, word),
    );
  });
});

describe("a text that is looked for", () => {
  const parts = { body: TEXT, timeoutMs: LONGEST_MS };

  test("is found in the first 256 KiB and nowhere else, and no more is read", async () => {
    for (const [before, word] of [
      [200_000, "healthy"],
      [300_000, "body-unexpected"],
    ] as const) {
      const { lab } = hostile;
      const host = lab.newHost({ kind: "page", body: `${"x".repeat(before)}${TEXT}` });
      const cost = await hostile.check(`https://${host}/`, lab.world.tlsPort, parts);
      expect(cost.word).toBe(word);
      expect(cost.bodyBytes).toBeLessThanOrEqual(256 * 1024);
    }
  });

  test("is not looked for in what a compressed body would unpack to", async () => {
    const cost = await hostile.check("http://packed.test/", hostile.raw.port, parts);
    expect(cost).toMatchObject({ word: "body-unexpected", bodyBytes: PACKED.length });
  });
});
