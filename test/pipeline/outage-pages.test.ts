import { NO_MONTHS } from "./no-months.ts";
import { expect, test } from "vitest";
import { OUTAGE_SCHEMAS } from "../../src/contract/outages.ts";
import type { ToldOutage, TruthEntry } from "../../src/model/service/accuracy.ts";
import type { Document } from "../../src/model/service/snapshot.ts";
import { EMPTY_STATE } from "../../src/model/state.ts";
import { DAY_MS, MINUTE_MS } from "../../src/model/time.ts";
import {
  indexOutagePaths,
  OUTAGES,
  outageKeys,
  planOutages,
} from "../../src/pipeline/pages/outage-pages.ts";
import { groupId } from "../../src/publish/object-groups.ts";
import { toTemplates } from "../../src/site/outage-documents.ts";
import { ABOUT, at, outageAt, truthAt } from "../open-data/accuracy/sample-ledger.ts";
import { ADDRESS, ASSETS } from "../site/site-fixture.ts";
import { catalogueOf, endpointOf, serviceOf } from "../model/samples.ts";

const NOW_MS = at("2026-11-21T10:00");
const CATALOGUE = catalogueOf(
  ["bank", "shop"].map((slug) =>
    serviceOf(slug, [endpointOf(`https://${slug}.example.ru/`, true)]),
  ),
  [],
);
const BANK = outageAt("bank", "2026-11-21T09:00", { about: ABOUT, endedAtMs: null });
const SHOP = outageAt("shop", "2026-11-21T09:04", { about: { ...ABOUT, network: "AS1 One" } });

interface Plan {
  readonly outages?: readonly ToldOutage[];
  readonly truth?: readonly TruthEntry[];
  readonly known?: readonly string[];
  readonly catalogue?: typeof CATALOGUE;
  readonly isFirst?: boolean;
  readonly css?: string;
  readonly origin?: string;
  readonly nowMs?: number;
}

function plan({ outages = [BANK, SHOP], truth = [], known = [], ...more }: Plan = {}) {
  const published = { digest: "old", etag: "", isPublished: true, suspectUntilMs: 0 };
  const groups = new Map(known.map((id) => [groupId(OUTAGES, id), published]));
  const objects = new Map(more.isFirst === true ? [] : [["x", published]]);
  const state = {
    accuracy: { ...EMPTY_STATE.accuracy, outages },
    publication: { ...EMPTY_STATE.publication, objects, groups },
  };
  const { catalogue = CATALOGUE, origin = ADDRESS.origin, nowMs = NOW_MS } = more;
  const templates = toTemplates({ ...ADDRESS, origin }, { ...ASSETS, css: more.css ?? ASSETS.css });
  return planOutages({ catalogue, state, truth, months: NO_MONTHS, nowMs }, origin, templates);
}

const textOf = (document: Document | undefined): string =>
  Buffer.from(document?.body ?? []).toString();

test("each outage has a page in both languages beside its document, in one group", async () => {
  const family = plan();
  expect([...family.signatures.keys()]).toEqual([
    "shop.202611210904",
    "bank.202611210900",
    "index",
  ]);
  for (const id of family.signatures.keys())
    expect((await family.build(id)).map(({ key }) => key)).toEqual(outageKeys(id));
  expect(outageKeys("bank.202611210900")).toEqual([
    "outages/v1/bank/202611210900.json",
    "status/bank/outages/202611210900",
    "en/status/bank/outages/202611210900",
  ]);
  expect(outageKeys("index")).toEqual(["outages/v1/index.json", "outages", "en/outages"]);
  expect(await family.build("gone.202601010000")).toEqual([]);
});

test("the documents fit their schemas, and the list says what began together", async () => {
  const family = plan();
  const [index] = await family.build("index");
  const [month] = await plan({ nowMs: at("2026-12-01T00:00") }).build("2026-11");
  const [bank] = await family.build("bank.202611210900");
  const read = (document: Document | undefined): unknown => JSON.parse(textOf(document));
  expect(OUTAGE_SCHEMAS.OutageIndex.parse(read(index))).toMatchObject({
    outages: [
      { slug: "shop", network: "AS1 One", endSeen: true },
      { slug: "bank", end: null },
    ],
    months: [{ month: "2026-11", outages: 2 }],
  });
  expect(OUTAGE_SCHEMAS.OutageMonth.parse(read(month)).outages).toHaveLength(2);
  expect(OUTAGE_SCHEMAS.Outage.parse(read(bank))).toMatchObject({
    id: "bank.202611210900",
    endSeen: false,
    together: ["shop.202611210904"],
  });
});

