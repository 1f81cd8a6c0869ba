import type { Report } from "../model/reports.ts";
import { SECOND_MS } from "../model/time.ts";
import type { EmitIntakeEvent } from "./events.ts";
import { createGroupCommit } from "./group-commit.ts";
import { createInboxSeries } from "./inbox-id.ts";
import type { Journal, JournalResult } from "./journal.ts";
import { createStatus, type KeeperStatus } from "./keeper-status.ts";
import { createReplay } from "./replay.ts";
import { within } from "./within.ts";

/** A report is told as counted within a second, and half of that is for publishing. Source: docs/intake.md, Durable. */
const MAX_WAIT_MS = 300;

/** A report is some 80 bytes, so an inbox object stays below 100 kB. */
export const MAX_REPORTS_PER_OBJECT = 1_000;

/** Some 20 s of the worst flood that a store is measured with; more would only wait in memory. */
const MAX_PENDING = 20_000;

/** Where a report is durable: an object of the inbox, or a line of the journal. */
export type KeptIn = "inbox" | "journal";

/** Where reports of one write are durable, and under which id if that is known. */
export type Kept = { readonly in: "inbox"; readonly id: string } | { readonly in: "journal" };

/** `refused`: neither took it, and it must not be acknowledged. */
export type KeepResult = KeptIn | "refused";

/** One attempt to make reports durable, for the metrics. */
export interface WriteRecord {
  readonly to: KeptIn;
  readonly reports: number;
  readonly durationMs: number;
  readonly hasFailed: boolean;
}

export interface KeeperDependencies {
  /**
   * Writes the object of the inbox whole; the same id again holds the same reports. Any rejection means that it may or may
   * not be there.
   */
  readonly writeInbox: (id: string, bytes: Uint8Array) => Promise<void>;
  readonly encode: (reports: readonly Report[]) => Uint8Array;
  /** Absent where nothing outlives the process: then reports are refused while the store is down. */
  readonly journal?: Journal;
  /** Told of reports that have just become durable, before any of them is answered. Must not throw. */
  readonly onAccepted: (reports: readonly Report[], kept: Kept) => void;
  /** Told of reports of the journal, accepted earlier, that now lie in the inbox under this id. Must not throw. */
  readonly onReplayed?: (reports: readonly Report[], id: string) => void;
  /** Told when nothing is left in the journal. Must not throw. */
  readonly onJournalEmpty?: () => void;
  readonly onWrite?: (record: WriteRecord) => void;
  readonly emit: EmitIntakeEvent;
  readonly nowMs: () => number;
  readonly options?: KeeperOptions;
}

export interface KeeperOptions {
  /**
   * A write of the inbox that takes longer goes to the journal.
   * @default 1_000
   */
  readonly inboxTimeoutMs?: number;
  /**
   * First and longest pause between two tries to replay the journal.
   * @default [500, 10_000]
   */
  readonly retryDelaysMs?: readonly [first: number, longest: number];
  /**
   * Least time between the beginnings of two writes: fewer objects in a flood, for a later answer.
   * @default 0
   */
  readonly minIntervalMs?: number;
  /** @default MAX_REPORTS_PER_OBJECT */
  readonly maxReportsPerObject?: number;
}

export interface Keeper {
  /** Resolves when the report is durable, or cannot be made so. */
  readonly keep: (report: Report) => Promise<KeepResult>;
  /** Where the next report is going to be kept, as far as is known. */
  readonly state: () => KeepResult;
  /** Ends what is under way. Nothing may be kept after it; what is in the journal stays there for the next start. */
  readonly close: () => Promise<void>;
}

/**
 * Makes reports durable, together: in the inbox while the store answers, otherwise in the journal, from which they are replayed
 * in the background. While they are, no report waits for the store: the replay alone finds out whether it is back.
 */
