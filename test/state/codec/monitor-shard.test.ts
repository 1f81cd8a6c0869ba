import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { MonitorRecord, UptimeShard } from "../../../src/model/monitor/uptime.ts";
import { decodeShard, encodeShard } from "../../../src/state/codec/monitor-shard.ts";
import { recordOf } from "../../monitors/uptime/samples.ts";

const SHARD: UptimeShard = {
  sequence: 12,
  records: new Map<string, MonitorRecord>([
    [
      "b",
      recordOf({
        firstRun: 4,
        sinceMs: 5,
        response: { hour: 500_031, levels: "_" },
        warning: "mixed-addresses",
        failures: [
          { sinceMs: 1_799_971_200_000, endedAtMs: 1_799_971_500_000, code: "tcp-timeout" },
          { sinceMs: 1_799_972_000_000, endedAtMs: 1_799_972_900_000, code: "tls-reset" },
        ],
      }),
    ],
    [
      "a",
      recordOf({
        firstRun: 2,
        state: "failing",
        code: "tcp-timeout",
        days: [
          { day: 20_833, failed: 2, skipped: 1 },
          { day: 20_835, failed: 0, skipped: 288 },
        ],
        marks: "f.s",
        marksEnd: 9,
        response: { hour: 500_030, levels: "K.L" },
      }),
    ],
    ["__proto__", recordOf({ state: "refused", code: "url-refused" })],
    ["A", recordOf({ state: "unknown", marks: "s", marksEnd: 1 })],
  ]),
};

function jsonOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(gunzipSync(bytes));
}

function messageOf(bytes: Uint8Array): string {
  const decoded = decodeShard(bytes);
  return decoded.kind === "invalid" ? decoded.message : "it was read";
}

/** The message for the stored JSON with one piece replaced. */
function messageAfter(from: string, to: string): string {
  const text = jsonOf(encodeShard(SHARD));
  expect(text).toContain(from);
  return messageOf(gzipSync(text.replace(from, to)));
}

test("a shard is read as it was written, and so is an empty one", () => {
  expect(decodeShard(encodeShard(SHARD))).toEqual({ kind: "ok", value: SHARD });
  const empty = { sequence: 3, records: new Map() };
  expect(decodeShard(encodeShard(empty))).toEqual({ kind: "ok", value: empty });
});

const COLUMNS =
  '"sequence":12,"ids":["A","__proto__","a","b"],' +
  '"firstRunSteps":[1,0,1,2],"sinceSteps":[1799971200000,0,0,-1799971199995],"states":"urfh",' +
  '"exceptions":[[0,null,[],1,"s"],[1,"url-refused",[],0,""],' +
  '[2,"tcp-timeout",[20833,2,1,2,0,288],9,"f.s"]]';

const WARNINGS = '"warnings":[[3,"mixed-addresses"]]';

const FAILURES =
  '"failures":[[3,"tcp-timeout",1799971200000,300000],[3,"tls-reset",1799972000000,900000]]';

const RESPONSES = '"responses":[[2,500030,"K.L"],[3,500031,"_"]]';

test("the layout is the one that is stored", () => {
  expect(jsonOf(encodeShard(SHARD))).toBe(
    `{"format":"status-snapshot/uptime","version":1,${COLUMNS},${RESPONSES},${WARNINGS},${FAILURES}}`,
  );
});

test("the bytes do not depend on the order in which the map was filled", () => {
  const other = { ...SHARD, records: new Map([...SHARD.records].toReversed()) };
  expect(encodeShard(other)).toEqual(encodeShard(SHARD));
});

