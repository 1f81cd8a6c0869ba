import { readFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CONNECTIVITY_STATES } from "../../src/model/connectivity.ts";
import {
  CHECK_CLASSES,
  HOLD_CAUSES,
  type History,
  type ServiceHistory,
} from "../../src/model/history.ts";
import { FAILURES, type FailureCode, type Outcome } from "../../src/model/outcome.ts";
import { ANY_VERSION } from "../../src/model/publication.ts";
import { NO_VERDICTS } from "../../src/model/change.ts";
import { addFolded } from "../../src/model/folded-ids.ts";
import { addRecent, NOBODY_RECENT } from "../../src/model/recent.ts";
import { NO_SURGE, NOTHING_REPORTED, type ServiceReports } from "../../src/model/reports.ts";
import { EMPTY_STATE, type State } from "../../src/model/state.ts";
import { type MonitorChange, NO_MONITORS } from "../../src/model/uptime.ts";
import { decodeState, encodeState } from "../../src/history/codec.ts";
import { failed, ok, resultOf, runMark, serviceHistoryOf, T0, traceOf } from "../model/samples.ts";

const runs = [
  runMark({ atMs: T0 }),
  runMark({ atMs: T0 + 300_123, isCongested: true, connectivity: "lossy" }),
];

const SILENCE: ServiceReports = {
  firstAtMs: 0,
  minutes: [],
  symptoms: [],
  recent: NOBODY_RECENT,
  hours: [],
  surge: NO_SURGE,
};

function idOf(number: number): string {
  return `0000000000001-2f1d8f0a-0000-4000-8000-${number.toString(16).padStart(12, "0")}`;
}

const STATE: State = {
  history: {
    updatedAtMs: T0 + 300_123,
    runs,
    endpoints: new Map([
      ["https://b.ru/", "a!"],
      ["anchor:https://ya.ru/", "kk"],
    ]),
    proven: new Set(["https://b.ru/"]),
    services: new Map([
      [
        "b",
        serviceHistoryOf({
          strip: "uf",
          days: [{ day: 20_833, counts: [1, 0, 0, 0, 0, 1] }],
          lastOutage: { sinceMs: T0, isSinceExact: false, endedAtMs: T0 + 5 },
          sharedCause: "Selectel",
        }),
      ],
    ]),
    held: new Map([
      [
        "b",
        {
          cause: "common-cause",
          checkClass: "failing",
          sinceMs: T0,
          isSinceExact: true,
          lastAtMs: T0,
          runs: 1,
          failingTogether: 4,
        },
      ],
    ]),
  },
  evidence: new Map([
    [
      "b",
      { runAtMs: T0, endpoints: [{ url: "https://b.ru/", result: resultOf(failed("tls-reset")) }] },
    ],
  ]),
  lastRun: {
    startedAtMs: T0,
    durationMs: 1_234,
    validity: "valid",
    connectivity: {
      state: "lossy",
      unreachable: ["https://ya.ru/"],
      lostRatio: 0.05,
      failingZones: ["ru"],
    },
    isCongested: true,
    eventLoopLagMs: 3.5,
    anchors: [
      {
        url: "https://ya.ru/",
        scope: "domestic",
        network: "AS13238 Yandex",
        rounds: [{ phase: "start", tries: [failed("tcp-timeout"), ok()] }],
      },
    ],
  },
  publication: {
    generation: 7,
    marks: ["one", "two"],
    store: "file:public",
    objects: new Map([
      ["api/v1/status", { digest: "ab", etag: "cd", isPublished: true, suspectUntilMs: 0 }],
      ["api/v1/status/b", { digest: null, etag: null, isPublished: false, suspectUntilMs: T0 }],
    ]),
    groups: new Map([
      ["shop", { digest: "1|x", etag: ANY_VERSION, isPublished: true, suspectUntilMs: 0 }],
      ["gone", { digest: null, etag: null, isPublished: false, suspectUntilMs: T0 }],
    ]),
    auditedAtMs: T0,
  },
  monitors: {
    clock: { runs: 3, lastSlot: 9, days: [[20_833, 1]], recentSlots: [5, 7, 9] },
    sequence: 7,
    pending: {
      sequence: 7,
      run: 3,
      slot: 9,
      atMs: T0,
      changes: new Map<string, MonitorChange>([
        ["shop", { kind: "failing", code: "tcp-timeout" }],
        ["__proto__", { kind: "refused", code: "dns-special-address" }],
        ["old", { kind: "gone" }],
        ["new", { kind: "healthy" }],
        ["timed", { kind: "healthy", totalMs: 120 }],
        ["late", { kind: "skipped" }],
      ]),
    },
    shards: [0, 63],
  },
  reports: {
    ledger: {
      services: new Map([
        [
          "b",
          {
            firstAtMs: T0,
            minutes: [
              [28_000_000, 3, 4],
              [28_000_001, 1, 1],
            ],
            symptoms: [[480_000, [1, 0, 2, 0, 0, 1]]],
            recent: addRecent(NOBODY_RECENT, [
              [T0, 2 ** 53 - 1, 1],
              [T0, 0, 1],
              [T0 + 5, 9_007_000_000_000_001, 2 ** 32 - 1],
            ]),
            hours: [[480_000, 7, 1]],
            surge: { phase: "on", startedAtMs: T0, quiet: 1, loudSlot: 5_900_000 },
          },
        ],
        ["quiet", { ...SILENCE, firstAtMs: T0 }],
      ]),
      evaluatedSlot: 5_900_000,
    },
    folded: addFolded(
      addFolded(new Map(), ["0000000000001-x"], T0),
      [1, 2, 3, 2 ** 48 - 1].map(idOf),
      T0 + 1,
    ),
  },
  verdicts: {
    codes: new Map([
      ["b", "fail"],
      ["a", "ok"],
    ]),
    changes: [{ slug: "b", atMs: T0, before: "ok", code: "fail" }],
  },
  baseUrl: "https://status.example.ru/sub",
};

