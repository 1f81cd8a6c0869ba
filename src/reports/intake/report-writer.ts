import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../../model/errors.ts";
import type { Report } from "../../model/service/reports.ts";
import { SECOND_MS } from "../../model/time.ts";
import { createGroupCommit } from "../../store/group-commit.ts";
import { createInboxSeries } from "../../store/inbox-id.ts";
import { withTimeout } from "../../store/with-timeout.ts";
import type { Journal, JournalResult } from "./journal.ts";

/** Where the reports of one write are durable: an object of the inbox, or a line of the journal. */
export type Persisted = { readonly in: "inbox"; readonly id: string } | { readonly in: "journal" };

export type PersistedIn = Persisted["in"];

/** `refused`: the report is not durable and must not be acknowledged. */
export type PersistResult = PersistedIn | "refused";

/** One attempt to make reports durable, for the metrics. */
export interface WriteRecord {
  readonly to: PersistedIn;
  readonly reports: number;
  readonly durationMs: number;
  readonly hasFailed: boolean;
}

export interface ReportWriterDependencies {
  /** Writes an inbox object atomically; the same id always has the same reports. After a rejection it may exist or not. */
  readonly writeInbox: (id: string, bytes: Uint8Array) => Promise<void>;
  readonly encode: (reports: readonly Report[]) => Uint8Array;
  /** Absent if no disk outlives the process: then reports are refused while the store is down. */
  readonly journal?: Journal;
  /** Called when reports are durable, before the response to any of them. Must not throw. */
  readonly onAccepted: (reports: readonly Report[], kept: Persisted) => void;
  /** Called when reports of the journal, accepted earlier, are in the inbox under this id. Must not throw. */
  readonly onReplayed?: (reports: readonly Report[], id: string) => void;
  /** Called when the journal is empty. Must not throw. */
  readonly onJournalEmpty?: () => void;
  readonly onWrite?: (record: WriteRecord) => void;
  readonly emit: (event: IntakeEvent) => void;
  readonly nowMs: () => number;
  readonly options?: {
    /** After this time the reports of an inbox write go to the journal. A second by default. */
    readonly inboxTimeoutMs?: number;
    /** Pauses between two attempts to replay the journal. 0.5 to 10 s by default. */
    readonly retryDelaysMs?: readonly [first: number, longest: number];
    /** Least time between the starts of two writes. A longer one gives fewer objects in a flood and later responses. */
    readonly minIntervalMs?: number;
    readonly maxReportsPerObject?: number;
  };
}

/** Events for the operator, as codes and values; the log turns them into text. None contains an address. */
export type IntakeEvent =
  /** A write to the store failed or timed out; reports go to the journal, if there is one. Once until `inbox-back`. */
  | { readonly event: "inbox-failed"; readonly message: string }
  | { readonly event: "inbox-back" }
  /** Neither store nor journal can be written; the response is 503. Once until one can be written again. */
  | { readonly event: "intake-refusing"; readonly message: string }
  /** Lines of the journal that could not be read back, because of a disk fault. */
  | { readonly event: "journal-damaged"; readonly id: string; readonly lines: number }
  /** The journal could not be read or cleaned up; it is retried. */
  | { readonly event: "journal-failed"; readonly message: string };

/** A report is published within a second, half of which is for the publish. Source: docs/reports/intake.md, Durable. */
const MAX_WAIT_MS = 300;

/** A report has about 80 bytes, so an inbox object stays below 100 kB. */
export const MAX_REPORTS_PER_OBJECT = 1_000;

/** About 20 s of the largest flood in the benchmarks; more would only wait in memory. */
const MAX_PENDING = 20_000;

/** Longer than for new reports, because no client waits for the replay. */
const REPLAY_TIMEOUT_MS = 10_000;

const RETRY_DELAYS_MS = [500, 10_000] as const;

/**
 * Makes reports durable in batches: in the inbox while the store responds, otherwise in the journal, which is replayed in the
 * background. Meanwhile no report waits for the store: the replay detects when it is back.
 */
export function createReportWriter(dependencies: ReportWriterDependencies) {
  const { journal, onAccepted, nowMs, options = {} } = dependencies;
  const status = createStatus(dependencies);
  const nextId = createInboxSeries();
  const replay = journal && createReplay(dependencies, journal, status);
  const startReplay = (): void => replay?.start();
  const { toInbox, toJournal } = createWriters(dependencies, status, startReplay);

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
    /** Resolves when the report is durable or refused. */
    persist: commit.add,
    /** Where the next report is expected to be kept. */
    state: status.state,
    /** Ends the running writes. Do not call `persist` afterwards. The journal stays for the next start. */
    close: async (): Promise<void> => {
      await commit.drain();
      await replay?.stop();
      await journal?.close();
    },
  };
}

