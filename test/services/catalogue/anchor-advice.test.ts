import { expect, test } from "vitest";
import { adviseOnAnchors } from "../../../src/services/catalogue/summary.ts";
import type { Anchor } from "../../../src/model/service/catalogue.ts";

function anchor(host: string, changes: Partial<Anchor> = {}): Anchor {
  return { url: `https://${host}/`, scope: "domestic", network: host, ...changes };
}

const GOOD: readonly Anchor[] = [
  anchor("192.0.2.1"),
  anchor("home.example"),
  ...Array.from({ length: 6 }, (_, index) => anchor(`d${index}.example.ru`)),
  ...Array.from({ length: 4 }, (_, index) => anchor(`f${index}.example`, { scope: "foreign" })),
];

test("twelve anchors in twelve networks, by name and by address, give no advice", () => {
  expect(adviseOnAnchors(GOOD)).toEqual([]);
  expect(adviseOnAnchors([anchor("[2001:db8::1]"), ...GOOD.slice(1)])).toEqual([]);
});

test("too few anchors are reported with their number", () => {
  expect(adviseOnAnchors(GOOD.slice(0, 11))).toEqual([
    "anchors: 11 of them; with 12 or more a run can tell packet loss from services that fail.",
  ]);
});

test("anchors that share networks are reported with the number of networks", () => {
  const crowded = GOOD.map((one, index) => ({ ...one, network: `net ${Math.min(index, 8)}` }));
  expect(adviseOnAnchors(crowded)).toEqual([
    "anchors: in 9 networks; 10 or more show how much of the world is cut off.",
  ]);
  const enough = GOOD.map((one, index) => ({ ...one, network: `net ${Math.min(index, 9)}` }));
  expect(adviseOnAnchors(enough)).toEqual([]);
});

test("a set without an IP address is reported", () => {
  const named = [anchor("d9.example.ru"), ...GOOD.slice(1)];
  expect(adviseOnAnchors(named)).toEqual([
    "anchors: none by its address alone; " +
      "with one a run can tell a broken resolver from a broken network.",
  ]);
});

test.each(["home.ru", "home.su", "xn--80a.xn--p1ai"])(
  "domestic anchors that are all in Russian zones (%s) are reported",
  (host) => {
    const zoned = [...GOOD.filter(({ url }) => url !== "https://home.example/"), anchor(host)];
    expect(adviseOnAnchors(zoned)).toEqual([
      "anchors: no domestic one outside .ru, .su and .рф; " +
        "with one a run can tell a failure of the zone from a broken network.",
    ]);
  },
);
