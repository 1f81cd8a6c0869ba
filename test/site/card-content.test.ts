import { DEFAULT_SITE_SETTINGS } from "../../src/model/site-settings.ts";
import { describe, expect, test } from "vitest";
import {
  cardKey,
  cardOfList,
  cardOfMonitor,
  cardOfService,
  presentCardOf,
  readServiceCardId,
  serviceCardId,
} from "../../src/site/pictures.ts";
import { VERDICT_CODES } from "../../src/contract/codes/verdict.ts";
import { ADDRESS, pairOf } from "./site-fixture.ts";
import { monitorOf } from "./monitor-fixture.ts";

const ROOTED = { ...DEFAULT_SITE_SETTINGS, origin: "http://status.example.ru:8080", root: "/s" };

test("the picture of a service shows its verdict in both languages, and the site", () => {
  const restricted = { code: "restricted", sinceMs: null } as const;
  expect(cardOfService(ADDRESS, "Сервис", restricted)).toEqual({
    title: "Сервис",
    label: "Доступ ограничен в России",
    sublabel: "Access restricted in Russia",
    color: "bad",
    site: "status.example.ru",
  });
  expect(cardOfService(ROOTED, "Сервис", { code: "ok", sinceMs: null }).site).toBe(
    "status.example.ru:8080/s",
  );
});

test("the picture of an outage says since when, in Moscow time", () => {
  const sinceMs = Date.UTC(2026, 10, 23, 2, 58, 59);
  expect(cardOfService(ADDRESS, "Сервис", { code: "fail", sinceMs })).toMatchObject({
    label: "Сбой: не открывается",
    since: "с 23 ноября 2026, 05:58 МСК",
    sublabel: "Outage: does not open, since 23 November 2026, 05:58 MSK",
  });
});

test("each verdict and outage has its own name, so that messengers fetch it again", () => {
  const sinceMs = Date.UTC(2026, 10, 23, 2, 58, 59);
  const named = (code: (typeof VERDICT_CODES)[number]) =>
    cardKey(serviceCardId(presentCardOf("vtb", { ...pairOf(code), live: true, sinceMs })));
  expect(named("fail_long")).toBe("card/vtb.fail_long.202611230258.png");
  expect(named("ok")).toBe("card/vtb.ok.png");
  expect(named("restricted")).toBe("card/vtb.restricted.png");
  const names = VERDICT_CODES.map(named);
  expect(new Set(names).size).toBe(VERDICT_CODES.length);
});

test("a name is read as it was written, to the minute; others are not read", () => {
  for (const code of VERDICT_CODES) {
    const card = presentCardOf("vtb", {
      ...pairOf(code),
      live: true,
      sinceMs: Date.UTC(2026, 1, 3, 4, 5),
    });
    expect(readServiceCardId(serviceCardId(card))).toEqual(card);
  }
  for (const id of ["vtb", "vtb.fail", "vtb.ok.202611230258", "vtb.new", "all-services.outage"])
    expect(readServiceCardId(id), id).toBeUndefined();
  expect(readServiceCardId("vtb.fail.202613990258")).toBeUndefined();
  expect(readServiceCardId("badge/vtb")).toBeUndefined();
});

test.each([
  ["outage", "bad", "Есть сбои", "There are outages"],
  ["warning", "warn", "Сбоев не видно, но есть проблемы", "No outages detected, but some problems"],
  ["ok", "ok", "Сбоев не видно", "No outages detected"],
  ["none", "none", "Нет свежих данных", "No recent data"],
] as const)("the picture of the list shows %s", (situation, color, label, sublabel) => {
  const card = { title: "Статус сервисов", label, sublabel, color, site: "status.example.ru" };
  expect(cardOfList(ADDRESS, situation)).toEqual(card);
});

describe("the picture of a monitor", () => {
  test.each([
    [10_000, "100%", "ok"],
    [9_999, "99%", "ok"],
    [9_900, "99%", "ok"],
    [9_899, "98%", "warn"],
    [9_000, "90%", "warn"],
    [8_999, "89%", "bad"],
    [0, "0%", "bad"],
  ])("of %i healthy checks in 10,000 says %s", (healthy, percent, color) => {
    const uptimes = { ...monitorOf().uptimes, "30d": { decided: 10_000, healthy } };
    expect(cardOfMonitor(ADDRESS, monitorOf({ uptimes }))).toEqual({
      title: "Мой магазин",
      label: `Доступность за 30 дней: ${percent}`,
      sublabel: `30-day uptime: ${percent}`,
      color,
      site: "status.example.ru",
    });
  });

  test("without a check says that there is no data", () => {
    const uptimes = { ...monitorOf().uptimes, "30d": { decided: 0, healthy: 0 } };
    expect(cardOfMonitor(ROOTED, monitorOf({ uptimes }))).toMatchObject({
      label: "Нет данных",
      sublabel: "No data",
      color: "none",
      site: "status.example.ru:8080/s",
    });
  });
});