test.each([
  ['"sequence":12', '"sequence":-1', "sequence"],
  [WARNINGS + ",", "", "warnings"],
  ['"A","__proto__"', '"__proto__","A"', "not in order"],
  ['"A","__proto__","a"', '"A","__proto__","A"', "twice"],
  ['"A","__proto__"', '"","__proto__"', "ids.0"],
  ['"A",', "", "differ in length"],
  ["[1,0,1,2]", "[0,1,1,2]", "not in order"],
  ["[1,0,1,2]", "[1,0,1]", "differ in length"],
  ["-1799971199995", "-1799971200001", "before 1970"],
  ['"urfh"', '"urfx"', "states"],
  ['"urfh"', '"urff"', "b is failing without a code"],
  ['[0,null,[],1,"s"]', '[0,null,[],0,""]', "says nothing"],
  ['[0,null,[],1,"s"]', '[9,null,[],1,"s"]', "do not fit the monitors"],
  ['[0,null,[],1,"s"]', '[1,null,[],1,"s"]', "do not fit the monitors"],
  ["url-refused", "bad-luck", "exceptions.1"],
  ['9,"f.s"', '9,"f.s."', "exceptions.2"],
  ['9,"f.s"', '9,"fxs"', "exceptions.2"],
  ['9,"f.s"', '3,"f.s"', "the marks of a do not fit"],
  ['9,"f.s"', '9,""', "the marks of a do not fit"],
  ['[2,500030,"K.L"]', '[3,500030,"K.L"]', "the response times do not fit"],
  ['[3,500031,"_"]', '[4,500031,"_"]', "the response times do not fit"],
  ['"K.L"', '"K.L."', "responses.0"],
  ['"K.L"', '".K.L"', "responses.0"],
  ['"K.L"', '""', "responses.0"],
  ['"K.L"', '"K~L"', "responses.0"],
  ['"K.L"', `"${"K".repeat(25)}"`, "responses.0"],
  ["500031", "-1", "responses.1"],
  ['[3,"mixed-addresses"]', '[4,"mixed-addresses"]', "the warnings do not fit"],
  ['"mixed-addresses"', '"bad-luck"', "warnings.0"],
  ['[3,"tls-reset"', '[4,"tls-reset"', "the failures do not fit"],
  ['[3,"tls-reset"', '[2,"tls-reset"', "the failures do not fit"],
  ['"tls-reset"', '"bad-luck"', "failures.1"],
  ["900000]", "-1]", "failures.1"],
  ["[20833,2,1,2,0,288]", "[20833,2,1,2,0]", "counts of days"],
  ["[20833,2,1,2,0,288]", "[20833,2,1,0,0,288]", "counts of days"],
  ["[20833,2,1,2,0,288]", "[20833,2,1,2,0,0]", "counts of days"],
  ["[20833,2,1,2,0,288]", "[20833,2,1,2,1,288]", "counts of days"],
  ["[20833,2,1,2,0,288]", "[20833,2.5,1,2,0,288]", "counts of days"],
  ["[20833,2,1,2,0,288]", "[20833,-2,3,2,0,288]", "counts of days"],
  ["[20833,2,1,2,0,288]", '["20833",2,1,2,0,288]', "counts of days"],
])("damage is found: %s made %s", (from, to, said) => {
  const message = messageAfter(from, to);
  expect(message).toContain("the uptime is damaged");
  expect(message).toContain(said);
  expect(message).toMatchSnapshot();
  expect(message).toContain("move it away");
});

test("bytes that are not a shard, or a newer one, have messages of their own", () => {
  expect(messageOf(new Uint8Array())).toContain("empty");
  expect(messageOf(encodeShard(SHARD).subarray(0, 60))).toContain("cut short");
  expect(messageOf(Buffer.from("<html>"))).toContain("not JSON");
  expect(messageOf(Buffer.from([0x7b, 0xff, 0x7d]))).toContain("corrupt");
  expect(messageOf(Buffer.from('{"format":"status-snapshot/state","version":1}'))).toContain(
    "not the uptime of status-snapshot",
  );
  expect(messageAfter('"version":1', '"version":2')).toContain("newer version");
});

test("a bomb is refused", () => {
  const bomb = gzipSync(Buffer.alloc(65 * 1024 * 1024, 0x20));
  expect(bomb.length).toBeLessThan(100_000);
  expect(messageOf(bomb)).toContain("corrupt or cut short");
});

