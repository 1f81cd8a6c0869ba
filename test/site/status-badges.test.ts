import { expect, test } from "vitest";
import {
  overallBadgeOf,
  pictureKeys,
  serviceBadgeId,
  serviceBadgeOf,
} from "../../src/site/pictures.ts";
import type { ServiceView } from "../../src/site/view.ts";
import { QUIET_SITE } from "./quiet-site.ts";
import { pairOf, serviceOf } from "./site-fixture.ts";

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
    message: "No outages detected",
    tone: "best",
  });
  const messageOf = (services: readonly ServiceView[]) => overallBadgeOf(services, "en").message;
  expect(messageOf([failing])).toBe("1 service has an outage");
  expect(messageOf([failing, failing])).toBe("2 services have an outage");
  expect(messageOf([serviceOf("slow")])).toBe("No outages detected, 1 service has warnings");
  expect(messageOf([serviceOf("none")])).toBe("No recent data");
});

test("the badge of a service has its name and verdict, in the language of badges", () => {
  const verdict = { ...pairOf("fail"), live: true, sinceMs: 0 };
  const service = { name: "Госуслуги", nameEn: "Gosuslugi" };
  expect(serviceBadgeOf(service, verdict, "ru")).toEqual({
    label: "Госуслуги",
    message: "Сбой: не открывается",
    tone: "bad",
  });
  expect(serviceBadgeOf(service, verdict, "en").label).toBe("Gosuslugi");
  expect(pictureKeys(serviceBadgeId("gosuslugi"))).toEqual([
    "badge/gosuslugi.svg",
    "badge/gosuslugi.json",
  ]);
});
