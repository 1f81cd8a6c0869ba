import { expect, test } from "vitest";
import { looksOf } from "../../src/images/badge/content.ts";
import type { UptimeCount } from "../../src/model/monitor/monitor.ts";
import { renderMonitor } from "../../src/site/pages/monitor.tsx";
import { formatUptime } from "../../src/site/words/chart.ts";
import type { MonitorView } from "../../src/site/view.ts";
import type { XmlElement } from "../../src/verify/site/parse-xml.ts";
import { byClass, byName, only, parsePage, textOf } from "./page.ts";
import { elementsOf } from "./read-xml.ts";
import { NOW_MS, frameOf } from "./site-fixture.ts";
import { MONITORS, monitorOf } from "./monitor-fixture.ts";

function pageOf(monitor: MonitorView): XmlElement {
  return parsePage(renderMonitor(frameOf("ru"), monitor));
}

/** Uptimes by window, as the page shows them. */
function uptimesIn(page: XmlElement): Readonly<Record<string, string>> {
  const tiles = elementsOf(page).filter(({ attributes }) => attributes.has("data-window"));
  return Object.fromEntries(
    tiles.map((tile) => [tile.attributes.get("data-window"), textOf(only(byName(tile, "dd")))]),
  );
}

test("uptimes equal those of the badges", () => {
  const counts = [
    [0, 0],
    [8_640, 8_640],
    [8_640, 8_639],
    [100_000, 99_996],
    [3, 1],
    [7, 0],
  ] as const;
  for (const [decided, healthy] of counts) {
    const count: UptimeCount = { decided, healthy };
    const uptimes = { "24h": count, "7d": count, "30d": count, "90d": count };
    const badges = looksOf(uptimes, { language: "ru" });
    expect(uptimesIn(pageOf(monitorOf({ uptimes })))).toEqual({
      "24h": formatUptime(badges["24h"].message, "ru"),
      "7d": formatUptime(badges["7d"].message, "ru"),
      "30d": formatUptime(badges["30d"].message, "ru"),
      "90d": formatUptime(badges["90d"].message, "ru"),
    });
  }
});

test.each([
  ["healthy", "ok", "Открывается"],
  ["failing", "bad", "Не открывается"],
  ["refused", "warn", "Адрес не проверяется"],
  ["unknown", "none", "Ещё не проверялся"],
] as const)("a monitor that is %s has its light and word", (condition, light, word) => {
  const article = only(byClass(pageOf(monitorOf({ condition })), "monitor"));
  expect(article.attributes.get("data-condition")).toBe(condition);
  expect(article.attributes.get("data-light")).toBe(light);
  expect(textOf(only(byClass(article, "label")))).toBe(word);
});

test("a monitor behind a wall says that, and nothing of its state", () => {
  const page = pageOf(monitorOf({ condition: "unknown", sinceMs: null, warning: "robot-wall" }));
  expect(textOf(only(byClass(page, "label")))).toBe("Отвечает защита от роботов");
  const said = textOf(only(byClass(page, "explains"))).trim();
  expect(said).toMatch(/^Нам отвечает не сайт, а его защита от роботов/u);
  expect(said).not.toContain("Первые данные");
});

test("uptimes have the tones of badges; a checked monitor has its last check", () => {
  const count = (healthy: number): UptimeCount => ({ decided: 10_000, healthy });
  const uptimes = {
    "24h": count(10_000),
    "7d": count(9_950),
    "30d": count(9_800),
    "90d": count(5),
  };
  const tiles = elementsOf(pageOf(monitorOf({ uptimes }))).filter(({ attributes }) =>
    attributes.has("data-tone"),
  );
  const tones = tiles.map(({ attributes }) => attributes.get("data-tone"));
  expect(tones).toEqual(["best", "good", "fair", "bad"]);
  const checkedOf = (condition: MonitorView["condition"]): number =>
    byClass(only(byClass(pageOf(monitorOf({ condition })), "monitor")), "checked").length;
  const conditions = ["healthy", "failing", "refused", "unknown"] as const;
  expect(conditions.map(checkedOf)).toEqual([1, 1, 1, 0]);
});

test("a failing monitor has a reason and a start", () => {
  const [, failing] = MONITORS;
  if (failing === undefined) throw new Error("the fixture has no failing monitor");
  const page = pageOf(failing);
  expect(textOf(only(byClass(page, "explains")))).toContain("сервер отвечает ошибкой");
  expect(textOf(only(byClass(page, "since")))).toBe("21 ноября, 10:55 МСК");
});

test("failures are listed with length and cause, and the feed is linked", () => {
  const page = pageOf(MONITORS[1] ?? monitorOf());
  const list = only(byClass(page, "outages"));
  expect(byName(list, "b").map(textOf)).toEqual(["продолжается", "3 часа", "10 минут"]);
  expect(byClass(list, "cause").map(textOf)).toEqual([
    "сервер отвечает ошибкой",
    "сервер перестал отвечать при установке защищённого соединения (TLS)",
    "сервер отвечает ошибкой",
  ]);
  const links = byName(page, "a").map(({ attributes }) => attributes.get("href"));
  expect(links).toContain("/feed/m/failing.atom");
  expect(textOf(pageOf(monitorOf({ outages: [] })))).toContain("Сбоев мы ещё не видели");
});

test("a warning of a healthy monitor is in the language of the page", () => {
  const warned = monitorOf({ warning: "mixed-addresses" });
  const explains = textOf(only(byClass(pageOf(warned), "explains")));
  expect(explains).toContain("Последняя проверка из Москвы прошла удачно. Но DNS выдаёт");
  expect(textOf(only(byClass(pageOf(monitorOf()), "explains")))).not.toContain("DNS");
  const english = parsePage(renderMonitor(frameOf("en"), warned));
  expect(textOf(only(byClass(english, "explains")))).toContain("may not open for some visitors");
});

test("a new monitor has no numbers", () => {
  const brandNew = MONITORS.find(({ id }) => id === "brand-new") ?? monitorOf();
  const page = pageOf(brandNew);
  expect(new Set(Object.values(uptimesIn(page)))).toEqual(new Set(["нет данных"]));
  expect(byClass(page, "since")).toEqual([]);
  expect(textOf(page)).toContain("нет проверок: 90");
});

test("snippets show the badge and link to the page", () => {
  const page = pageOf(monitorOf({ sinceMs: NOW_MS }));
  const badge = "https://status.example.ru/api/m/my-shop/badge.svg";
  const target = "https://status.example.ru/m/my-shop";
  expect(byName(page, "textarea").map(textOf)).toEqual([
    `<a href="${target}"><img src="${badge}" alt="Доступность" height="20"></a>`,
    `[![Доступность](${badge})](${target})`,
    `[url=${target}][img]${badge}[/img][/url]`,
  ]);
  const ids = byName(page, "textarea").map(({ attributes }) => attributes.get("id"));
  expect(byClass(page, "copy").map(({ attributes }) => attributes.get("data-copy"))).toEqual(ids);
});
