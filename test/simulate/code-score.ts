import { DAY_MS, MINUTE_MS } from "../../src/model/time.ts";
import { COLOR_OF, type Verdict, type VerdictCode } from "../../src/contract/codes/verdict.ts";
import { ONE_DETECTION_MS, spansIn } from "./outage-score.ts";
import { type Truth, spanAt } from "./truth.ts";

export const CODES: readonly VerdictCode[] = Object.keys(COLOR_OF).filter(isCode);

function isCode(text: string): text is VerdictCode {
  return text in COLOR_OF;
}

const OUTAGE_CODES: ReadonlySet<VerdictCode> = new Set([
  "fail",
  "fail_long",
  "err",
  "restricted_fail",
]);

/** Whether a code means that a service is unusable. */
export function isOutageCode(code: VerdictCode): boolean {
  return OUTAGE_CODES.has(code);
}

/** What was true so recently may still be published: two runs and their confirmations. */
const PRECISION_WINDOW_MS: number = 11 * MINUTE_MS;

/** A `partial` may be reported late: an endpoint has to need a retry in three of six runs. */
const PARTIAL_WINDOW_MS: number = 30 * MINUTE_MS;

export interface CodeFigures {
  /** Samples by true code, then by published code. */
  readonly matrix: Readonly<Record<VerdictCode, Readonly<Record<VerdictCode, number>>>>;
  /** By true code: samples whose published code is true now or was true within the last detection time. */
  readonly right: Readonly<Record<VerdictCode, number>>;
  /** Samples by published code, and those of them whose code was true then or within the 11 minutes before. */
  readonly precision: { readonly told: Counts; readonly true: Counts };
  /** Samples in which the truth had not changed for at least one detection time. */
  readonly settled: Settled;
  /** Samples whose published code was not true within the last detection time, by cause. */
  readonly wrong: ReadonlyMap<string, number>;
  /** Changes of the code of scored services. */
  readonly publishedChanges: number;
  readonly trueChanges: number;
  /** Wrongly published `partial`, by cause. */
  readonly falsePartial: ReadonlyMap<string, number>;
  readonly since: {
    /** Reported outages, and how often `since` moved while one was reported. */
    readonly reported: number;
    readonly moves: number;
    /** Distance from the true beginning, ascending, when the outage is first and last reported. */
    readonly firstMs: readonly number[];
    readonly lastMs: readonly number[];
    /** Publishes of `fail_long` with a `since` less than a day ago. */
    readonly youngLong: number;
  };
  /** Samples with the right code, and how many of them have the wrong `live`. */
  readonly live: { readonly samples: number; readonly wrong: number };
}

type Counts = Readonly<Record<VerdictCode, number>>;

/** Samples by true code, by published code, and right ones. */
export interface Settled {
  readonly byTruth: Counts;
  readonly byPublished: Counts;
  readonly right: Counts;
}

export interface CodeScore {
  /** @param runMs the run of the verdict. */
  readonly publish: (
    subject: number,
    atMs: number,
    runMs: number,
    verdict: Verdict,
    causeOf: () => string,
  ) => void;
  /**
   * Compares the published codes with the truth.
   *
   * @param whyOf the events that affected a service; called only if the published code is wrong.
   */
  readonly sample: (atMs: number, whyOf: (subject: number) => string) => void;
  readonly finish: (endMs: number) => CodeFigures;
}

interface Reported {
  readonly fromMs: number;
  readonly firstMs: number;
  lastMs: number;
}

function zeros(): Record<VerdictCode, number> {
  return {
    ok: 0,
    fail: 0,
    fail_long: 0,
    err: 0,
    restricted_fail: 0,
    restricted: 0,
    slow: 0,
    partial: 0,
    spike: 0,
    slowed_ru: 0,
    partial_ru: 0,
    provider: 0,
    none: 0,
  };
}

function squares(): Record<VerdictCode, Record<VerdictCode, number>> {
  return {
    ok: zeros(),
    fail: zeros(),
    fail_long: zeros(),
    err: zeros(),
    restricted_fail: zeros(),
    restricted: zeros(),
    slow: zeros(),
    partial: zeros(),
    spike: zeros(),
    slowed_ru: zeros(),
    partial_ru: zeros(),
    provider: zeros(),
    none: zeros(),
  };
}

