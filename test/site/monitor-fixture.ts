import type { UptimeCount } from "../../src/model/monitor/monitor.ts";
import type { FailureCode } from "../../src/model/failures.ts";
import { HOUR_MS, MINUTE_MS } from "../../src/model/time.ts";
import type { MonitorDayView, MonitorView, OutageView } from "../../src/site/view.ts";
import { HOSTILE_NAME, LONG_NAME, NO_RESPONSE, NOW_MS, RESPONSE } from "./site-fixture.ts";

/** Monitors in each condition, and one with a hostile name. */

const uptime = (decided: number, healthy: number): UptimeCount => ({ decided, healthy });
const DAYS: readonly (MonitorDayView | null)[] = Array.from({ length: 90 }, (_, day) => {
  if (day < 12) return null;
  if (day === 50 || day === 51) return "major";
  return day % 29 === 4 ? "minor" : "whole";
});

function outageOf(sinceMs: number, lengthMs: number | null, code: FailureCode): OutageView {
  const endedAtMs = lengthMs === null ? null : sinceMs + lengthMs;
  return { sinceMs, endedAtMs, code, failing: 1, counted: 1 };
}

export function monitorOf(changes: Partial<MonitorView> = {}): MonitorView {
  return {
    id: "my-shop",
    name: "Мой магазин",
    url: "https://shop.example.ru/",
    condition: "healthy",
    sinceMs: NOW_MS - 39 * 24 * HOUR_MS,
    uptimes: {
      "24h": uptime(288, 288),
      "7d": uptime(2_016, 2_016),
      "30d": uptime(8_640, 8_639),
      "90d": uptime(22_464, 22_100),
    },
    outages: [
      outageOf(NOW_MS - 39 * 24 * HOUR_MS - 3 * HOUR_MS, 3 * HOUR_MS, "tls-timeout"),
      outageOf(NOW_MS - 61 * 24 * HOUR_MS, 10 * MINUTE_MS, "http-server-error"),
    ],
    days: DAYS,
    responseMs: RESPONSE,
    ...changes,
  };
}

const NO_UPTIME = uptime(0, 0);

export const MONITORS: readonly MonitorView[] = [
  monitorOf({ warning: "mixed-addresses" }),
  monitorOf({
    id: "failing",
    name: "Блог, который лежит",
    condition: "failing",
    code: "http-server-error",
    sinceMs: NOW_MS - 70 * MINUTE_MS,
    outages: [outageOf(NOW_MS - 70 * MINUTE_MS, null, "http-server-error"), ...monitorOf().outages],
    uptimes: { ...monitorOf().uptimes, "24h": uptime(288, 274) },
    days: DAYS.map((day, index) => (index === 89 ? "major" : day)),
    responseMs: RESPONSE.map((ms, hour) => (hour > 21 ? null : ms)),
  }),
  monitorOf({
    id: "refused",
    name: "Внутренняя сеть",
    url: "http://intranet.example.ru/",
    condition: "refused",
    code: "dns-special-address",
    sinceMs: NOW_MS - 5 * HOUR_MS,
  }),
  monitorOf({
    id: "brand-new",
    name: "Совсем новый",
    condition: "unknown",
    sinceMs: null,
    outages: [],
    uptimes: { "24h": NO_UPTIME, "7d": NO_UPTIME, "30d": NO_UPTIME, "90d": NO_UPTIME },
    days: DAYS.map(() => null),
    responseMs: NO_RESPONSE,
  }),
  monitorOf({
    id: "hostile",
    name: HOSTILE_NAME,
    url: "https://example.ru/?q=%22%3E%3Cscript%3E&a='b'",
  }),
  monitorOf({
    id: "long",
    name: LONG_NAME,
    url: `https://${"a".repeat(60)}.example.ru/`,
  }),
];
