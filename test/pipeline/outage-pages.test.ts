import { NO_MONTHS } from "./no-months.ts";
import { expect, test } from "vitest";
import { OUTAGE_SCHEMAS } from "../../src/contract/outages.ts";
import type { ToldOutage, TruthEntry } from "../../src/model/service/accuracy.ts";
import type { Document } from "../../src/model/service/snapshot.ts";
import { EMPTY_STATE } from "../../src/model/state.ts";
import { DAY_MS, MINUTE_MS } from "../../src/model/time.ts";
import { outageKeys, planOutages } from "../../src/pipeline/pages/outage-pages.ts";
import { indexOutages, outageIdOf, outagePath } from "../../src/model/service/outage-ids.ts";
import { groupId } from "../../src/publish/object-groups.ts";
import { toTemplates } from "../../src/site/site-files.ts";
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
  readonly build?: string;
  readonly origin?: string;
  readonly nowMs?: number;
  /** Signatures of the groups that are published. */
  readonly signed?: ReadonlyMap<string, string>;
}

function plan({ outages = [BANK, SHOP], truth = [], known = [], ...more }: Plan = {}) {
  const published = { digest: "old", etag: "", isPublished: true, suspectUntilMs: 0 };
  const signed = new Map([...known.map((id) => [id, "old"] as const), ...(more.signed ?? [])]);
  const groups = new Map(
    [...signed].map(([id, digest]) => [groupId("outage", id), { ...published, digest }]),
  );
  const objects = new Map(more.isFirst === true ? [] : [["x", published]]);
  const state = {
    accuracy: { ...EMPTY_STATE.accuracy, outages },
    publication: { ...EMPTY_STATE.publication, objects, groups },
  };
  const { catalogue = CATALOGUE, origin = ADDRESS.origin, nowMs = NOW_MS } = more;
  const assets = { ...ASSETS, css: more.css ?? ASSETS.css };
  const templates = toTemplates({ ...ADDRESS, origin }, assets, more.build);
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
  expect(outageKeys("index")).toEqual([
    "outages/v1/index.json",
    "outages",
    "en/outages",
    "feed/all-outages.atom",
  ]);
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

test("a day in Moscow is published when it is over, beside its document", async () => {
  const nowMs = at("2026-11-21T21:00");
  const family = plan({ nowMs });
  expect([...plan({ nowMs: nowMs - 1 }).signatures.keys()]).not.toContain("2026-11-21");
  expect([...family.signatures.keys()]).toContain("2026-11-21");
  const built = await family.build("2026-11-21");
  expect(built.map(({ key }) => key)).toEqual([
    "outages/v1/2026-11-21.json",
    "day/2026-11-21",
    "en/day/2026-11-21",
  ]);
  expect(OUTAGE_SCHEMAS.OutageDay.parse(JSON.parse(textOf(built[0]))).outages).toHaveLength(2);
  expect(textOf(built[1])).toContain("<h1>Сбои 21 ноября 2026</h1>");
  const [, list] = await family.build("index");
  expect(textOf(list)).toContain('href="/day/2026-11-21"');
  const [, today] = await plan().build("index");
  expect(textOf(today)).not.toContain('href="/day/');
  const later = plan({ nowMs: nowMs + 3 * DAY_MS });
  expect(later.signatures.get("2026-11-21")).toBe(family.signatures.get("2026-11-21"));
});

test("a day and a month stay as they are when the record forgets an outage of them", () => {
  const nowMs = at("2026-12-01T00:00");
  const both = plan({ nowMs }).signatures;
  const known = (id: string): string => both.get(id) ?? "";
  const less = plan({ nowMs, outages: [SHOP], signed: both }).signatures;
  for (const id of ["2026-11-21", "2026-11"]) expect(less.get(id)).toBe(known(id));
  const more = plan({ nowMs, signed: plan({ nowMs, outages: [SHOP] }).signatures }).signatures;
  for (const id of ["2026-11-21", "2026-11"]) expect(more.get(id)).toBe(known(id));
});

test("what one network took down together is named by it; it has tags", async () => {
  const about = { ...ABOUT, network: "Cloudflare" };
  const operators = {
    shares: [{ operator: "mts", percent: 71, usual: 18 } as const],
    isAlone: false,
  };
  const outages = [
    { ...BANK, about: { ...about, operators } },
    { ...SHOP, about },
  ];
  const family = plan({ outages });
  const [, page = { key: "", body: new Uint8Array() }] = await family.build("index");
  const text = textOf(page as Document);
  expect(text).toContain("12:00: 2 сервиса в сети Cloudflare");
  expect(text).toContain("МТС</span>");
  expect(text).toContain('href="https://db-ip.com"');
  const [document, ru] = await family.build("bank.202611210900");
  expect(OUTAGE_SCHEMAS.Outage.parse(JSON.parse(textOf(document)))).toMatchObject({
    category: "banks",
    operators: { shares: [{ operator: "mts" }] },
  });
  expect(textOf(ru)).toContain("Жалуются чаще обычного: МТС");
});

test("the feed has an entry for the beginning of each outage, and one for its end", async () => {
  const over = { ...BANK, endedAtMs: at("2026-11-21T09:35") };
  const feed = textOf((await plan({ outages: [over, SHOP] }).build("index")).at(-1));
  expect(feed.match(/<entry>/gu)).toHaveLength(4);
  expect(feed).toContain("/status/bank/outages/202611210900");
  expect(feed).toContain("Длился 35 минут.");
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
  const lists = [plan(), plan({ css: "other" }), plan({ build: "other" })];
  expect(new Set(lists.map(({ signatures }) => signatures.get("index"))).size).toBe(3);
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
  const known = indexOutages({ outages: [old, ended, silent] });
  const id = "bank.202611210900";
  expect(known.ofFailure("bank", ABOUT.sinceMs)).toBe(id);
  expect(known.ofFailure("bank", 1_999)).toBe("bank.202610010900");
  expect(known.ofFailure("bank", 2_000)).toBeUndefined();
  expect(known.ofChange("bank", ended.toldAtMs - 400)).toBe(id);
  expect(known.ofChange("bank", ended.endedAtMs + 400)).toBe(id);
  expect(known.ofChange("bank", ended.endedAtMs + 2 * MINUTE_MS)).toBeUndefined();
  expect(known.ofChange("bank", ended.toldAtMs - 2 * MINUTE_MS)).toBeUndefined();
  expect(known.ofChange("shop", silent.toldAtMs)).toBeUndefined();
  expect(known.newest(NOW_MS).map(outageIdOf)).toEqual([id]);
  expect(known.newest(ended.toldAtMs + 31 * DAY_MS)).toEqual([]);
  expect(outagePath(id)).toBe("/status/bank/outages/202611210900");
});

test("a page says when, where, what began together and what became known", async () => {
  const over = { ...BANK, endedAtMs: at("2026-11-21T09:35") };
  const truth = [truthAt("2026-11-21T09:00", { source: "https://bank.example.ru/news" })];
  const family = plan({ outages: [over, SHOP], truth });
  const [, ru, en] = (await family.build("bank.202611210900")).map(textOf);
  expect(ru).toContain("<h1>Сервис bank: сбой 21 ноября 2026, 12:00 МСК</h1>");
  expect(ru).toMatch(/og:image" content="[^"]*\/card\/bank\.fail\.\d{12}\.png"/u);
  expect(ru).toContain("<dd>35 минут</dd>");
  expect(ru).toContain("в России; за границей открывалось");
  expect(ru).toContain('<a href="/status/shop/outages/202611210904">Сервис shop</a>');
  expect(ru).toContain('"@type":"Event"');
  expect(en).toContain('<a href="/en/status/shop/outages/202611210904">Сервис shop</a>');
  expect(en).toContain('<a href="https://bank.example.ru/news"');
  const [, list] = (await family.build("index")).map(textOf);
  // Both in one event of one day.
  expect(list?.match(/<ol class="outages">/gu)).toHaveLength(1);
  expect(list).toContain('<h2 id="day-2026-11-21">21 ноября 2026</h2>');
});
