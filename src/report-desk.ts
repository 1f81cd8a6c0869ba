import type { Report, ReportCounts, ReportLedger } from "./model/reports.ts";
import { refresh } from "./refresh.ts";
import type { ReleaseSetup } from "./release.ts";
import { countsOf } from "./reports/counts.ts";
import { foldReports } from "./reports/fold.ts";

/** Between two publishes: reports that come meanwhile share the next one. */
const MIN_INTERVAL_MS = 100;
/** After a publish that failed. */
const RETRY_MS = 2_000;

export interface ReportDeskDependencies {
  readonly setup: ReleaseSetup;
  /** Wall clock, milliseconds since the epoch. */
  readonly wallMs: () => number;
  readonly pause: (ms: number) => Promise<void>;
  /** Told of a publish that failed; the reports are safe and are published by the next one. */
  readonly onFailure: (error: unknown) => void;
}

/** Publishes what an intake has accepted, at once, and knows the counts before that. */
export interface ReportDesk {
  /** Counts with everything that was accepted here so far in them. */
  readonly countsOf: (slug: string) => ReportCounts;
  /** Reports that are durable now. Never throws. */
  readonly accept: (reports: readonly Report[]) => void;
  /** Publishes soon although nothing new was accepted: a journal was replayed, or time went by. */
  readonly poke: () => void;
  /** Ends after the publish in hand, which has everything in it that was accepted before the call. */
  readonly close: () => Promise<void>;
}

/** A desk over the stores of a release, beginning with what was counted before. Publishes nothing before it is asked to. */
export function createReportDesk(deps: ReportDeskDependencies, counted: ReportLedger): ReportDesk {
  let ledger = counted;
  // What the next publish may not find in the inbox any more, or not yet: it stands in the counts until that has ended.
  let unpublished: readonly Report[] = [];
  let isDirty = false;
  let isClosing = false;
  let running: Promise<void> | undefined;

  const publishOnce = async (): Promise<void> => {
    isDirty = false;
    const before = unpublished;
    unpublished = [];
    try {
      const { state } = await refresh(deps.setup, deps.wallMs());
      ledger = foldReports(state.reports.ledger, unpublished, deps.wallMs()).ledger;
      await deps.pause(MIN_INTERVAL_MS);
    } catch (error) {
      deps.onFailure(error);
      unpublished = [...before, ...unpublished];
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
    countsOf: (slug) => countsOf(ledger.services.get(slug), deps.wallMs()),
    accept: (reports) => {
      unpublished = [...unpublished, ...reports];
      ledger = foldReports(ledger, reports, deps.wallMs()).ledger;
      poke();
    },
    poke,
    close: async () => {
      isClosing = true;
      await running;
    },
  };
}