/** The same as version 6 was stored when it was new. */
const STORED = readFileSync(new URL("state-v6.json", import.meta.url), "utf8");

function messageOf(bytes: Uint8Array): string {
  const decoded = decodeState(bytes);
  return decoded.kind === "invalid" ? decoded.message : "it was read";
}

/** The stored JSON of the state with some of it changed, by hand as it were. */
function tampered(change: (text: string) => string): Uint8Array {
  const text = new TextDecoder().decode(gunzipSync(encodeState(STATE)));
  const changed = change(text);
  expect(changed).not.toBe(text);
  return gzipSync(changed);
}

test("the empty state and a full one come back as they were", () => {
  expect(decodeState(encodeState(EMPTY_STATE))).toEqual({ kind: "ok", state: EMPTY_STATE });
  expect(decodeState(encodeState(STATE))).toEqual({ kind: "ok", state: STATE });
});

test("the layout is the one that states out there have", () => {
  expect(JSON.parse(gunzipSync(encodeState(STATE)).toString())).toEqual(JSON.parse(STORED));
  expect(decodeState(gzipSync(STORED))).toEqual({ kind: "ok", state: STATE });
});

test("what the owner of a healthy monitor should know travels in the journal", () => {
  const warned = { kind: "healthy", warning: "mixed-addresses" } as const;
  const changes = new Map<string, MonitorChange>([
    ["warned", warned],
    ["timed", { ...warned, totalMs: 120 }],
    ["quick", { ...warned, totalMs: 0 }],
  ]);
  const pending = { sequence: 8, run: 3, slot: 9, atMs: T0, changes };
  const state: State = { ...EMPTY_STATE, monitors: { ...NO_MONITORS, pending } };
  expect(decodeState(encodeState(state))).toEqual({ kind: "ok", state });
});

test("that DNS gave addresses which may not be used is a part of the evidence", () => {
  const trace = { ...traceOf(7), hasRefusedAddresses: true } as const;
  const result = resultOf({ kind: "ok", trace });
  const evidence = new Map([["a", { runAtMs: T0, endpoints: [{ url: "https://a/", result }] }]]);
  const state: State = { ...EMPTY_STATE, evidence };
  expect(decodeState(encodeState(state))).toEqual({ kind: "ok", state });
});

test("the bytes do not depend on the order in which maps were filled", () => {
  const endpoints = new Map([...STATE.history.endpoints].toReversed());
  const other = { ...STATE, history: { ...STATE.history, endpoints } };
  expect(encodeState(other)).toEqual(encodeState(STATE));
});

