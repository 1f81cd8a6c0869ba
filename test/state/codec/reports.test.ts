import * as fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod";
import { STORED_REPORTS } from "../../../src/state/codec/reports.ts";
import {
  addRecent,
  NO_RECENT_REPORTS,
  type RecentRow,
} from "../../../src/model/service/recent-reports.ts";
import {
  NO_OPERATORS,
  type HourRow,
  type MinuteRow,
  NO_SURGE,
  type ReportsState,
  type ServiceReports,
} from "../../../src/model/service/reports.ts";

const T0 = Date.UTC(2026, 10, 21, 12);
const WORD = 2 ** 32;

const word = fc.integer({ min: 0, max: WORD - 1 });

const service: fc.Arbitrary<ServiceReports> = fc.record({
  firstAtMs: fc.constant(T0),
  minutes: fc
    .uniqueArray(fc.tuple(word, word, word), { selector: ([minute]) => minute, maxLength: 8 })
    .map((rows): readonly MinuteRow[] => rows.toSorted((a, b) => a[0] - b[0])),
  symptoms: fc.constant([]),
  operators: fc.constant(NO_OPERATORS),
  recent: fc
    .array(
      fc.tuple(
        fc.integer({ min: T0, max: T0 + WORD - 1 }),
        fc.maxSafeNat(),
        word,
        fc.integer({ min: 0, max: 20 }),
      ),
      {
        maxLength: 8,
      },
    )
    .map((rows: readonly RecentRow[]) =>
      addRecent(
        NO_RECENT_REPORTS,
        rows.toSorted((a, b) => a[0] - b[0]),
      ),
    ),
  hours: fc
    .uniqueArray(fc.tuple(word, word, fc.integer({ min: 0, max: 12 })), {
      selector: ([hour]) => hour,
      maxLength: 8,
    })
    .map((rows): readonly HourRow[] => rows.toSorted((a, b) => a[0] - b[0])),
  surge: fc.constant(NO_SURGE),
});

function stateOf(services: Readonly<Record<string, ServiceReports>>): ReportsState {
  return {
    ledger: { services: new Map(Object.entries(services)), evaluatedSlot: -1 },
    folded: new Map([["series", { atMs: T0, ranges: [[1, 5] as const, [8, 8] as const] }]]),
  };
}

/** What is read after JSON, with a change of the JSON. */
function reread(state: ReportsState, change: (json: string) => string = (json) => json) {
  return STORED_REPORTS.safeParse(
    JSON.parse(change(JSON.stringify(z.encode(STORED_REPORTS, state)))),
  );
}

function messageOf(...given: Parameters<typeof reread>): string | undefined {
  return reread(...given).error?.issues[0]?.message;
}

test("every number is read as it was written, up to the largest", () => {
  fc.assert(
    fc.property(service, service, (a, b) => {
      const state = stateOf({ a, b });
      expect(reread(state)).toEqual({ success: true, data: state });
    }),
  );
});

const SERVICE: ServiceReports = {
  firstAtMs: T0,
  minutes: [
    [29_000_000, 3, 4],
    [29_000_002, 1, 1],
  ],
  symptoms: [],
  operators: NO_OPERATORS,
  recent: addRecent(NO_RECENT_REPORTS, [
    [T0, 1, 2],
    [T0 + 7, 3, 4],
  ]),
  hours: [[480_000, 7, 1]],
  surge: NO_SURGE,
};

test.each([
  ["a count that is not a number", NaN, { minutes: [[29_000_000, Number.NaN, 1]] }],
  ["a count below zero", -1, { minutes: [[29_000_000, -1, 1]] }],
  ["a part of a report", 0.5, { hours: [[480_000, 0.5, 0]] }],
  ["minutes out of order", -2, { minutes: SERVICE.minutes.toReversed() }],
  [
    "networks of more than seven weeks",
    WORD,
    { recent: addRecent(SERVICE.recent, [[T0 + WORD, 1, 1]]) },
  ],
] as const)("%s is not stored, because it could not be read back", (_, number, parts) => {
  expect(() => z.encode(STORED_REPORTS, stateOf({ a: { ...SERVICE, ...parts } }))).toThrow(
    new RangeError(`${number} does not fit in 32 bits`),
  );
});

test.each<readonly [string, (json: string) => string]>([
  ["a column that is cut", (json) => json.replace(/"blocks":"..../u, '"blocks":"')],
  ["a column that is longer", (json) => json.replace('"blocks":"', '"blocks":"AAAAAAAA')],
  ["a number too few", (json) => json.replace(/"networks":"[^"]*"/u, '"networks":""')],
  ["a character that is not base64", (json) => json.replace(/"times":"./u, '"times":"!')],
  ["minutes of other lengths", (json) => json.replace(/"minutes":\["[^"]*"/u, '"minutes":[""')],
  ["hours of half a number", (json) => json.replace(/"hours":\["[^"]*"/u, '"hours":["AAA="')],
])("%s is damage", (_, change) => {
  expect(messageOf(stateOf({ a: SERVICE }), change)).toBe("the columns differ in length");
});

test("a range without its end is damage", () => {
  const message = messageOf(stateOf({}), (json) => json.replace("[1,5,8,8]", "[1,5,8]"));
  expect(message).toBe("the numbers of the inbox objects of series are not ranges");
});

test("a quarter of a million networks take five megabytes", () => {
  const rows = Array.from({ length: 250_000 }, (_, place): RecentRow => [T0 + place, place, place]);
  const recent = addRecent(NO_RECENT_REPORTS, rows);
  const bytes = JSON.stringify(
    z.encode(STORED_REPORTS, stateOf({ a: { ...SERVICE, recent } })),
  ).length;
  expect(bytes).toBeLessThan(5_400_000);
});