export function createKeeper(dependencies: KeeperDependencies): Keeper {
  const { journal, onAccepted, nowMs, options = {} } = dependencies;
  const status = createStatus(dependencies.emit);
  const nextId = createInboxSeries();
  const replay = journal && createReplay({ ...dependencies, journal, noteInbox: status.noteInbox });
  const startReplay = (): void => replay?.start();
  const { toInbox, toJournal } = createWriters({ ...dependencies, status, startReplay });

  async function write(reports: readonly Report[]): Promise<KeepResult> {
    // With an empty journal no replay would ever find out that the store is back, so a report has to.
    const mustWait = status.isInboxDown() && journal !== undefined && journal.size().reports > 0;
    const kept = mustWait
      ? await toJournal(reports, () => journal.append(reports))
      : await toInbox(nextId(nowMs()), reports);
    if (kept === "refused") return kept;
    onAccepted(reports, kept);
    return kept.in;
  }

  const commit = createGroupCommit(write, {
    maxItems: options.maxReportsPerObject ?? MAX_REPORTS_PER_OBJECT,
    maxWaitMs: MAX_WAIT_MS,
    minIntervalMs: options.minIntervalMs ?? 0,
    maxPending: MAX_PENDING,
  });
  startReplay();
  return {
    keep: async (report) => {
      const kept = await commit.add(report);
      return kept === "overloaded" ? "refused" : kept;
    },
    state: () => status.state(journal !== undefined),
    close: async () => {
      await commit.drain();
      await replay?.stop();
      await journal?.close();
    },
  };
}

interface WriterDependencies extends KeeperDependencies {
  readonly status: KeeperStatus;
  readonly startReplay: () => void;
}

/** One attempt at each place; the journal is where the inbox falls back to. */
interface Writers {
  readonly toInbox: (id: string, reports: readonly Report[]) => Promise<Kept | "refused">;
  readonly toJournal: (
    reports: readonly Report[],
    add: () => Promise<JournalResult>,
  ) => Promise<Kept | "refused">;
}

function createWriters(dependencies: WriterDependencies): Writers {
  const { journal, status, onWrite = () => undefined, options = {} } = dependencies;
  const { inboxTimeoutMs = SECOND_MS } = options;

  const toJournal: Writers["toJournal"] = async (reports, add) => {
    try {
      const result = await measure("journal", reports.length, onWrite, add);
      // Even when it is full: what is in it has to reach the store before anything else can be kept.
      dependencies.startReplay();
      if (result === "full") return status.refuse("the journal is full");
      status.noteJournal();
      return { in: "journal" };
    } catch (error) {
      return status.refuse(messageOf(error));
    }
  };

  const forget = async (id: string, reports: readonly Report[]): Promise<void> => {
    if (await journal?.remove(id)) dependencies.onReplayed?.(reports, id);
  };

  const toInbox: Writers["toInbox"] = async (id, reports) => {
    const written = dependencies.writeInbox(id, dependencies.encode(reports));
    try {
      await measure("inbox", reports.length, onWrite, () => within(written, inboxTimeoutMs));
      status.noteInbox(false);
      return { in: "inbox", id };
    } catch (error) {
      status.noteInbox(true, messageOf(error));
    }
    if (journal === undefined) return status.refuse("there is no journal");
    const kept = await toJournal(reports, () => journal.put(id, reports));
    // Late, but there: what the journal has of it is not needed.
    if (kept !== "refused") written.then(() => forget(id, reports)).catch(() => undefined);
    return kept;
  };
  return { toInbox, toJournal };
}

/** Rejects as the act does, and tells of it either way. */
async function measure<T>(
  to: KeptIn,
  reports: number,
  onWrite: (record: WriteRecord) => void,
  act: () => Promise<T>,
): Promise<T> {
  const startMs = performance.now();
  let hasFailed = true;
  try {
    const result = await act();
    hasFailed = result === "full";
    return result;
  } finally {
    onWrite({ to, reports, durationMs: performance.now() - startMs, hasFailed });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
