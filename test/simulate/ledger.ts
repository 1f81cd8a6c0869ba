import { type AccuracyLedger, NO_ACCURACY, SHORT_RUNS } from "../../src/model/service/accuracy.ts";
import type { Verdict, VerdictCode } from "../../src/contract/codes/verdict.ts";
import { advanceAccuracy } from "../../src/open-data/accuracy/advance.ts";
import type { FalseOutage } from "./outage-score.ts";
import type { RunData } from "./runner.ts";
import type { Subject } from "./sites.ts";

/** What the program's own record of its errors finds, beside what really happened. */
export interface LedgerFigures {
  /** False outages of the scored services. */
  readonly false: number;
  /** Those of them that the record suspects, without any report and any other place. */
  readonly suspected: number;
  /** What it suspects in all. */
  readonly suspicions: number;
}

/** The record of a simulated publisher. The simulation has no reports and no other places. */
export function createLedger(subjects: readonly Subject[]) {
  let ledger: AccuracyLedger = NO_ACCURACY;
  let runBeforeMs: number | undefined;
  const codes = new Map<string, VerdictCode>();
  const checks = new Map<string, number>();

  function publish(atMs: number, { history }: RunData, verdictOf: (subject: number) => Verdict) {
    const runAtMs = history.runs.at(-1)?.atMs;
    const services = subjects.map(({ index, service: { slug } }) => ({
      slug,
      code: verdictOf(index).code,
      codeBefore: codes.get(slug),
      checkedBeforeMs: checks.get(slug),
      checkedAtMs: history.services.get(slug)?.checkedAtMs,
      isReportedSince: () => false,
      surgedAtMs: undefined,
      about: null,
      elsewhere: { isHeard: false, isFailing: false },
      comparison: undefined,
    }));
    ledger = advanceAccuracy(ledger, {
      nowMs: atMs,
      runBeforeMs,
      runAtMs,
      isRunCongested: history.runs.at(-1)?.isCongested === true,
      services,
    });
    runBeforeMs = runAtMs;
    for (const { slug, code, checkedAtMs } of services) {
      if (code !== "none") codes.set(slug, code);
      if (checkedAtMs !== undefined) checks.set(slug, checkedAtMs);
    }
  }

  function finish(
    falseOnes: readonly FalseOutage[],
    isScored: readonly boolean[],
    fromMs: number,
  ): LedgerFigures {
    const scored = new Set(
      subjects.filter(({ index }) => isScored[index]).map(({ service }) => service.slug),
    );
    const suspicions = ledger.outages.filter(
      ({ slug, toldAtMs, endedAtMs, runs }) =>
        toldAtMs >= fromMs && scored.has(slug) && endedAtMs !== null && runs <= SHORT_RUNS,
    );
    const suspected = falseOnes.filter(({ subject, atMs }) => {
      const slug = subjects[subject]?.service.slug;
      return suspicions.some(
        (one) => one.slug === slug && one.toldAtMs <= atMs && atMs <= (one.endedAtMs ?? Infinity),
      );
    });
    return { false: falseOnes.length, suspected: suspected.length, suspicions: suspicions.length };
  }

  return { publish, finish };
}
