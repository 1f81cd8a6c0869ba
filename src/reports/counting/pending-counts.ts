import { type FoldedIds, isFolded } from "../../model/folded-ids.ts";
import type { Report, ReportLedger } from "../../model/service/reports.ts";
import { createDedupEstimate } from "./dedup-estimate.ts";
import { addCounts, type AnswerCounts, createTally, type Tally } from "./minute-counts.ts";

/** Inbox objects that have a tally of their own until a publish has counted them: some seconds of the worst flood. */
const MAX_WAITING = 500;

/** Counts of accepted reports that are not published yet, in bounded memory. */
export interface UnpublishedReports {
  readonly count: (slug: string, nowMs: number) => AnswerCounts;
  /** Reports that are durable now: in the inbox under this id, or in the journal. */
  readonly accept: (reports: readonly Report[], id?: string) => void;
  /** Reports of the journal that are now in the inbox under this id. */
  readonly moveToInbox: (reports: readonly Report[], id: string) => void;
  /** The journal is empty. */
  readonly clearJournal: () => void;
  /** A publish begins. Call the returned function with the counted objects if it succeeds. */
  readonly beginPublish: () => (folded: FoldedIds) => void;
  /** The publish has failed. */
  readonly failPublish: () => void;
}

/** Starts empty; the ledger has the published counts. */
export function createUnpublished(ledger: ReportLedger): UnpublishedReports {
  const estimate = createDedupEstimate(ledger);
  // In the inbox, by id: counted by the running publish or the next one.
  const waiting = new Map<string, Tally>();
  // Objects that have waited too long for a tally of their own, and the journal.
  const [late, journaled] = [createTally(), createTally()];
  let published: FoldedIds = new Map();

  const merge = (): void => {
    for (const tally of waiting.values()) late.addAll(tally);
    waiting.clear();
  };
  const wait = (id: string, tally: Tally): void => {
    // A publish can end before the response to the write arrives.
    if (!isFolded(published, id)) waiting.set(id, tally);
    if (waiting.size > MAX_WAITING) merge();
  };
  return {
    count: (slug, nowMs) =>
      [...waiting.values(), late, journaled]
        .map((tally) => tally.count(slug, nowMs))
        .reduce(addCounts),
    accept: (reports, id) => {
      const tally = id === undefined ? journaled : createTally();
      for (const report of reports) tally.add(report, estimate.accept(report));
      if (id !== undefined) wait(id, tally);
    },
    moveToInbox: (reports, id) => {
      const tally = createTally();
      for (const report of reports) {
        const increase = estimate.increaseOf(report);
        if (journaled.subtract(report, increase)) tally.add(report, increase);
      }
      wait(id, tally);
    },
    clearJournal: journaled.clear,
    beginPublish: () => {
      const before = new Set(waiting.keys());
      return (folded) => {
        published = folded;
        late.clear();
        for (const id of waiting.keys()) {
          if (before.has(id) || isFolded(folded, id)) waiting.delete(id);
        }
      };
    },
    failPublish: merge,
  };
}
