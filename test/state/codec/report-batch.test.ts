import { SYMPTOMS } from "../../../src/model/service/choices.ts";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type Report } from "../../../src/model/service/reports.ts";
import { decodeInbox, encodeInbox, MAX_INBOX_REPORTS } from "../../../src/state/inbox.ts";

const MAX_INBOX_BYTES = 1024 * 1024;

const REPORT: Report = { slug: "sberbank", atMs: 1_776_254_400_000, network: "aB3_-", block: "xy" };

const text = (json: unknown) =>
  new TextEncoder().encode(typeof json === "string" ? json : JSON.stringify(json));

const inbox = (reports: unknown, others: object = {}) =>
  text({ format: "status-snapshot/inbox", version: 1, reports, ...others });

test("reports are read as they were written", () => {
  const hash = fc.stringMatching(/^[A-Za-z0-9_-]{1,16}$/);
  const common = {
    slug: fc.constantFrom("sberbank", "a-1"),
    atMs: fc.nat(),
    network: hash,
    block: hash,
  };
  const report: fc.Arbitrary<Report> = fc.oneof(
    fc.record(common),
    fc.record({ ...common, symptom: fc.constantFrom(...SYMPTOMS) }),
  );
  fc.assert(
    fc.property(fc.array(report, { maxLength: 20 }), (reports) => {
      expect(decodeInbox(encodeInbox(reports))).toEqual({ kind: "ok", value: reports });
    }),
  );
});

test("the largest number of reports fits, at their longest", () => {
  const longest: Report = {
    slug: "a".repeat(64),
    atMs: Number.MAX_SAFE_INTEGER,
    network: "n".repeat(16),
    block: "b".repeat(16),
    symptom: "does-not-open",
  };
  const bytes = encodeInbox(Array.from({ length: MAX_INBOX_REPORTS }, () => longest));
  expect(bytes.length).toBeLessThan(MAX_INBOX_BYTES);
  expect(decodeInbox(bytes).kind).toBe("ok");
  expect(() => encodeInbox(Array.from({ length: MAX_INBOX_REPORTS + 1 }, () => REPORT))).toThrow(
    RangeError,
  );
});

test("a report that could not be read back is not written", () => {
  for (const wrong of [
    { atMs: Number.NaN },
    { atMs: 1.5 },
    { atMs: -1 },
    { network: "" },
    { slug: "Sber" },
  ]) {
    expect(() => encodeInbox([{ ...REPORT, ...wrong }])).toThrow(
      "the inbox cannot be stored: reports.0",
    );
  }
});

const ROW = ["sberbank", 1_776_254_400_000, "aB3_-", "xy"];

test.each([
  ["nothing", new Uint8Array(), "the inbox is empty"],
  ["too much", new Uint8Array(MAX_INBOX_BYTES + 1), "the inbox is over 1 MiB"],
  ["half of it", inbox([ROW]).slice(0, 40), "it is not JSON"],
  ["bytes that are not UTF-8", new Uint8Array([0x22, 0xff, 0x22]), "corrupt or cut short"],
  ["nothing but brackets", text("[".repeat(MAX_INBOX_BYTES)), "it is not JSON"],
  ["brackets in brackets", text("[".repeat(400_000) + "]".repeat(400_000)), "not the inbox"],
  ["something else", text({ format: "status-snapshot/state", version: 1 }), "not the inbox"],
  ["a later version", inbox([], { version: 2 }), "install that version"],
  [
    "an unknown field",
    inbox([], { extra: 1 }),
    'newer version of status-snapshot (Unrecognized key: "extra"',
  ],
  ["no list", inbox({}), "damaged: reports"],
  ["a row that is too short", inbox([ROW.slice(0, 3)]), "damaged: reports.0"],
  ["a row that is too long", inbox([[...ROW, "slow", 1]]), "damaged: reports.0"],
  ["an unknown symptom", inbox([[...ROW, "sad"]]), "damaged: reports.0"],
  [
    "an address instead of a hash",
    inbox([["sberbank", 1, "192.0.2.0", "xy"]]),
    "damaged: reports.0",
  ],
  ["a hash that is too long", inbox([["sberbank", 1, "n".repeat(17), "xy"]]), "damaged: reports.0"],
  ["a slug with a path", inbox([["../sberbank", 1, "n", "b"]]), "damaged: reports.0"],
  ["a time as text", inbox([["sberbank", "1", "n", "b"]]), "damaged: reports.0"],
  [
    "too many",
    inbox(Array.from({ length: MAX_INBOX_REPORTS + 1 }, () => ["a", 1, "n", "b"])),
    "damaged: reports",
  ],
])("%s is refused with what is wrong", (_, bytes, message) => {
  const decoded = decodeInbox(bytes);
  expect(decoded).toMatchObject({ kind: "invalid", message: expect.stringContaining(message) });
});
