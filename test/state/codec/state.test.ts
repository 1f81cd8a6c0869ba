import { NO_ARCHIVE } from "../../../src/model/service/archive.ts";
import { NO_ACCURACY } from "../../../src/model/service/accuracy.ts";
import { NO_OWNERS } from "../../../src/model/monitor/owned-monitor.ts";
import { NO_VANTAGES } from "../../../src/model/service/vantage.ts";
import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { CONNECTIVITY_STATES } from "../../../src/model/service/connectivity.ts";
import {
  CHECK_CLASSES,
  HOLD_CAUSES,
  type History,
  type ServiceHistory,
} from "../../../src/model/service/history.ts";
import { FAILURE_CODES } from "../../../src/model/failures.ts";
import type { Outcome } from "../../../src/model/probe-outcome.ts";
import { ANY_VERSION } from "../../../src/model/publication.ts";
import { NO_INCIDENTS, NO_VERDICTS } from "../../../src/model/service/verdict-change.ts";
import { NOTHING_REPORTED } from "../../../src/model/service/reports.ts";
import { EMPTY_STATE, type State } from "../../../src/model/state.ts";
import { type MonitorChange, NO_MONITORS } from "../../../src/model/monitor/uptime.ts";
import { mapOf } from "../../../src/model/stored-maps.ts";
import { storedByField } from "../../../src/state/codec/stored.ts";
import { decodeState, encodeState } from "../../../src/state/codec/state.ts";
import { failed, ok, resultOf, serviceHistoryOf, T0, traceOf } from "../../model/samples.ts";
import { STATE } from "./sample-state.ts";

function messageOf(bytes: Uint8Array): string {
  const decoded = decodeState(bytes);
  return decoded.kind === "invalid" ? decoded.message : "it was read";
}

/** The stored JSON of the state, changed. */
function tampered(change: (text: string) => string): Uint8Array {
  const text = new TextDecoder().decode(gunzipSync(encodeState(STATE)));
  const changed = change(text);
  expect(changed).not.toBe(text);
  return gzipSync(changed);
}

test("the empty state and a full one are read as they were written", () => {
  expect(decodeState(encodeState(EMPTY_STATE))).toEqual({ kind: "ok", value: EMPTY_STATE });
  expect(decodeState(encodeState(STATE))).toEqual({ kind: "ok", value: STATE });
});

test("what was encoded before and what has changed since are both written", () => {
  encodeState(STATE);
  encodeState(EMPTY_STATE);
  const fields = Object.keys(STATE) as (keyof State)[];
  for (const field of fields) {
    const mixed: State = { ...STATE, [field]: EMPTY_STATE[field] };
    expect(decodeState(encodeState(mixed))).toEqual({ kind: "ok", value: mixed });
    expect(encodeState(mixed)).toEqual(encodeState(structuredClone(mixed)));
  }
  expect(fields).toHaveLength(14);
});

test("one value in two fields is written in both", () => {
  const envelope = { name: "it", format: "test", foreign: "foreign" };
  const codes = mapOf(z.string());
  const { encode, decode } = storedByField(envelope, { a: codes, b: codes });
  const one = new Map([["x", "y"]]);
  expect(decode(encode({ a: one, b: one }))).toEqual({ kind: "ok", value: { a: one, b: one } });
});

test("what is over its bound is not written", () => {
  const envelope = { name: "it", format: "test", foreign: "foreign", maxMiB: 1 };
  const { encode } = storedByField(envelope, { a: z.string() });
  expect(() => encode({ a: "x".repeat(2 ** 20) })).toThrow(/^it cannot be stored: over 1 MiB$/u);
});

test("a log of verdicts with more changes than numbers is damaged", () => {
  expect(messageOf(tampered((text) => text.replace('"next":8', '"next":1')))).toContain(
    "there are more changes than numbers",
  );
});

test("warnings of healthy monitors are in the journal", () => {
  const warned = { kind: "healthy", warning: "mixed-addresses" } as const;
  const changes = new Map<string, MonitorChange>([
    ["warned", warned],
    ["timed", { ...warned, totalMs: 120 }],
    ["quick", { ...warned, totalMs: 0 }],
  ]);
  const pending = { sequence: 8, run: 3, slot: 9, atMs: T0, changes };
  const state: State = { ...EMPTY_STATE, monitors: { ...NO_MONITORS, pending } };
  expect(decodeState(encodeState(state))).toEqual({ kind: "ok", value: state });
});

test("the evidence keeps that DNS gave refused addresses", () => {
  const trace = { ...traceOf(7), hasRefusedAddresses: true } as const;
  const result = resultOf({ kind: "ok", trace });
  const evidence = new Map([["a", { runAtMs: T0, endpoints: [{ url: "https://a/", result }] }]]);
  const state: State = { ...EMPTY_STATE, evidence };
  expect(decodeState(encodeState(state))).toEqual({ kind: "ok", value: state });
});

test("the bytes do not depend on the order in which maps were filled", () => {
  const endpoints = new Map([...STATE.history.endpoints].toReversed());
  const other = { ...STATE, history: { ...STATE.history, endpoints } };
  expect(encodeState(other)).toEqual(encodeState(STATE));
});

