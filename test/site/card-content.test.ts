import { DEFAULT_SITE_SETTINGS } from "../../src/model/site-settings.ts";
import { describe, expect, test } from "vitest";
import { cardId, cardKey, cardOfMonitor, cardOfService } from "../../src/site/card-content.ts";
import { ADDRESS } from "./site-fixture.ts";
import { monitorOf } from "./monitor-fixture.ts";

const ROOTED = { ...DEFAULT_SITE_SETTINGS, origin: "http://status.example.ru:8080", root: "/s" };

test("the picture of a service shows its verdict in both languages, and the site", () => {
  expect(cardOfService(ADDRESS, "Сервис", "restricted_fail")).toEqual({
    title: "Сервис",
    label: "Не открывается в России",
    sublabel: "Does not open in Russia",
    color: "bad",
    site: "status.example.ru",
  });
  expect(cardOfService(ROOTED, "Сервис", "ok").site).toBe("status.example.ru:8080/s");
});

test("each verdict has its own picture name, so that messengers fetch it again", () => {
  expect(cardKey(cardId("vtb", "fail_long"))).toBe("card/vtb.fail_long.png");
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
      label: `Аптайм за 30 дней: ${percent}`,
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
