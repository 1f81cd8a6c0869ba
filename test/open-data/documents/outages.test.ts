import { expect, test } from "vitest";
import type { OutageAbout, OutageEntry } from "../../../src/model/service/accuracy.ts";
import { listOutages } from "../../../src/open-data/accuracy/report.ts";
import {
  buildOutage,
  buildOutageIndex,
  buildOutagesOf,
  outageKey,
} from "../../../src/open-data/documents/outages.ts";
import { ABOUT, at, outageAt, truthAt } from "../accuracy/sample-ledger.ts";
import { contentOf } from "./read.ts";

const categoryOf = (slug: string) => (slug === "bank" ? "banks" : undefined);
const secondsOf = (text: string): number => at(text) / 1_000;

const UNUSUAL: OutageAbout["operators"] = {
  isAlone: true,
  shares: [{ operator: "mts", percent: 60, usual: 30 }],
};

/** Of the bank, reported, and false by the truth; of the shop, which lasts, has left the catalogue, and began five minutes later. */
const ENTRIES: readonly OutageEntry[] = listOutages(
  {
    outages: [
      outageAt("bank", "2026-10-31T23:58", { about: ABOUT, isReported: true }),
      outageAt("shop", "2026-11-01T00:03", {
        endedAtMs: null,
        about: { ...ABOUT, network: "NET", operators: UNUSUAL },
      }),
    ],
  },
  [truthAt("2026-10-31T23:30", { what: "worked" })],
);

const OF_SHOP = {
  id: "shop.202611010003",
  slug: "shop",
  category: null,
  code: "fail",
  told: secondsOf("2026-11-01T00:03"),
  since: secondsOf("2026-11-02T14:55"),
  end: null,
  endSeen: false,
  scope: "russia",
  cause: "tls-reset",
  failing: 1,
  counted: 3,
  network: "NET",
  operators: { shares: [{ operator: "mts", share: 60, usual: 30 }], alone: true },
  reported: false,
  truth: null,
  sources: [],
  together: ["bank.202610312358"],
};

const OF_BANK = {
  ...OF_SHOP,
  id: "bank.202610312358",
  slug: "bank",
  category: "banks",
  told: secondsOf("2026-10-31T23:58"),
  end: secondsOf("2026-11-01T00:03"),
  endSeen: true,
  network: null,
  operators: null,
  reported: true,
  truth: "false",
  sources: ["https://bank.example.ru/news"],
  together: ["shop.202611010003"],
};

test("an outage has its own document with everything that is known of it", () => {
  const documents = ENTRIES.map((one) => buildOutage(one, categoryOf));
  expect(documents.map(({ key }) => key)).toEqual([
    "outages/v1/shop/202611010003.json",
    "outages/v1/bank/202610312358.json",
  ]);
  expect(documents.map(contentOf)).toEqual([OF_SHOP, OF_BANK]);
});

test("an end that no check saw is told as such", () => {
  const [shop, bank] = ENTRIES;
  if (shop === undefined || bank === undefined) throw new Error("two are expected");
  const seen = [
    { ...bank, isEndUnseen: true },
    { ...shop, isEndUnseen: true },
  ];
  expect(seen.map((one) => contentOf(buildOutage(one, categoryOf)).endSeen)).toEqual([
    false,
    false,
  ]);
});

test("the index has the newest 300, and how many each month has", () => {
  const index = buildOutageIndex(ENTRIES, categoryOf);
  expect(index.key).toBe("outages/v1/index.json");
  expect(contentOf(index)).toEqual({
    outages: [OF_SHOP, OF_BANK],
    months: [
      { month: "2026-11", outages: 1 },
      { month: "2026-10", outages: 1 },
    ],
  });
  const many = Array.from({ length: 151 }, () => ENTRIES).flat();
  const { outages, months } = contentOf(buildOutageIndex(many, categoryOf));
  expect([outages.length, months[0].outages]).toEqual([300, 151]);
});

test("a day and a month list their outages under their name", () => {
  const day = buildOutagesOf("2026-11-01", ENTRIES.slice(0, 1), categoryOf);
  expect([day.key, contentOf(day)]).toEqual([
    "outages/v1/2026-11-01.json",
    { date: "2026-11-01", outages: [OF_SHOP] },
  ]);
  const month = buildOutagesOf("2026-10", ENTRIES.slice(1), categoryOf);
  expect([month.key, contentOf(month)]).toEqual([
    outageKey("2026-10"),
    { month: "2026-10", outages: [OF_BANK] },
  ]);
});
