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

/** Between two publishes: reports that come meanwhile share the next one. Half as long as a publish takes, within these bounds. */
const SHORTEST_REST_MS = 100;
const LONGEST_REST_MS = 1_000;
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
  let [isDirty, isClosing] = [false, false];
  let running: Promise<void> | undefined;

  const publishOnce = async (): Promise<void> => {
    isDirty = false;
    const [end, startedMs] = [unpublished.beginPublish(), deps.wallMs()];
    try {
      const { accepted, folded } = await deps.publish(startedMs);
      published = accepted;
      end(folded);
      await deps.pause(restAfter(deps.wallMs() - startedMs));
    } catch (error) {
      deps.onFailure(error);
      unpublished.failPublish();
      // A store that is down must not keep the program from ending: what was accepted is durable.
      isDirty = !isClosing;
      if (isDirty) await deps.pause(RETRY_MS);
    }
  };
  const isDue = (): boolean => isDirty;
  const work = async (): Promise<void> => {
    // What is accepted meanwhile makes it due again.
    while (isDue()) await publishOnce();
    running = undefined;
  };
  const poke = (): void => {
    isDirty = true;
    running ??= work();
  };
  return {
    countsOf: (slug) => {
      const nowMs = deps.wallMs();
      return addCounts(countColumns(published.get(slug), nowMs), unpublished.count(slug, nowMs));
    },
    accept: (reports, kept) => {
      unpublished.accept(reports, kept.in === "inbox" ? kept.id : undefined);
      // The journal is published by its replay.
      if (kept.in === "inbox") poke();
    },
    moveToInbox: (reports, id) => {
      unpublished.moveToInbox(reports, id);
      poke();
    },
    noteEmptyJournal: unpublished.clearJournal,
    poke,
    close: async () => {
      isClosing = true;
      await running;
    },
  };
}

/** A machine that is too busy must not publish all the time: whoever answers needs it more. */
function restAfter(tookMs: number): number {
  return Math.min(LONGEST_REST_MS, Math.max(SHORTEST_REST_MS, tookMs / 2));
}
