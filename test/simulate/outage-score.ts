import { MINUTE_MS, SECOND_MS } from "../../src/model/time.ts";
import { type TrueOutage, type Truth, type TrueSpan, spanAt } from "./truth.ts";

/** Lower bounds of the length classes of outages, minutes. */
export const LENGTHS = [3, 5, 10, 30] as const;

/** A detector may report what it found in this or the last run. */
const WINDOW_MS: number = 10 * MINUTE_MS;
/** One interval, the last confirmation and a probe that takes its full time. */
export const ONE_DETECTION_MS: number = (300 + 160 + 20) * SECOND_MS;

/** The figures of one detector over all scored services. */
export interface OutageFigures {
  /** Reported outages of services that were neither down, partial nor slow, by cause. */
  readonly falseByCause: ReadonlyMap<string, number>;
  /** Reported outages of services that were only partial or slow. */
  readonly exaggerated: number;
  /** By index of `LENGTHS`. */
  readonly missed: readonly number[];
  readonly outages: readonly number[];
  /** Outages that show only as a maintenance page with a 200; excluded from the other figures. */
  readonly works: { readonly all: number; readonly reported: number };
  /** From the beginning of each reported outage until its report, ascending. */
  readonly delaysMs: readonly number[];
  /** Of each counted outage, without maintenance pages. */
  readonly detections: readonly Detection[];
  readonly falseOnes: readonly FalseOutage[];
}

export interface Detection {
  readonly subject: number;
  readonly outage: TrueOutage;
  /** Undefined: it was missed. */
  readonly delayMs: number | undefined;
}

/** A reported outage of a healthy service. */
export interface FalseOutage {
  readonly subject: number;
  readonly atMs: number;
  readonly cause: string;
}

export interface OutageScore {
  /** Records the state of a service by the detector from a time on. */
  readonly record: (subject: number, atMs: number, isDown: boolean, causeOf: () => string) => void;
  /** Counts the outages that have ended by then. */
  readonly finish: (endMs: number) => OutageFigures;
}

/** @param isScored by index of a service. Outages before `fromMs` do not count. */
export function createOutageScore(
  truths: readonly Truth[],
  isScored: readonly boolean[],
  fromMs: number,
): OutageScore {
  const wasDown = truths.map(() => false);
  const seenAt = new Map<TrueOutage, number>();
  const falseOnes: FalseOutage[] = [];
  let exaggerated = 0;

  function record(subject: number, atMs: number, isDown: boolean, causeOf: () => string): void {
    const isNew = isDown && wasDown[subject] === false;
    wasDown[subject] = isDown;
    const truth = truths[subject];
    if (!isDown || truth === undefined || isScored[subject] !== true) return;
    for (const outage of truth.outages) {
      const isMeant = outage.fromMs <= atMs && atMs <= outage.toMs + ONE_DETECTION_MS;
      if (isMeant && !seenAt.has(outage)) seenAt.set(outage, atMs);
    }
    if (!isNew || atMs < fromMs) return;
    const recent = spansIn(truth, atMs - WINDOW_MS, atMs);
    if (recent.some((span) => span.isDown)) return;
    if (recent.some(({ checkClass }) => checkClass === "partial" || checkClass === "slow")) {
      exaggerated += 1;
      return;
    }
    falseOnes.push({ subject, atMs, cause: causeOf() });
  }

  function finish(endMs: number): OutageFigures {
    const outages = LENGTHS.map(() => 0);
    const missed = LENGTHS.map(() => 0);
    const detections: Detection[] = [];
    const works = { all: 0, reported: 0 };
    for (const { subject, outage } of truths.flatMap((truth, subject) =>
      isScored[subject] === true ? truth.outages.map((outage) => ({ subject, outage })) : [],
    )) {
      const isInside = outage.fromMs >= fromMs && outage.toMs <= endMs;
      const group = groupOf(outage);
      if (!isInside || outage.isHidden || group === -1) continue;
      const seenMs = seenAt.get(outage);
      if (outage.isWorks) {
        works.all += 1;
        if (seenMs !== undefined) works.reported += 1;
        continue;
      }
      outages[group] = (outages[group] ?? 0) + 1;
      if (seenMs === undefined) missed[group] = (missed[group] ?? 0) + 1;
      const delayMs = seenMs === undefined ? undefined : seenMs - outage.fromMs;
      detections.push({ subject, outage, delayMs });
    }
    const delaysMs = detections.flatMap(({ delayMs }) => delayMs ?? []).toSorted((a, b) => a - b);
    const falseByCause = new Map<string, number>();
    for (const { cause } of falseOnes) falseByCause.set(cause, (falseByCause.get(cause) ?? 0) + 1);
    return { falseByCause, exaggerated, missed, outages, works, delaysMs, detections, falseOnes };
  }

  return { record, finish };
}

/** The spans of a truth that overlap an interval. */
export function spansIn(truth: Truth, fromMs: number, toMs: number): readonly TrueSpan[] {
  const found: TrueSpan[] = [];
  for (let span = spanAt(truth, toMs); ; span = spanAt(truth, span.fromMs - 1)) {
    found.push(span);
    if (span.fromMs <= fromMs || span === truth.spans[0]) return found;
  }
}

/** Index in `LENGTHS`; -1 for an outage that is too short to count. */
function groupOf({ fromMs, toMs }: TrueOutage): number {
  return LENGTHS.findLastIndex((least) => toMs - fromMs >= least * MINUTE_MS);
}

/** The value at a share of an ascending list; undefined for an empty one. */
export function quantile(sorted: readonly number[], share: number): number | undefined {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}