test("__proto__ is a key like any other", () => {
  const services = new Map([["__proto__", serviceHistoryOf({ strip: "uu" })]]);
  const state = { ...STATE, history: { ...STATE.history, services } };
  expect(decodeState(encodeState(state))).toEqual({ kind: "ok", value: state });
});

describe("a state that cannot be read back is not written", () => {
  test("a track of the wrong length", () => {
    const endpoints = new Map([["https://b.ru/", "aaa"]]);
    const state = { ...STATE, history: { ...STATE.history, endpoints } };
    expect(() => encodeState(state)).toThrow(
      /^the state cannot be stored: history: the track of https:\/\/b\.ru\/ has 3 runs instead of 2$/u,
    );
  });

  test("a time that is not a number", () => {
    const state = { ...STATE, history: { ...STATE.history, updatedAtMs: Number.NaN } };
    expect(() => encodeState(state)).toThrow();
  });
});

describe("bytes that are not a state", () => {
  const bytes = encodeState(STATE);
  const bomb = gzipSync(Buffer.alloc(65 * 1024 * 1024, " "));
  const text = (content: string): Uint8Array => new TextEncoder().encode(content);

  test.each([
    ["nothing", new Uint8Array(), /the state is empty.*restore it from a copy/],
    ["cut short", bytes.subarray(0, -20), /corrupt or cut short.*restore it/],
    ["a bit flipped", bytes.with(60, (bytes[60] ?? 0) ^ 1), /corrupt.*restore it/],
    ["another file", text("hello"), /not JSON/],
    ["not UTF-8", new Uint8Array([0xff, 0xfe]), /corrupt/],
    ["foreign JSON", text('{"services":[]}'), /not the state of status-snapshot.*--state/],
    ["a JSON list", text("[]"), /not the state of status-snapshot/],
    ["a bomb", bomb, /corrupt or cut short/],
    ["too large", new Uint8Array(64 * 1024 * 1024 + 1), /over 64 MiB/],
    [
      "version 2",
      text('{"format":"status-snapshot/state","version":2}'),
      /written by a newer version .*layout 2.*install that version, or restore a backup/,
    ],
    ["version 0", text('{"format":"status-snapshot/state","version":0}'), /not the state of/],
  ])("%s has a message of its own", (_, given, message) => {
    expect(messageOf(given)).toMatch(message);
  });

  test.each([
    [
      "an unknown class",
      '"checkClass":"up"',
      '"checkClass":"away"',
      /damaged: history\.services\.0\.1\.checkClass/,
    ],
    [
      "a track too short",
      '"a!"',
      '"a"',
      /: the track of https:\/\/b\.ru\/ has 1 runs instead of 2/,
    ],
    ["a strip too long", '"uf"', '"ufu"', /: the track of b has 3 runs instead of 2/],
    ["a strange character", '"a!"', '"a\\n"', /damaged: history\.endpoints/],
    ["a missing field", '"isBlocked":false,', "", /damaged: history\.services\.0\.1\.isBlocked/],
    ["a missing part", '"baseUrl":"https://status.example.ru/sub",', "", /damaged: baseUrl/],
    ["two runs at once", ",300123]", ",0]", /two runs have the same time/],
    [
      "a congested run that is not there",
      '"congested":[1]',
      '"congested":[2]',
      /: the list of congested or troubled runs does not fit the runs;/,
    ],
    ["a vantage that counts other URLs", '"urls":1', '"urls":0', /: a list of URLs does not fit;/],
    ["a key twice", '"anchor:https://ya.ru/"', '"https://b.ru/"', /a key occurs twice/],
    [
      "a stage that is not the code's",
      '"stage":"tls"',
      '"stage":"dns"',
      /stage is not that of the code/,
    ],
    ["a count too few", '"counts":[1,', '"counts":[', /damaged.*counts/],
  ])("%s is damage", (_, from, to, message) => {
    expect(messageOf(tampered((json) => json.replace(from, to)))).toMatch(message);
  });
});

test("no bytes make the decoder throw", () => {
  const noise = fc.uint8Array({ maxLength: 300 });
  const zipped = fc.json().map((json) => gzipSync(json));
  fc.assert(
    fc.property(fc.oneof(noise, zipped), (bytes) => {
      expect(decodeState(bytes).kind).toBe("invalid");
    }),
  );
});