test("a shard that could not be read back is not written", () => {
  const encode = (changes: Partial<MonitorRecord>) => () =>
    encodeShard({ sequence: 1, records: new Map([["a", recordOf(changes)]]) });
  expect(encode({})).not.toThrow();
  expect(encode({ firstRun: 0 })).toThrow(RangeError);
  expect(encode({ sinceMs: 0.5 })).toThrow(RangeError);
  expect(encode({ state: "failing" })).toThrow("a is failing without a code");
  expect(encode({ response: { hour: 9, levels: "" } })).toThrow(RangeError);
  expect(encode({ marks: "f".repeat(289), marksEnd: 900 })).toThrow(RangeError);
});

test("no bytes make decoding throw", () => {
  const bytes = encodeShard(SHARD);
  fc.assert(
    fc.property(fc.nat({ max: bytes.length - 1 }), fc.nat({ max: 255 }), (at, value) => {
      const broken = Uint8Array.from(bytes);
      broken[at] = value;
      expect(["ok", "invalid"]).toContain(decodeShard(broken).kind);
    }),
  );
  fc.assert(
    fc.property(fc.json(), (json) => {
      expect(decodeShard(Buffer.from(json)).kind).toBe("invalid");
    }),
  );
});

/** One sixty-fourth of 100,000 monitors, with different ages up to 90 days, and their records by place. */
function shardOfMany(recordAt: (place: number, roll: number) => Partial<MonitorRecord>) {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const id = fc.string({
    unit: fc.constantFrom(...letters),
    minLength: 22,
    maxLength: 22,
    size: "max",
  });
  const rolls = fc.sample(fc.tuple(id, fc.nat({ max: 25_000 })), { numRuns: 1_563, seed: 1 });
  const entries = rolls.map(([id, roll], place) => {
    const age = { firstRun: roll + 1, sinceMs: 1_800_000_000_000 + roll * 300_007 };
    return [id, recordOf({ ...age, ...recordAt(place, roll) })] as const;
  });
  return encodeShard({ sequence: 9, records: new Map(entries) });
}

test("100,000 monitors of which 1 % fail a little take at most 2.5 MB", () => {
  const trouble: Partial<MonitorRecord> = {
    days: [{ day: 20_833, failed: 3, skipped: 0 }],
    marks: "f..f.f",
    marksEnd: 25_900,
    code: "tcp-timeout",
  };
  const bytes = shardOfMany((place) => (place % 100 === 0 ? trouble : {})).length * 64;
  expect(bytes).toBeGreaterThan(1_600_000);
  expect(bytes).toBeLessThan(2_500_000);
});

test("response times of one monitor in a hundred cost 40 bytes each at most", () => {
  const levels = fc.sample(fc.constantFrom(..."PQRSTUV"), { numRuns: 16 * 24, seed: 3 }).join("");
  const timed = (place: number): Partial<MonitorRecord> => {
    const from = (place / 100) * 24;
    return place % 100 === 0
      ? { response: { hour: 500_000, levels: levels.slice(from, from + 24) } }
      : {};
  };
  const added = shardOfMany(timed).length - shardOfMany(() => ({})).length;
  expect(added / 16).toBeGreaterThan(5);
  expect(added / 16).toBeLessThan(40);
});

test("100,000 monitors of which 20 % flap all day take at most 10 MB", () => {
  const bits = fc.sample(fc.constantFrom("f", "."), { numRuns: 400_000, seed: 2 });
  const flapping = (place: number): Partial<MonitorRecord> => ({
    days: [{ day: 20_833, failed: 144, skipped: 0 }],
    marks: `f${bits.slice(place * 250, place * 250 + 286).join("")}f`,
    marksEnd: 25_900,
    code: "tcp-timeout",
  });
  const bytes = shardOfMany((place) => (place % 5 === 0 ? flapping(place) : {})).length * 64;
  expect(bytes).toBeLessThan(10_000_000);
});
