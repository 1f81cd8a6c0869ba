import type { Kept } from "./intake/keeper.ts";
import type { FoldedIds } from "./model/folded-ids.ts";
import type { Report, ReportLedger } from "./model/reports.ts";
import {
  type AcceptedReports,
  acceptedOf,
  addCounts,
  type AnswerCounts,
  countColumns,
} from "./reports/tally.ts";
import { createUnpublished } from "./reports/unpublished.ts";

/** Between two publishes: reports that come meanwhile share the next one. See `restAfter`. */
const SHORTEST_REST_MS = 100;
const LONGEST_REST_OF_TIME_MS = 1_000;
/** At 50 reports a second it does not show, at 1,000 it is all of the rest, and as long as may be. Source: docs/intake.md. */
const REST_PER_REPORT_MS = 2;
const LONGEST_REST_OF_REPORTS_MS = 3_000;
/** After a publish that failed. */
const RETRY_MS = 2_000;

/** What a publish has counted, in all. */
export interface CountedReports {
  readonly accepted: AcceptedReports;
  /** Inbox objects in it. */
  readonly folded: FoldedIds;
}

export interface ReportDeskDependencies {
  /** Counts what lies in the inbox, and publishes it as of the time. */
  readonly publish: (nowMs: number) => Promise<CountedReports>;
  /** Wall clock, milliseconds since the epoch. */
  readonly wallMs: () => number;
  readonly pause: (ms: number) => Promise<void>;
  /** Told of a publish that failed; the reports are safe and are published by the next one. */
  readonly onFailure: (error: unknown) => void;
}

/** Publishes what an intake has accepted, at once, and knows the counts before that. */
export interface ReportDesk {
  /** Counts with everything that was accepted here so far in them. */
  readonly countsOf: (slug: string) => AnswerCounts;
  /** Reports that are durable now. Never throws. */
  readonly accept: (reports: readonly Report[], kept: Kept) => void;
  /** Reports that were accepted into the journal, and now lie in the inbox under this id. Never throws. */
  readonly moveToInbox: (reports: readonly Report[], id: string) => void;
  /** Nothing is left in the journal. Never throws. */
  readonly noteEmptyJournal: () => void;
  /** Resolves when the first publish has ended, well or not. */
  readonly begun: Promise<void>;
  /** Publishes soon although nothing new was accepted: time went by, or others left something. */
  readonly poke: () => void;
  /** Ends after the publish in hand, which has everything in it that was accepted before the call. */
  readonly close: () => Promise<void>;
}

/**
 * A desk, beginning with what was counted before. Publishes nothing before it is asked to. What it remembers does not depend on how
 * many reports wait to be published, nor for how long.
 */
export function createReportDesk(deps: ReportDeskDependencies, ledger: ReportLedger): ReportDesk {
  const unpublished = createUnpublished(ledger);
  let published = acceptedOf(ledger);
  let accepted = 0;

  const publishOnce = async (): Promise<Attempt> => {
    const [end, startedMs, reports] = [unpublished.beginPublish(), deps.wallMs(), accepted];
    accepted = 0;
    try {
      const counted = await deps.publish(startedMs);
      published = counted.accepted;
      end(counted.folded);
      return { hasFailed: false, restMs: restAfter(deps.wallMs() - startedMs, reports) };
    } catch (error) {
      deps.onFailure(error);
      unpublished.failPublish();
      return { hasFailed: true, restMs: RETRY_MS };
    }
  };
  const { begun, poke, close } = createRounds(publishOnce, deps.pause);
  return {
    countsOf: (slug) => {
      const nowMs = deps.wallMs();
      return addCounts(countColumns(published.get(slug), nowMs), unpublished.count(slug, nowMs));
    },
    accept: (reports, kept) => {
      accepted += reports.length;
      unpublished.accept(reports, kept.in === "inbox" ? kept.id : undefined);
      // The journal is published by its replay.
      if (kept.in === "inbox") poke();
    },
    moveToInbox: (reports, id) => {
      unpublished.moveToInbox(reports, id);
      poke();
    },
    noteEmptyJournal: unpublished.clearJournal,
    begun,
    poke,
    close,
  };
}

/** How one publish ended, and how long to rest after it, in milliseconds. */
interface Attempt {
  readonly hasFailed: boolean;
  readonly restMs: number;
}

/** One attempt after the other while it is poked, or has failed, and a rest after each, which nobody who closes it waits for. */
function createRounds(
  attempt: () => Promise<Attempt>,
  pause: (ms: number) => Promise<void>,
): Pick<ReportDesk, "begun" | "poke" | "close"> {
  let [isDirty, isClosing] = [false, false];
  let running: Promise<void> | undefined;
  let tellBegun: (() => void) | undefined;
  let tellClosing: (() => void) | undefined;
  const begun = new Promise<void>((resolve) => {
    tellBegun = resolve;
  });
  const closing = new Promise<void>((resolve) => {
    tellClosing = resolve;
  });

  const isDue = (): boolean => isDirty;
  const work = async (): Promise<void> => {
    // What is accepted meanwhile makes it due again.
    while (isDue()) {
      isDirty = false;
      const { hasFailed, restMs } = await attempt();
      // A store that is down must not keep the program from ending: what was accepted is durable.
      if (hasFailed) isDirty = !isClosing;
      tellBegun?.();
      await Promise.race([pause(restMs), closing]);
    }
    running = undefined;
  };
  return {
    begun,
    poke: () => {
      isDirty = true;
      running ??= work();
    },
    close: async () => {
      isClosing = true;
      tellClosing?.();
      await running;
    },
  };
}

/**
 * A machine that is too busy must not publish all the time: whoever answers needs it more. And in a flood nearly every document
 * changes with every publish, so that fewer of them are fewer requests, too.
 */
function restAfter(tookMs: number, reports: number): number {
  const ofTimeMs = Math.min(LONGEST_REST_OF_TIME_MS, tookMs / 2);
  const ofReportsMs = Math.min(LONGEST_REST_OF_REPORTS_MS, reports * REST_PER_REPORT_MS);
  return Math.max(SHORTEST_REST_MS, ofTimeMs, ofReportsMs);
}
