import type { Persisted } from "./intake/report-writer.ts";
import type { FoldedIds } from "../model/folded-ids.ts";
import { createSignal } from "../model/stopping.ts";
import type { Report, ReportLedger } from "../model/service/reports.ts";
import {
  type AcceptedReports,
  acceptedOf,
  addCounts,
  type AnswerCounts,
  countColumns,
  createUnpublished,
} from "./counting/pending-counts.ts";

/** Pause between two publishes: reports that arrive meanwhile share the next one. See `restAfter`. */
const SHORTEST_REST_MS = 100;
const MAX_REST_OF_TIME_MS = 1_000;
/** Negligible at 50 reports a second; at 1,000 it reaches the longest rest. Source: docs/reports/intake.md. */
const REST_PER_REPORT_MS = 2;
const MAX_REST_OF_REPORTS_MS = 3_000;
/** After a publish that failed. */
const RETRY_MS = 2_000;

/** The totals after a publish. */
export interface CountedReports {
  readonly accepted: AcceptedReports;
  /** Inbox objects that are counted. */
  readonly folded: FoldedIds;
}

export interface ReportPublishLoopDependencies {
  /** Counts the inbox and publishes as of the time. */
  readonly publish: (nowMs: number) => Promise<CountedReports>;
  /** Wall clock, milliseconds since the epoch. */
  readonly wallMs: () => number;
  /** Monotonic clock. */
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<void>;
  /** Called after a failed publish; the reports are durable and are published by the next one. */
  readonly onFailure: (error: unknown) => void;
}

/** Publishes reports soon after an intake has accepted them, and gives counts that include unpublished ones. */
export type ReportPublishLoop = ReturnType<typeof createReportPublishLoop>;

/** Starts with the counts of the ledger, and publishes nothing before the first request. Memory is bounded. No method throws. */
export function createReportPublishLoop(deps: ReportPublishLoopDependencies, ledger: ReportLedger) {
  const unpublished = createUnpublished(ledger);
  let published = acceptedOf(ledger);
  let accepted = 0;
  let publishedMs = deps.now();

  const publishOnce = async () => {
    const [end, startedMs, reports] = [unpublished.beginPublish(), deps.wallMs(), accepted];
    accepted = 0;
    const beganMs = deps.now();
    try {
      const counted = await deps.publish(startedMs);
      published = counted.accepted;
      end(counted.folded);
      publishedMs = beganMs;
      return { hasFailed: false, restMs: restAfter(deps.wallMs() - startedMs, reports) };
    } catch (error) {
      deps.onFailure(error);
      unpublished.failPublish();
      return { hasFailed: true, restMs: RETRY_MS };
    }
  };
  const { firstPublish, request, close } = createRounds(publishOnce, deps.pause);
  return {
    /** Counts including all reports that this process has accepted. */
    countsOf: (slug: string): AnswerCounts => {
      const nowMs = deps.wallMs();
      return addCounts(countColumns(published.get(slug), nowMs), unpublished.count(slug, nowMs));
    },
    /** Adds reports that are durable now. Those of the journal are published after their replay. */
    accept: (reports: readonly Report[], kept: Persisted): void => {
      accepted += reports.length;
      unpublished.accept(reports, kept.in === "inbox" ? kept.id : undefined);
      if (kept.in === "inbox") request();
    },
    /** Reports of the journal are now in the inbox under this id. */
    moveToInbox: (reports: readonly Report[], id: string): void => {
      unpublished.moveToInbox(reports, id);
      request();
    },
    /** The journal is empty. */
    clearJournal: unpublished.clearJournal,
    /** Resolves when the first publish has succeeded or failed. */
    firstPublish,
    /** Time since the last publish that succeeded began; before the first, since the loop was created. */
    sincePublishMs: () => deps.now() - publishedMs,
    /** Publishes soon without new reports: counts become outdated, and other writers add to the inbox. */
    request,
    /** Ends after the pending publish, which includes all reports that were accepted before the call. */
    close,
  };
}

/** Repeats the attempt while one is requested or the last one failed, with a rest after each. `close` does not wait for a rest. */
function createRounds(
  attempt: () => Promise<{ readonly hasFailed: boolean; readonly restMs: number }>,
  pause: (ms: number) => Promise<void>,
) {
  let [isDirty, isClosing] = [false, false];
  let running: Promise<void> | undefined;
  const [firstPublish, resolveFirstPublish] = createSignal<void>();
  const [closing, resolveClosing] = createSignal<void>();

  const isDue = (): boolean => isDirty;
  const work = async (): Promise<void> => {
    // Reports that are accepted during an attempt request another one.
    while (isDue()) {
      isDirty = false;
      const { hasFailed, restMs } = await attempt();
      // If the store is down, the program still ends: accepted reports are durable.
      if (hasFailed) isDirty = !isClosing;
      resolveFirstPublish();
      await Promise.race([pause(restMs), closing]);
    }
    running = undefined;
  };
  return {
    firstPublish,
    request: (): void => {
      isDirty = true;
      running ??= work();
    },
    close: async (): Promise<void> => {
      isClosing = true;
      resolveClosing();
      await running;
    },
  };
}

/** A longer rest leaves the processor to the responses. In a flood, when each publish changes every document, it saves requests. */
function restAfter(tookMs: number, reports: number): number {
  const ofTimeMs = Math.min(MAX_REST_OF_TIME_MS, tookMs / 2);
  const ofReportsMs = Math.min(MAX_REST_OF_REPORTS_MS, reports * REST_PER_REPORT_MS);
  return Math.max(SHORTEST_REST_MS, ofTimeMs, ofReportsMs);
}