test("a month is published when it is over, and again when something in it changes", async () => {
  const nowMs = at("2026-12-01T00:00");
  const { signatures } = plan({ nowMs });
  expect([...signatures.keys()]).toContain("2026-11");
  const other = plan({ nowMs, outages: [{ ...BANK, endedAtMs: nowMs }, SHOP] });
  expect(other.signatures.get("2026-11")).not.toBe(signatures.get("2026-11"));
  const truth = [truthAt("2026-11-21T09:00")];
  expect(plan({ nowMs, truth }).signatures.get("2026-11")).not.toBe(signatures.get("2026-11"));
  expect(plan({ nowMs: nowMs + DAY_MS }).signatures.get("2026-11")).toBe(signatures.get("2026-11"));
});

test("a page is written again for its end and a correction, and for nothing else", () => {
  const id = "bank.202611210900";
  const lasts = plan().signatures.get(id);
  const over = [{ ...BANK, endedAtMs: NOW_MS - MINUTE_MS }, SHOP];
  const ended = plan({ outages: over }).signatures.get(id);
  expect(ended).not.toBe(lasts);
  expect(plan({ outages: over, css: "other" }).signatures.get(id)).toBe(ended);
  const later = outageAt("shop", "2026-11-21T09:55", { about: ABOUT });
  expect(plan({ outages: [...over, later] }).signatures.get(id)).toBe(ended);
  const truth = [truthAt("2026-11-21T09:00")];
  expect(plan({ outages: over, truth }).signatures.get(id)).not.toBe(ended);
  expect(plan({ outages: over, origin: "https://other.ru" }).signatures.get(id)).not.toBe(ended);
  expect(plan({ css: "other" }).signatures.get("index")).not.toBe(plan().signatures.get("index"));
});

test("the address of an outage is permanent", () => {
  const known = ["bank.202411210900", "2024-11", "shop.202611210904"];
  const onlyBank = catalogueOf(CATALOGUE.services.slice(0, 1), []);
  const { signatures } = plan({ known, catalogue: onlyBank });
  // Too old for the record, and of a service that left the catalogue.
  for (const id of known) expect(signatures.get(id)).toBe("old");
  expect(signatures.get("bank.202611210900")).not.toBe("old");
});

test("the first publish has none, so that the API comes first", () => {
  expect(plan({ isFirst: true }).signatures.size).toBe(0);
});

test("failures and changes lead to the page of their outage", () => {
  const ended = { ...BANK, endedAtMs: at("2026-11-21T09:30") };
  const old = outageAt("bank", "2026-10-01T09:00", { about: { ...ABOUT, sinceMs: 1_000 } });
  const silent = outageAt("shop", "2026-11-21T09:00");
  const paths = indexOutagePaths({ outages: [old, ended, silent] }, NOW_MS);
  const path = "/status/bank/outages/202611210900";
  expect(paths.ofFailure("bank", ABOUT.sinceMs)).toBe(path);
  expect(paths.ofFailure("bank", 1_999)).toBe("/status/bank/outages/202610010900");
  expect(paths.ofFailure("bank", 2_000)).toBeUndefined();
  expect(paths.ofChange("bank", ended.toldAtMs - 400)).toBe(path);
  expect(paths.ofChange("bank", ended.endedAtMs + 400)).toBe(path);
  expect(paths.ofChange("bank", ended.endedAtMs + 2 * MINUTE_MS)).toBeUndefined();
  expect(paths.ofChange("bank", ended.toldAtMs - 2 * MINUTE_MS)).toBeUndefined();
  expect(paths.ofChange("shop", silent.toldAtMs)).toBeUndefined();
  expect(paths.newest).toEqual([path]);
  const longAgo = indexOutagePaths({ outages: [ended] }, ended.toldAtMs + 31 * DAY_MS);
  expect(longAgo.newest).toEqual([]);
});

test("a page says when, where, what began together and what became known", async () => {
  const over = { ...BANK, endedAtMs: at("2026-11-21T09:35") };
  const truth = [truthAt("2026-11-21T09:00", { source: "https://bank.example.ru/news" })];
  const family = plan({ outages: [over, SHOP], truth });
  const [, ru, en] = (await family.build("bank.202611210900")).map(textOf);
  expect(ru).toContain("<h1>Сервис bank: сбой 21 ноября 2026, 12:00 МСК</h1>");
  expect(ru).toContain("<dd>35 минут</dd>");
  expect(ru).toContain("в России; за границей открывалось");
  expect(ru).toContain('<a href="/status/shop/outages/202611210904">Сервис shop</a>');
  expect(ru).toContain('"@type":"Event"');
  expect(en).toContain('<a href="/en/status/shop/outages/202611210904">Сервис shop</a>');
  expect(en).toContain('<a href="https://bank.example.ru/news"');
  const [, list] = (await family.build("index")).map(textOf);
  // Both in one event of one day.
  expect(list?.match(/<ol class="outages">/gu)).toHaveLength(1);
  expect(list).toContain('<h2 id="day-2026-11-21">21 ноября</h2>');
});
