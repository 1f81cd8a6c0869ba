import type { Report } from "../../../src/model/service/reports.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "./samples.ts";

/** The rules of docs/reports/counting.md, implemented by storing every report and counting again each time. */
export class Oracle {
  #accepted: Report[] = [];
  #raw: Report[] = [];

  /** Adds the reports of a call, and returns how many were accepted. */
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
    return countWithin(this.#counted(), slug, HOUR_MS, nowMs);
  }

  day(slug: string, nowMs: number): number {
    return countWithin(this.#counted(), slug, DAY_MS, nowMs);
  }

  /** The accepted reports that count. */
  #counted(): readonly Report[] {
    const hourOf = (report: Report) => `${report.slug} ${Math.floor(report.atMs / HOUR_MS)}`;
    return [...new Set(this.#accepted.map(hourOf))].flatMap((hour) => {
      const those = this.#accepted.filter((report) => hourOf(report) === hour);
      return countWithinShares(those.toSorted((a, b) => a.atMs - b.atMs));
    });
  }

  rawDay(slug: string, nowMs: number): number {
    return countWithin(this.#raw, slug, DAY_MS, nowMs);
  }
}

/** The reports within the share of their block, from those of one hour in the order of time. */
function countWithinShares(reports: readonly Report[]): readonly Report[] {
  const blocks = [...new Set(reports.map(({ block }) => block))];
  return blocks.flatMap((block) => {
    const own = reports.filter((report) => report.block === block);
    const others = reports.length - own.length;
    return own.slice(0, blocks.length >= 4 ? Math.max(15, others) : 15);
  });
}

/** In (now - length, now], with all times rounded down to minutes. */
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
