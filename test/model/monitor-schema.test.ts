import { describe, expect, test } from "vitest";
import { MAX_URL_CHARACTERS } from "../../src/model/host-name.ts";
import {
  CHECKED_MONITOR,
  defaultNameOf,
  MONITOR,
  NO_SETTINGS,
  OWNER_SETTINGS,
  STORED_MONITOR,
} from "../../src/model/monitor/monitor-schema.ts";

const SHOP = { id: "shop", url: "https://shop.example/", name: "Shop", isPublic: true };

const x = (count: number): string => "x".repeat(count);
const urlOf = (length: number): string => `https://a.example/${x(length - 18)}`;

/** A key, with its bounds on both sides. Texts are counted in characters, each of at most two units. */
const BOUNDS = [
  ["id", ["_", x(64)], ["", x(65), "a.b"]],
  ["url", [urlOf(MAX_URL_CHARACTERS)], [urlOf(MAX_URL_CHARACTERS + 1), "ftp://a.example/", "x"]],
  ["name", ["", x(240)], [x(241)]],
  ["expect", [[100], [599], [200, 201]], [[], [99], [600], [200.5], [200, 200]]],
  ["timeoutMs", [1_000, 20_000], [999, 20_001, 1_000.5]],
  ["body", [x(2_000)], [x(2_001)]],
  ["label", [x(80)], [x(81)]],
  ["isPublic", [true, false], ["true", undefined]],
  ["more", [], [1]],
] as const;

describe("a monitor", () => {
  test.each(BOUNDS)("has bounds of its %s", (key, good, bad) => {
    const isTaken = (value: unknown): boolean =>
      MONITOR.safeParse({ ...SHOP, [key]: value }).success;
    expect(good.map(isTaken)).toEqual(good.map(() => true));
    expect(bad.map(isTaken)).toEqual(bad.map(() => false));
  });

  test.each(["expect", "timeoutMs", "body", "label"])("has no undefined %s", (key) => {
    expect(MONITOR.safeParse({ ...SHOP, [key]: undefined }).success).toBe(false);
  });
});

test("a status or a timeout out of bounds is told its bounds", () => {
  const { error } = MONITOR.safeParse({ ...SHOP, expect: [99], timeoutMs: 999 });
  expect(error?.issues.map(({ message }) => message)).toEqual([
    "not an HTTP status; write a whole number from 100 to 599.",
    "write a whole number of milliseconds from 1000 to 20000.",
  ]);
});

test("what is stored stays readable when a bound is lowered", () => {
  const long = {
    ...SHOP,
    name: x(999),
    body: x(9_999),
    label: x(999),
    timeoutMs: 0,
    expect: [999],
  };
  expect(STORED_MONITOR.safeParse(long).success).toBe(true);
  expect(STORED_MONITOR.safeParse({ ...SHOP, timeoutMs: -1 }).success).toBe(false);
  expect(STORED_MONITOR.safeParse({ ...SHOP, id: x(65) }).success).toBe(false);
});

test("a check needs nothing that is only shown", () => {
  expect(CHECKED_MONITOR.safeParse({ id: "shop", url: SHOP.url }).success).toBe(true);
  expect(CHECKED_MONITOR.safeParse(SHOP).success).toBe(false);
});

test("an owner may leave each setting alone, or bring its default back", () => {
  const nulls = { name: null, expect: null, timeoutMs: null, body: null, label: null };
  expect(OWNER_SETTINGS.safeParse({}).success).toBe(true);
  expect(OWNER_SETTINGS.safeParse({ ...nulls, isPublic: false, url: SHOP.url }).success).toBe(true);
  for (const wrong of [{ isPublic: null }, { url: null }, { id: "x" }, { label: 7 }])
    expect(OWNER_SETTINGS.safeParse(wrong).success).toBe(false);
  expect(NO_SETTINGS).toEqual({ expect: null, timeoutMs: null, body: null, label: null });
});

test("a monitor without a name is called by its host, up to 120 characters", () => {
  expect(defaultNameOf("https://Shop.example:8443/x")).toBe("shop.example:8443");
  const host = `${"a".repeat(60)}.${"b".repeat(60)}.example`;
  expect(defaultNameOf(`https://${host}/`)).toBe(host.slice(0, 120));
  expect(() => defaultNameOf("shop")).toThrow();
});
