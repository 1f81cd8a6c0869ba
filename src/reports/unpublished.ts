import { type FoldedIds, isFolded } from "../model/folded-ids.ts";
import type { Report, ReportLedger } from "../model/reports.ts";
import { createReportJudge } from "./judge.ts";
import { addCounts, type AnswerCounts, createTally, type Tally } from "./tally.ts";

/** Objects of the inbox whose reports are told apart until a publish has counted them: some seconds of the worst flood. */
const MOST_WAITING = 500;

/** What accepted reports that were not published yet add to the counts, in no more room however many they are and however long they wait. */
export interface UnpublishedReports {
  readonly count: (slug: string, nowMs: number) => AnswerCounts;
  /** Reports that are durable now: in the inbox under this id, or in the journal. */
  readonly accept: (reports: readonly Report[], id?: string) => void;
  /** Reports of the journal that now lie in the inbox under this id. */
  readonly moveToInbox: (reports: readonly Report[], id: string) => void;
  /** Nothing is left in the journal. */
  readonly clearJournal: () => void;
  /** A publish begins. To be called with the objects that are counted then, when it has ended well. */
  readonly beginPublish: () => (folded: FoldedIds) => void;
  /** It has failed. */
  readonly failPublish: () => void;
}

/** None at first, beside what the ledger counts. */
export function createUnpublished(ledger: ReportLedger): UnpublishedReports {
  const judge = createReportJudge(ledger);
  // In the inbox, by id: the next publish counts it, unless the one in hand does.
  const waiting = new Map<string, Tally>();
  // What waits for too long to be told apart, and what is in the journal.
  const [late, journaled] = [createTally(), createTally()];
  let published: FoldedIds = new Map();

  const merge = (): void => {
    for (const tally of waiting.values()) late.addAll(tally);
    waiting.clear();
  };
  const wait = (id: string, tally: Tally): void => {
    // A publish can be quicker than the answer to the write.
    if (!isFolded(published, id)) waiting.set(id, tally);
    if (waiting.size > MOST_WAITING) merge();
  };
  return {
    count: (slug, nowMs) =>
      [...waiting.values(), late, journaled]
        .map((tally) => tally.count(slug, nowMs))
        .reduce(addCounts),
    accept: (reports, id) => {
      const tally = id === undefined ? journaled : createTally();
      for (const report of reports) tally.add(report, judge.accept(report));
      if (id !== undefined) wait(id, tally);
    },
    moveToInbox: (reports, id) => {
      const tally = createTally();
      for (const report of reports) {
        const rise = judge.raisedBy(report);
        if (journaled.take(report, rise)) tally.add(report, rise);
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