/** One attempt each; the journal is the fallback of the inbox. */
function createWriters(
  dependencies: ReportWriterDependencies,
  status: WriterStatus,
  startReplay: () => void,
) {
  const { journal, onReplayed, onWrite = () => undefined, options = {} } = dependencies;
  const { inboxTimeoutMs = SECOND_MS } = options;

  async function toJournal(
    reports: readonly Report[],
    add: () => Promise<JournalResult>,
  ): Promise<Persisted | "refused"> {
    try {
      const result = await measure("journal", reports.length, onWrite, add);
      // Also if it is full: the replay has to make room.
      startReplay();
      if (result === "full") return status.refuse("the journal is full");
      status.setJournalUp();
      return { in: "journal" };
    } catch (error) {
      return status.refuse(messageOf(error));
    }
  }

  async function toInbox(id: string, reports: readonly Report[]): Promise<Persisted | "refused"> {
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
    const drop = async (): Promise<void> => {
      if (await journal.remove(id)) onReplayed?.(reports, id);
    };
    // The write succeeded after the timeout, so the copy in the journal is not needed.
    if (kept !== "refused") written.then(drop).catch(() => undefined);
    return kept;
  }
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

type WriterStatus = ReturnType<typeof createStatus>;

/** The state of inbox and journal. Each change is logged once. */
function createStatus({ emit, journal }: ReportWriterDependencies) {
  let isInboxDown = false;
  let isRefusing = false;
  return {
    isInboxDown: () => isInboxDown,
    setInboxDown: (isDown: boolean, message = ""): void => {
      if (isDown && !isInboxDown) emit({ event: "inbox-failed", message });
      if (!isDown && isInboxDown) emit({ event: "inbox-back" });
      isInboxDown = isDown;
      if (!isDown) isRefusing = false;
    },
    /** The journal was written. */
    setJournalUp: (): void => {
      isRefusing = false;
    },
    /** Neither can be written, for the reason in the message. */
    refuse: (message: string): "refused" => {
      if (!isRefusing) emit({ event: "intake-refusing", message });
      isRefusing = true;
      return "refused";
    },
    state: (): PersistResult => {
      if (isRefusing) return "refused";
      return isInboxDown && journal !== undefined ? "journal" : "inbox";
    },
  };
}

/**
 * Moves the journal into the inbox, segment by segment, until it is empty. A segment is removed after its object is written, so
 * after a crash in between the same object is written again under the same id.
 */
function createReplay(
  dependencies: ReportWriterDependencies,
  journal: Journal,
  status: WriterStatus,
) {
  const [first, longest] = dependencies.options?.retryDelaysMs ?? RETRY_DELAYS_MS;
  const stopped = new AbortController();
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    let delayMs = first;
    while (!stopped.signal.aborted) {
      const step = await moveOne(dependencies, journal, status);
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

  /** Does nothing if the replay is running. */
  function start(): void {
    running ??= run().finally(() => {
      running = undefined;
      // Reports may have been added after `next` found nothing.
      if (!stopped.signal.aborted && journal.size().reports > 0) start();
    });
  }

  return {
    start,
    /** Resolves when the current segment is done. */
    stop: async (): Promise<void> => {
      stopped.abort();
      await running;
    },
  };
}

async function moveOne(
  { writeInbox, encode, emit, onReplayed }: ReportWriterDependencies,
  journal: Journal,
  status: WriterStatus,
): Promise<"moved" | "empty" | "failed"> {
  try {
    const segment = await journal.next();
    if (segment === undefined) return "empty";
    const { id, reports, damaged } = segment;
    if (reports.length > 0) {
      // An encoding error does not mean that the store is down.
      const bytes = encode(reports);
      try {
        await withTimeout(writeInbox(id, bytes), REPLAY_TIMEOUT_MS);
        status.setInboxDown(false);
      } catch (error) {
        status.setInboxDown(true, messageOf(error));
        return "failed";
      }
    }
    const isOurs = await journal.remove(id);
    if (damaged > 0) emit({ event: "journal-damaged", id, lines: damaged });
    if (reports.length > 0 && isOurs) onReplayed?.(reports, id);
    return "moved";
  } catch (error) {
    emit({ event: "journal-failed", message: String(error) });
    return "failed";
  }
}
