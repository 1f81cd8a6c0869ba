import { expect, test } from "vitest";
import { overallBadgeOf } from "../../src/site/overall-badge.ts";
import type { ServiceView } from "../../src/site/view.ts";
import { QUIET_SITE, pairOf, serviceOf } from "./site-fixture.ts";

const failing = serviceOf("fail", { verdict: { ...pairOf("fail"), live: true, sinceMs: 0 } });

test.each<readonly [string, readonly ServiceView[], string, string]>([
  ["an outage", [failing, serviceOf("slow")], "Сбой у 1 сервиса", "bad"],
  [
    "a warning",
    [serviceOf("slow"), serviceOf("ok")],
    "Сбоев не видно, проблемы у 1 сервиса",
    "poor",
  ],
  ["only what lasts", [serviceOf("restricted"), serviceOf("ok")], "Сбоев не видно", "best"],
  ["no data", [serviceOf("none")], "Нет свежих данных", "none"],
])("the badge of all services shows %s", (_, services, message, tone) => {
  const badge = overallBadgeOf(services, "ru");
  expect(badge).toEqual({ label: "Статус сервисов", message, tone });
});

test("the badge may be English", () => {
  expect(overallBadgeOf(QUIET_SITE.services, "en")).toEqual({
    label: "Service status",
    message: "No outages in sight",
    tone: "best",
  });
});
