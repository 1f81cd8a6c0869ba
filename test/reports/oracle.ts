import type { Report } from "../../src/model/reports.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "./samples.ts";

/** The rules of docs/reports.md, obeyed by keeping every report for ever and counting anew each time. */
export class Oracle {
  #accepted: Report[] = [];
  #raw: Report[] = [];

  /** Reports of a call, in the order of time. Gives how many counted. */
  take(reports: readonly Report[]): number {
    const sorted = reports.toSorted((a, b) => a.atMs - b.atMs);
    const before = this.#accepted.length;
    for (const report of sorted) {
      this.#raw.push(report);
      const isTwice = this.#accepted.some((other) => {
        return (
          other.slug === report.slug &&
          other.network === report.network &&
          Math.abs(other.atMs - report.atMs) < HOUR_MS
        );
      });
      if (!isTwice) this.#accepted.push(report);
    }
    return this.#accepted.length - before;
  }

  hour(slug: string, nowMs: number): number {
    return countWithin(this.#accepted, slug, HOUR_MS, nowMs);
  }

  day(slug: string, nowMs: number): number {
    return countWithin(this.#accepted, slug, DAY_MS, nowMs);
  }

  rawDay(slug: string, nowMs: number): number {
    return countWithin(this.#raw, slug, DAY_MS, nowMs);
  }
}

/** In (now - length, now], with both the times of reports and now cut to whole minutes. */
function countWithin(
  reports: readonly Report[],
  slug: string,
  lengthMs: number,
  nowMs: number,
): number {
  return reports.filter((report) => {
    const ageMs = floorMinute(nowMs) - floorMinute(report.atMs);
    return report.slug === slug && ageMs >= 0 && ageMs < lengthMs;
  }).length;
}

function floorMinute(atMs: number): number {
  return atMs - (atMs % MINUTE_MS);
}
