import { expect, test } from "vitest";
import {
  ALERTS_KEY,
  AT_ONCE,
  CELL,
  CONFIRMATION,
  ENGINE_PLACE,
  KEPT_DAYS,
  MONITOR_ID,
  oneOf,
  PERIOD,
  seconds,
  SHARE,
  SWITCH,
  TEXT,
  type Text,
  TIME,
  VANTAGE_ID,
  wholeNumber,
} from "../../../src/setup/options/texts.ts";

/** Refused. */
const NO = Symbol("no");

/** The value of a text, or `NO`. */
function valueOf(kind: Text<unknown>, text: string): unknown {
  const read = kind(text);
  return "value" in read ? read.value : NO;
}

const DAY_MS = 86_400_000;
const POINT = `B${"a".repeat(86)}`;
const ANY_SECONDS = seconds(() => true, "give seconds.");

type Row = readonly [name: string, text: string, kind: Text<unknown>, value: unknown];

const ROWS: readonly Row[] = [
  ["TEXT", "", TEXT, ""],
  ["AT_ONCE", "0", AT_ONCE, NO],
  ["AT_ONCE", "1", AT_ONCE, 1],
  ["AT_ONCE", "1024", AT_ONCE, 1_024],
  ["AT_ONCE", "1025", AT_ONCE, NO],
  ["AT_ONCE", "1.5", AT_ONCE, NO],
  ["AT_ONCE", " 7", AT_ONCE, NO],
  ["whole number", "2", wholeNumber(3), NO],
  ["whole number", "3", wholeNumber(3), 3],
  ["whole number", "9999999", wholeNumber(3), 9_999_999],
  ["whole number", "10000000", wholeNumber(3), NO],
  ["whole number", "00000003", wholeNumber(3), NO],
  ["whole minutes", "9", wholeNumber(1, 9, 60_000), 540_000],
  ["seconds", "0", ANY_SECONDS, 0],
  ["seconds", "0.25", ANY_SECONDS, 250],
  ["seconds", "86400", ANY_SECONDS, DAY_MS],
  ["seconds", "86400.5", ANY_SECONDS, NO],
  ["seconds", ".5", ANY_SECONDS, NO],
  ["seconds", "1e2", ANY_SECONDS, NO],
  ["seconds", "-1", ANY_SECONDS, NO],
  ["PERIOD", "0.999", PERIOD, NO],
  ["PERIOD", "1", PERIOD, 1_000],
  ["PERIOD", "86400", PERIOD, DAY_MS],
  ["PERIOD", "86401", PERIOD, NO],
  ["CONFIRMATION", "none", CONFIRMATION, { confirmDelaysMs: [] }],
  ["CONFIRMATION", "0", CONFIRMATION, NO],
  ["CONFIRMATION", "0.1", CONFIRMATION, { confirmDelaysMs: [100] }],
  ["CONFIRMATION", "5,5", CONFIRMATION, NO],
  ["CONFIRMATION", "5,5.1", CONFIRMATION, { confirmDelaysMs: [5_000, 5_100] }],
  ["CONFIRMATION", "5,x", CONFIRMATION, NO],
  ["CONFIRMATION", "", CONFIRMATION, NO],
  ["one of", "of", oneOf(["on", "of"]), "of"],
  ["one of", "off", oneOf(["on", "of"]), NO],
  ["SWITCH", "on", SWITCH, true],
  ["SWITCH", "off", SWITCH, false],
  ["SWITCH", "On", SWITCH, NO],
  ["TIME", "1970-01-01T00:00:00Z", TIME, 0],
  ["TIME", "1969-12-31T23:59:59Z", TIME, NO],
  ["TIME", "1970-01-01 00:00:01.5z", TIME, 1_500],
  ["TIME", "1970-01-01t03:00:00+03:00", TIME, 0],
  ["TIME", "2023-02-29T00:00:00Z", TIME, NO],
  ["TIME", "2024-02-29T00:00:00Z", TIME, Date.UTC(2024, 1, 29)],
  ["TIME", "2024-02-29", TIME, NO],
  ["TIME", "2024-02-29T00:00:00", TIME, NO],
  ["KEPT_DAYS", "forever", KEPT_DAYS, "forever"],
  ["KEPT_DAYS", "39", KEPT_DAYS, NO],
  ["KEPT_DAYS", "40", KEPT_DAYS, 40],
  ["KEPT_DAYS", "40.5", KEPT_DAYS, NO],
  ["SHARE", "0", SHARE, 0],
  ["SHARE", "1", SHARE, 1],
  ["SHARE", "1.01", SHARE, NO],
  ["SHARE", "-0.1", SHARE, NO],
  ["SHARE", ".5", SHARE, NO],
  ["ALERTS_KEY", "off", ALERTS_KEY, null],
  ["ALERTS_KEY", POINT, ALERTS_KEY, POINT],
  ["ALERTS_KEY", `${POINT}a`, ALERTS_KEY, NO],
  ["CELL", "0/1", CELL, { number: 0, of: 1 }],
  ["CELL", "/1", CELL, NO],
  ["CELL", "0/", CELL, NO],
  ["CELL", "0/0", CELL, NO],
  ["CELL", "1/1", CELL, NO],
  ["CELL", "4095/4096", CELL, { number: 4_095, of: 4_096 }],
  ["CELL", "4096/4096", CELL, NO],
  ["CELL", "0/4097", CELL, NO],
  ["CELL", "0/10000", CELL, NO],
  ["CELL", "00000/1", CELL, NO],
  ["CELL", "1", CELL, NO],
  ["VANTAGE_ID", "spb-mobile-2", VANTAGE_ID, "spb-mobile-2"],
  ["VANTAGE_ID", "spb--mobile", VANTAGE_ID, NO],
  ["VANTAGE_ID", "-spb", VANTAGE_ID, NO],
  ["VANTAGE_ID", "Spb", VANTAGE_ID, NO],
  ["MONITOR_ID", "", MONITOR_ID, NO],
  ["MONITOR_ID", "_", MONITOR_ID, "_"],
  ["MONITOR_ID", "x".repeat(64), MONITOR_ID, "x".repeat(64)],
  ["MONITOR_ID", "x".repeat(65), MONITOR_ID, NO],
  ["MONITOR_ID", "x.y", MONITOR_ID, NO],
  ["ENGINE_PLACE", "x".repeat(32), ENGINE_PLACE, "x".repeat(32)],
  ["ENGINE_PLACE", "x".repeat(33), ENGINE_PLACE, NO],
  ["ENGINE_PLACE", "x.y", ENGINE_PLACE, NO],
];

test.each(ROWS)("%s: the value of %j", (_name, text, kind, value) => {
  expect(valueOf(kind, text)).toEqual(value);
});

test("the range of a whole number is in its message", () => {
  expect(wholeNumber(1)("x")).toEqual({ problem: "give a whole number from 1." });
  expect(wholeNumber(1, 9)("x")).toEqual({ problem: "give a whole number from 1 to 9." });
});
