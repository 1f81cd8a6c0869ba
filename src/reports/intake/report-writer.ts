import type { Report } from "../../model/service/reports.ts";
import { SECOND_MS } from "../../model/time.ts";
import type {
  PersistResult,
  Persisted,
  ReportWriterDependencies,
  PersistedIn,
  WriteRecord,
  EmitIntakeEvent,
} from "./durable-write.ts";
import { createGroupCommit } from "../../store/group-commit.ts";
import { createInboxSeries } from "../../store/inbox-id.ts";
import type { JournalResult, Journal } from "./journal.ts";
import { withTimeout } from "../../store/with-timeout.ts";
import { setTimeout as sleep } from "node:timers/promises";

/** A report is published within a second, half of which is for the publish. Source: docs/reports/intake.md, Durable. */
const MAX_WAIT_MS = 300;

/** A report has about 80 bytes, so an inbox object stays below 100 kB. */
export const MAX_REPORTS_PER_OBJECT = 1_000;

/** About 20 s of the largest flood in the benchmarks; more would only wait in memory. */
const MAX_PENDING = 20_000;

export interface ReportWriter {
  /** Resolves when the report is durable or refused. */
  readonly persist: (report: Report) => Promise<PersistResult>;
  /** Where the next report is expected to be kept. */
  readonly state: () => PersistResult;
  /** Ends the running writes. Do not call `persist` afterwards. The journal stays for the next start. */
  readonly close: () => Promise<void>;
}

/**
 * Makes reports durable in batches: in the inbox while the store responds, otherwise in the journal, which is replayed in the
 * background. Meanwhile no report waits for the store: the replay detects when it is back.
 */
