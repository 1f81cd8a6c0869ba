import { MINUTE_MS, SECOND_MS } from "../../src/model/time.ts";
import { type TrueOutage, type Truth, type TrueSpan, spanAt } from "./truth.ts";

/** Lengths of outages that are told apart: from so many minutes on. */
export const LENGTHS = [3, 5, 10, 30] as const;

/** A monitor may speak of what it saw in this or the last run. */
const WINDOW_MS: number = 10 * MINUTE_MS;
/** One interval, the last confirmation and a probe that takes all its time. */
export const ONE_DETECTION_MS: number = (300 + 160 + 20) * SECOND_MS;

/** What one detector did over all services that it was judged for. */
export interface OutageFigures {
  /** Outages told of services that were neither down nor partly so, by cause. */
  readonly falseByCause: ReadonlyMap<string, number>;
  /** Outages told of services that only worked in part or slowly. */
  readonly exaggerated: number;
  /** By the places of `LENGTHS`. */
  readonly missed: readonly number[];
  readonly outages: readonly number[];
  /** Outages with nothing to see but a page of works with a 200; they are in none of the other figures of outages. */
  readonly works: { readonly all: number; readonly told: number };
  /** Milliseconds from the beginning of each outage that was told until it was. */
  readonly delaysMs: readonly number[];
  /** Of each outage that counts, without pages of works. */
  readonly fates: readonly Fate[];
  readonly falseOnes: readonly FalseOutage[];
}

/** What became of a true outage. */
export interface Fate {
  readonly subject: number;
  readonly outage: TrueOutage;
  /** Undefined: it was missed. */
  readonly delayMs: number | undefined;
}

/** An outage that was told of a service that was well. */
export interface FalseOutage {
  readonly subject: number;
  readonly atMs: number;
  readonly cause: string;
}

export interface OutageJudge {
  /** What the detector says of a service from a time on. */
  readonly tell: (subject: number, atMs: number, isDown: boolean, causeOf: () => string) => void;
  /** Outages that ended by then are counted. */
  readonly finish: (endMs: number) => OutageFigures;
}

/** @param isJudged by place of a service. What lies before `fromMs` is not counted. */
export function createOutageJudge(
  truths: readonly Truth[],
  isJudged: readonly boolean[],
  fromMs: number,
): OutageJudge {
  const wasDown = truths.map(() => false);
  const seenAt = new Map<TrueOutage, number>();
  const falseOnes: FalseOutage[] = [];
  let exaggerated = 0;

  function tell(subject: number, atMs: number, isDown: boolean, causeOf: () => string): void {
    const isNew = isDown && wasDown[subject] === false;
    wasDown[subject] = isDown;
    const truth = truths[subject];
    if (!isDown || truth === undefined || isJudged[subject] !== true) return;
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
    const fates: Fate[] = [];
    const works = { all: 0, told: 0 };
    for (const { subject, outage } of truths.flatMap((truth, subject) =>
      isJudged[subject] === true ? truth.outages.map((outage) => ({ subject, outage })) : [],
    )) {
      const isInside = outage.fromMs >= fromMs && outage.toMs <= endMs;
      const group = groupOf(outage);
      if (!isInside || outage.isHidden || group === -1) continue;
      const seenMs = seenAt.get(outage);
      if (outage.isWorks) {
        works.all += 1;
        if (seenMs !== undefined) works.told += 1;
        continue;
      }
      outages[group] = (outages[group] ?? 0) + 1;
      if (seenMs === undefined) missed[group] = (missed[group] ?? 0) + 1;
      const delayMs = seenMs === undefined ? undefined : seenMs - outage.fromMs;
      fates.push({ subject, outage, delayMs });
    }
    const delaysMs = fates.flatMap(({ delayMs }) => delayMs ?? []).toSorted((a, b) => a - b);
    const falseByCause = new Map<string, number>();
    for (const { cause } of falseOnes) falseByCause.set(cause, (falseByCause.get(cause) ?? 0) + 1);
    return { falseByCause, exaggerated, missed, outages, works, delaysMs, fates, falseOnes };
  }

  return { tell, finish };
}

/** The spans of a truth that touch a time. */
export function spansIn(truth: Truth, fromMs: number, toMs: number): readonly TrueSpan[] {
  const found: TrueSpan[] = [];
  for (let span = spanAt(truth, toMs); ; span = spanAt(truth, span.fromMs - 1)) {
    found.push(span);
    if (span.fromMs <= fromMs || span === truth.spans[0]) return found;
  }
}

/** Place in `LENGTHS`; -1 for an outage that is too short to be counted. */
function groupOf({ fromMs, toMs }: TrueOutage): number {
  return LENGTHS.findLastIndex((least) => toMs - fromMs >= least * MINUTE_MS);
}

/** The value at a share of an ascending list; undefined for an empty one. */
export function quantile(sorted: readonly number[], share: number): number | undefined {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}