test("a key that means something to JavaScript is a key like any other", () => {
  const services = new Map([["__proto__", serviceHistoryOf({ strip: "uu" })]]);
  const state = { ...STATE, history: { ...STATE.history, services } };
  expect(decodeState(encodeState(state))).toEqual({ kind: "ok", state });
});

describe("what cannot be read back is not written", () => {
  test("a track of the wrong length", () => {
    const endpoints = new Map([["https://b.ru/", "aaa"]]);
    const state = { ...STATE, history: { ...STATE.history, endpoints } };
    expect(() => encodeState(state)).toThrow(/https:\/\/b\.ru\/ has 3 runs instead of 2/);
  });

  test("a time that is not a number", () => {
    const state = { ...STATE, history: { ...STATE.history, updatedAtMs: Number.NaN } };
    expect(() => encodeState(state)).toThrow();
  });
});

describe("bytes that are no state", () => {
  const bytes = encodeState(STATE);
  const bomb = gzipSync(Buffer.alloc(65 * 1024 * 1024, " "));
  const text = (content: string): Uint8Array => new TextEncoder().encode(content);

  test.each([
    ["nothing", new Uint8Array(), /the state is empty.*restore it from a copy/],
    ["cut short", bytes.subarray(0, -20), /corrupt or cut short.*restore it/],
    ["a bit flipped", bytes.with(60, (bytes[60] ?? 0) ^ 1), /corrupt.*restore it/],
    ["another file", text("hello"), /no JSON/],
    ["not UTF-8", new Uint8Array([0xff, 0xfe]), /corrupt/],
    ["foreign JSON", text('{"services":[]}'), /not a state of status-snapshot.*--state/],
    ["a JSON list", text("[]"), /not a state of status-snapshot/],
    ["a bomb", bomb, /corrupt or cut short/],
    ["too large", new Uint8Array(64 * 1024 * 1024 + 1), /over 64 MiB/],
    [
      "version 7",
      text('{"format":"status-snapshot/state","version":7}'),
      /written by a newer version.*upgrade/,
    ],
    ["version 0", text('{"format":"status-snapshot/state","version":0}'), /not a state/],
  ])("%s is told apart", (_, given, message) => {
    expect(messageOf(given)).toMatch(message);
  });

  test.each([
    [
      "a class of its own",
      '"checkClass":"up"',
      '"checkClass":"away"',
      /damaged: history\.services\.0\.1\.checkClass/,
    ],
    ["a track too short", '"a!"', '"a"', /track of https:\/\/b\.ru\/ has 1 runs instead of 2/],
    ["a strip too long", '"uf"', '"ufu"', /track of b has 3 runs instead of 2/],
    ["a strange character", '"a!"', '"a\\n"', /damaged: history\.endpoints/],
    ["an unknown field", '"lastRun"', '"more":1,"lastRun"', /damaged.*more/],
    ["two runs at once", ",300123]", ",0]", /two runs have the same time/],
    ["a congested run that is not there", '"congested":[1]', '"congested":[2]', /congested/],
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
  const codes = Object.keys(FAILURES) as FailureCode[]; // its own keys
  const instant = fc.integer({ min: T0, max: T0 + 1e9 });
  const outcome: fc.Arbitrary<Outcome> = fc.oneof(
    fc.nat(30_000).map((ms) => ok(ms)),
    fc.constantFrom(...codes).map((code) => failed(code, { address: "::1", tlsVerified: null })),
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
      checkedAtMs: instant,
      lastOutage: endedSpell,
      lastPartial: endedSpell,
      cleanRuns: fc.nat(3),
      sharedCause: fc.option(fc.string()),
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
        endpoints: mapOf(trackOf("Az-_~!%#$?.^", marks.length)),
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
    verdicts: fc.constantFrom(NO_VERDICTS, STATE.verdicts),
    baseUrl: fc.constantFrom(null, "https://status.example.ru"),
  });

  test("decoding undoes encoding", () => {
    fc.assert(
      fc.property(state, (given) => {
        expect(decodeState(encodeState(given))).toEqual({ kind: "ok", state: given });
      }),
    );
  });
});