export function createReportWriter(dependencies: ReportWriterDependencies): ReportWriter {
  const { journal, onAccepted, nowMs, options = {} } = dependencies;
  const status = createStatus(dependencies.emit);
  const nextId = createInboxSeries();
  const replay =
    journal && createReplay({ ...dependencies, journal, setInboxDown: status.setInboxDown });
  const startReplay = (): void => replay?.start();
  const { toInbox, toJournal } = createWriters({ ...dependencies, status, startReplay });

  async function write(reports: readonly Report[]): Promise<PersistResult> {
    // With an empty journal no replay runs, so only a report can detect that the store is back.
    const usesJournal = status.isInboxDown() && journal !== undefined && journal.size().reports > 0;
    const kept = usesJournal
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
    persist: async (report) => {
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

interface WriterDependencies extends ReportWriterDependencies {
  readonly status: WriterStatus;
  readonly startReplay: () => void;
}

/** One attempt each; the journal is the fallback of the inbox. */
interface Writers {
  readonly toInbox: (id: string, reports: readonly Report[]) => Promise<Persisted | "refused">;
  readonly toJournal: (
    reports: readonly Report[],
    add: () => Promise<JournalResult>,
  ) => Promise<Persisted | "refused">;
}

function createWriters(dependencies: WriterDependencies): Writers {
  const { journal, status, onWrite = () => undefined, options = {} } = dependencies;
  const { inboxTimeoutMs = SECOND_MS } = options;

  const toJournal: Writers["toJournal"] = async (reports, add) => {
    try {
      const result = await measure("journal", reports.length, onWrite, add);
      // Also if it is full: the replay has to make room.
      dependencies.startReplay();
      if (result === "full") return status.refuse("the journal is full");
      status.setJournalUp();
      return { in: "journal" };
    } catch (error) {
      return status.refuse(messageOf(error));
    }
  };

  const removeFromJournal = async (id: string, reports: readonly Report[]): Promise<void> => {
    if (await journal?.remove(id)) dependencies.onReplayed?.(reports, id);
  };

  const toInbox: Writers["toInbox"] = async (id, reports) => {
    const written = dependencies.writeInbox(id, dependencies.encode(reports));
    try {
      await measure("inbox", reports.length, onWrite, () => withTimeout(written, inboxTimeoutMs));
      status.setInboxDown(false);
      return { in: "inbox", id };
    } catch (error) {
      status.setInboxDown(true, messageOf(error));
    }
    if (journal === undefined) return status.refuse("there is no journal");
    const kept = await toJournal(reports, () => journal.put(id, reports));
    // The write succeeded after the timeout, so the copy in the journal is not needed.
    if (kept !== "refused")
      written.then(() => removeFromJournal(id, reports)).catch(() => undefined);
    return kept;
  };
  return { toInbox, toJournal };
}

/** Records an attempt, successful or not. Rejects as the attempt does. */
async function measure<T>(
  to: PersistedIn,
  reports: number,
  onWrite: (record: WriteRecord) => void,
  attempt: () => Promise<T>,
): Promise<T> {
  const startMs = performance.now();
  let hasFailed = true;
  try {
    const result = await attempt();
    hasFailed = result === "full";
    return result;
  } finally {
    onWrite({ to, reports, durationMs: performance.now() - startMs, hasFailed });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The state of inbox and journal. Each change is logged once. */
interface WriterStatus {
  readonly isInboxDown: () => boolean;
  readonly setInboxDown: (isDown: boolean, message?: string) => void;
  /** The journal was written. */
  readonly setJournalUp: () => void;
  /** Neither can be written, for the reason in the message. */
  readonly refuse: (message: string) => "refused";
  readonly state: (hasJournal: boolean) => PersistResult;
}

function createStatus(emit: EmitIntakeEvent): WriterStatus {
  let isInboxDown = false;
  let isRefusing = false;
  return {
    isInboxDown: () => isInboxDown,
    setInboxDown: (isDown, message = "") => {
      if (isDown && !isInboxDown) emit({ event: "inbox-failed", message });
      if (!isDown && isInboxDown) emit({ event: "inbox-back" });
      isInboxDown = isDown;
      if (!isDown) isRefusing = false;
    },
    setJournalUp: () => {
      isRefusing = false;
    },
    refuse: (message) => {
      if (!isRefusing) emit({ event: "intake-refusing", message });
      isRefusing = true;
      return "refused";
    },
    state: (hasJournal) => {
      if (isRefusing) return "refused";
      return isInboxDown && hasJournal ? "journal" : "inbox";
    },
  };
}

/** Longer than for new reports, because no client waits for the replay. */
const REPLAY_TIMEOUT_MS = 10_000;

const RETRY_DELAYS_MS = [500, 10_000] as const;

export interface ReplayDependencies extends Pick<
  ReportWriterDependencies,
  "writeInbox" | "encode" | "onReplayed" | "onJournalEmpty" | "emit" | "options"
> {
  readonly journal: Journal;
  /** Called after each attempt. */
  readonly setInboxDown: (isDown: boolean, message?: string) => void;
}

export interface Replay {
  /** Does nothing if the replay is running. */
  readonly start: () => void;
  /** Resolves when the current segment is done. */
  readonly stop: () => Promise<void>;
}

/**
 * Moves the journal into the inbox, segment by segment, until it is empty. A segment is removed after its object is written, so
 * after a crash in between the same object is written again under the same id.
 */
export function createReplay(dependencies: ReplayDependencies): Replay {
  const { journal, options = {} } = dependencies;
  const [first, longest] = options.retryDelaysMs ?? RETRY_DELAYS_MS;
  const stopped = new AbortController();
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    let delayMs = first;
    while (!stopped.signal.aborted) {
      const step = await moveOne(dependencies);
      if (step === "empty") return dependencies.onJournalEmpty?.();
      if (step === "moved") {
        delayMs = first;
        continue;
      }
      // With jitter, so that several intakes do not retry at the same moment.
      const pauseMs = delayMs * (0.5 + Math.random() / 2);
      await sleep(pauseMs, undefined, { signal: stopped.signal, ref: false }).catch(
        () => undefined,
      );
      delayMs = Math.min(delayMs * 2, longest);
    }
  }

  function start(): void {
    running ??= run().finally(() => {
      running = undefined;
      // Reports may have been added after `next` found nothing.
      if (!stopped.signal.aborted && journal.size().reports > 0) start();
    });
  }

  return {
    start,
    stop: async () => {
      stopped.abort();
      await running;
    },
  };
}

async function moveOne(dependencies: ReplayDependencies): Promise<"moved" | "empty" | "failed"> {
  const { journal, emit, onReplayed } = dependencies;
  try {
    const segment = await journal.next();
    if (segment === undefined) return "empty";
    const { id, reports, damaged } = segment;
    if (reports.length > 0 && !(await write(id, reports, dependencies))) return "failed";
    const isOurs = await journal.remove(id);
    if (damaged > 0) emit({ event: "journal-damaged", id, lines: damaged });
    if (reports.length > 0 && isOurs) onReplayed?.(reports, id);
    return "moved";
  } catch (error) {
    emit({ event: "journal-failed", message: String(error) });
    return "failed";
  }
}

async function write(
  id: string,
  reports: readonly Report[],
  { writeInbox, encode, setInboxDown }: ReplayDependencies,
): Promise<boolean> {
  // Outside of `try`: an encoding error does not mean that the store is down.
  const bytes = encode(reports);
  try {
    await withTimeout(writeInbox(id, bytes), REPLAY_TIMEOUT_MS);
    setInboxDown(false);
    return true;
  } catch (error) {
    setInboxDown(true, error instanceof Error ? error.message : String(error));
    return false;
  }
}