/** @param isScored by index of a service; the matrix and the other samples include all services. */
export function createCodeScore(
  truths: readonly Truth[],
  isScored: readonly boolean[],
  fromMs: number,
): CodeScore {
  const published: (Verdict | undefined)[] = truths.map(() => undefined);
  const reported: (Reported | undefined)[] = truths.map(() => undefined);
  const ended: Reported[] = [];
  const matrix = squares();
  const right = zeros();
  const told = zeros();
  const toldTrue = zeros();
  const settled = { byTruth: zeros(), byPublished: zeros(), right: zeros() };
  const falsePartial = new Map<string, number>();
  const wrong = new Map<string, number>();
  const counts = { changes: 0, moves: 0, youngLong: 0, samples: 0, wrongLive: 0 };

  function publish(
    subject: number,
    atMs: number,
    runMs: number,
    verdict: Verdict,
    causeOf: () => string,
  ): void {
    const previous = published[subject];
    published[subject] = verdict;
    const truth = truths[subject];
    if (truth === undefined || atMs < fromMs || isScored[subject] !== true) return;
    const isChanged = previous?.code !== verdict.code;
    if (isChanged && previous !== undefined) counts.changes += 1;
    noteSince(subject, previous, verdict, runMs, atMs);
    const isNewPartial = isChanged && verdict.code === "partial" && !isBad(previous);
    if (!isNewPartial) return;
    const isTrue = spansIn(truth, atMs - PARTIAL_WINDOW_MS, atMs).some(
      ({ checkClass, isDown }) => isDown || checkClass === "partial",
    );
    if (isTrue) return;
    const cause = causeOf();
    falsePartial.set(cause, (falsePartial.get(cause) ?? 0) + 1);
  }

  function noteSince(
    subject: number,
    previous: Verdict | undefined,
    { code, sinceMs }: Verdict,
    runMs: number,
    atMs: number,
  ): void {
    if (!isOutageCode(code) || sinceMs === null) {
      const last = reported[subject];
      if (last !== undefined) ended.push(last);
      reported[subject] = undefined;
      return;
    }
    if (code === "fail_long" && runMs - sinceMs < DAY_MS) counts.youngLong += 1;
    const isOngoing = previous !== undefined && isOutageCode(previous.code);
    if (isOngoing && previous.sinceMs !== sinceMs) counts.moves += 1;
    const known = reported[subject];
    if (known !== undefined) {
      known.lastMs = Math.abs(sinceMs - known.fromMs);
      return;
    }
    const outage = truths[subject]?.outages.find(
      (each) => each.fromMs <= atMs && atMs <= each.toMs + ONE_DETECTION_MS,
    );
    if (outage === undefined || outage.fromMs < fromMs) return;
    const distanceMs = Math.abs(sinceMs - outage.fromMs);
    reported[subject] = { fromMs: outage.fromMs, firstMs: distanceMs, lastMs: distanceMs };
  }

  function sample(atMs: number, whyOf: (subject: number) => string): void {
    if (atMs < fromMs) return;
    for (const [subject, truth] of truths.entries()) {
      const verdict = published[subject];
      if (verdict === undefined) continue;
      const now = spanAt(truth, atMs);
      const isNow = now.code === verdict.code;
      const recent = spansIn(truth, atMs - ONE_DETECTION_MS, atMs);
      told[verdict.code] += 1;
      const earlier = spansIn(truth, atMs - PRECISION_WINDOW_MS, atMs);
      const isTrue = earlier.some(
        ({ code, isNearlySlow }) =>
          code === verdict.code || (verdict.code === "slow" && isNearlySlow),
      );
      if (isTrue) toldTrue[verdict.code] += 1;
      // What is not told of a service behind a wall could not be seen.
      if (truth.isBehindWall) continue;
      matrix[now.code][verdict.code] += 1;
      if (recent.some(({ code }) => code === verdict.code)) right[now.code] += 1;
      else {
        const kind = `\`${now.code}\` reported as \`${verdict.code}\`: ${whyOf(subject)}`;
        wrong.set(kind, (wrong.get(kind) ?? 0) + 1);
      }
      if (recent.every(({ code }) => code === now.code)) {
        settled.byTruth[now.code] += 1;
        settled.byPublished[verdict.code] += 1;
        if (isNow) settled.right[now.code] += 1;
      }
      if (!isNow) continue;
      counts.samples += 1;
      if (now.live !== verdict.live) counts.wrongLive += 1;
    }
  }

  function finish(endMs: number): CodeFigures {
    const all = [...ended, ...reported.filter((one) => one !== undefined)];
    const ascending = (values: readonly number[]) => values.toSorted((a, b) => a - b);
    return {
      matrix,
      right,
      precision: { told, true: toldTrue },
      settled,
      wrong,
      publishedChanges: counts.changes,
      trueChanges: countTrue(truths, isScored, fromMs, endMs),
      falsePartial,
      since: {
        reported: all.length,
        moves: counts.moves,
        firstMs: ascending(all.map(({ firstMs }) => firstMs)),
        lastMs: ascending(all.map(({ lastMs }) => lastMs)),
        youngLong: counts.youngLong,
      },
      live: { samples: counts.samples, wrong: counts.wrongLive },
    };
  }

  return { publish, sample, finish };
}

function isBad(verdict: Verdict | undefined): boolean {
  return verdict !== undefined && (isOutageCode(verdict.code) || verdict.code === "partial");
}

function countTrue(
  truths: readonly Truth[],
  isScored: readonly boolean[],
  fromMs: number,
  endMs: number,
): number {
  let changes = 0;
  for (const [subject, { spans }] of truths.entries()) {
    if (isScored[subject] !== true) continue;
    for (const [index, span] of spans.entries()) {
      const isInside = span.fromMs >= fromMs && span.fromMs < endMs;
      if (index > 0 && isInside && spans[index - 1]?.code !== span.code) changes += 1;
    }
  }
  return changes;
}