describe("for every state", () => {
  const instant = fc.integer({ min: T0, max: T0 + 1e9 });
  const outcome: fc.Arbitrary<Outcome> = fc.oneof(
    fc.nat(30_000).map((ms) => ok(ms)),
    fc
      .constantFrom(...FAILURE_CODES)
      .map((code) => failed(code, { address: "::1", tlsVerified: null })),
    fc.constant<Outcome>({ kind: "denied", trace: traceOf(10, { certExpiresAtMs: T0 }) }),
    fc.constantFrom("deadline", "unconfirmed", "aborted").map((reason): Outcome => {
      return { kind: "skipped", reason };
    }),
  );
  const endedSpell = fc.option(
    fc.record({ sinceMs: instant, isSinceExact: fc.boolean(), endedAtMs: instant }),
  );
  const held = fc.record({
    cause: fc.constantFrom(...HOLD_CAUSES),
    checkClass: fc.constantFrom(...CHECK_CLASSES),
    sinceMs: instant,
    isSinceExact: fc.boolean(),
    lastAtMs: instant,
    runs: fc.nat(9),
    failingTogether: fc.nat(85),
  });
  const serviceOfLength = (length: number): fc.Arbitrary<ServiceHistory> => {
    return fc.record({
      checkClass: fc.constantFrom(...CHECK_CLASSES),
      sinceMs: instant,
      isSinceExact: fc.boolean(),
      isBlocked: fc.boolean(),
      claims: fc.array(fc.record({ url: fc.webUrl(), sinceMs: instant }), { maxLength: 2 }),
      checkedAtMs: instant,
      lastOutage: endedSpell,
      lastPartial: endedSpell,
      sharedCause: fc.option(fc.string()),
      outages: fc.array(
        fc.record({
          sinceMs: instant,
          isSinceExact: fc.boolean(),
          endedAtMs: fc.option(instant),
          code: fc.option(fc.constantFrom(...FAILURE_CODES)),
          failing: fc.nat(),
          counted: fc.nat(),
        }),
      ),
      strip: trackOf("uspdef.", length),
      days: fc.constant([{ day: 1, counts: [1, 2, 3, 4, 5, 6] }]),
    });
  };
  const trackOf = (alphabet: string, length: number): fc.Arbitrary<string> => {
    return fc.string({ unit: fc.constantFrom(...alphabet), minLength: length, maxLength: length });
  };
  const connectivity = fc.constantFrom(...CONNECTIVITY_STATES);
  const history = fc
    .array(fc.tuple(fc.integer({ min: 1, max: 1e6 }), fc.boolean(), connectivity), {
      maxLength: 12,
    })
    .chain((steps): fc.Arbitrary<History> => {
      let atMs = T0;
      const marks = steps.map(([step, isCongested, connectivity]) => {
        return { atMs: (atMs += step), isCongested, connectivity };
      });
      return fc.record({
        updatedAtMs: fc.option(instant),
        runs: fc.constant(marks),
        endpoints: mapOf(trackOf("Az-_~!%#$?.^=", marks.length)),
        proven: fc.array(fc.webUrl(), { maxLength: 3 }).map((urls) => new Set(urls)),
        services: mapOf(serviceOfLength(marks.length)),
        held: mapOf(held),
      });
    });
  const mapOf = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<ReadonlyMap<string, T>> => {
    return fc.array(fc.tuple(fc.string(), value), { maxLength: 5 }).map((pairs) => new Map(pairs));
  };
  const result = fc.record({
    outcome,
    isFlaky: fc.boolean(),
    attempts: fc.array(outcome, { maxLength: 4 }),
  });
  const evidence = fc.record({
    runAtMs: instant,
    endpoints: fc.array(fc.record({ url: fc.webUrl(), result }), { maxLength: 3 }),
  });
  const state: fc.Arbitrary<State> = fc.record({
    history,
    evidence: mapOf(evidence),
    lastRun: fc.constantFrom(null, STATE.lastRun),
    publication: fc.record({
      generation: fc.nat(),
      marks: fc.array(fc.string()),
      store: fc.string(),
      objects: mapOf(
        fc.record({
          digest: fc.option(fc.string()),
          etag: fc.option(fc.string()),
          isPublished: fc.boolean(),
          suspectUntilMs: instant,
        }),
      ),
      groups: mapOf(
        fc.record({
          digest: fc.option(fc.string()),
          etag: fc.constantFrom(null, ANY_VERSION),
          isPublished: fc.boolean(),
          suspectUntilMs: instant,
        }),
      ),
      auditedAtMs: instant,
    }),
    monitors: fc.constantFrom(NO_MONITORS, STATE.monitors),
    reports: fc.constantFrom(NOTHING_REPORTED, STATE.reports),
    vantages: fc.constantFrom(NO_VANTAGES, STATE.vantages),
    owners: fc.constantFrom(NO_OWNERS, STATE.owners),
    archive: fc.constantFrom(NO_ARCHIVE, STATE.archive),
    accuracy: fc.constantFrom(NO_ACCURACY, STATE.accuracy),
    verdicts: fc.constantFrom(NO_VERDICTS, STATE.verdicts),
    incidents: fc.constantFrom(NO_INCIDENTS, STATE.incidents),
    baseUrl: fc.constantFrom(null, "https://status.example.ru"),
    siteSettings: fc.record({
      reportUrl: fc.constantFrom(null, "", "https://reports.example.ru"),
      isSelfService: fc.boolean(),
      people: fc.record(
        { operator: fc.string(), contact: fc.string(), addSite: fc.string() },
        { requiredKeys: [] },
      ),
      pushKey: fc.constantFrom(null, STATE.siteSettings.pushKey),
    }),
  });

  test("decoding undoes encoding", () => {
    fc.assert(
      fc.property(state, (given) => {
        expect(decodeState(encodeState(given))).toEqual({ kind: "ok", value: given });
      }),
    );
  });
});
