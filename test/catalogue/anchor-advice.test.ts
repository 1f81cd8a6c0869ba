import { expect, test } from "vitest";
import { adviseOnAnchors } from "../../src/catalogue/anchor-advice.ts";
import type { Anchor } from "../../src/model/catalogue.ts";

function anchor(host: string, changes: Partial<Anchor> = {}): Anchor {
  return { url: `https://${host}/`, scope: "domestic", network: host, ...changes };
}

const GOOD: readonly Anchor[] = [
  anchor("192.0.2.1"),
  anchor("home.example"),
  ...Array.from({ length: 6 }, (_, index) => anchor(`d${index}.example.ru`)),
  ...Array.from({ length: 4 }, (_, index) => anchor(`f${index}.example`, { scope: "foreign" })),
];

test("nothing is advised for twelve anchors in as many networks, by name and by address", () => {
  expect(adviseOnAnchors(GOOD)).toEqual([]);
  expect(adviseOnAnchors([anchor("[2001:db8::1]"), ...GOOD.slice(1)])).toEqual([]);
});

test("too few anchors are told, with their number", () => {
  expect(adviseOnAnchors(GOOD.slice(0, 11))).toEqual([
    "anchors: 11 of them; 12 or more tell a lossy way from services that fail.",
  ]);
});

test("anchors that share networks are told, with the number of networks", () => {
  const crowded = GOOD.map((one, index) => ({ ...one, network: `net ${Math.min(index, 8)}` }));
  expect(adviseOnAnchors(crowded)).toEqual([
    "anchors: in 9 networks; 10 or more show how much of the world is cut off.",
  ]);
});

test("a set of names alone is told", () => {
  const named = [anchor("d9.example.ru"), ...GOOD.slice(1)];
  expect(adviseOnAnchors(named)).toEqual([expect.stringContaining("by its address alone")]);
});

test.each(["home.ru", "home.su", "xn--80a.xn--p1ai"])(
  "domestic anchors that all stand in a zone of the country, as %s does, are told",
  (host) => {
    const zoned = [...GOOD.filter(({ url }) => url !== "https://home.example/"), anchor(host)];
    expect(adviseOnAnchors(zoned)).toEqual([expect.stringContaining("outside .ru")]);
  },
);
