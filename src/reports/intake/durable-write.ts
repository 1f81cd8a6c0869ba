import type { Report } from "../../model/service/reports.ts";
import type { Journal } from "./journal.ts";

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
  readonly emit: EmitIntakeEvent;
  readonly nowMs: () => number;
  readonly options?: ReportWriterOptions;
}

export interface ReportWriterOptions {
  /** After this time the reports of an inbox write go to the journal. A second by default. */
  readonly inboxTimeoutMs?: number;
  /** Pauses between two attempts to replay the journal. 0.5 to 10 s by default. */
  readonly retryDelaysMs?: readonly [first: number, longest: number];
  /** Least time between the starts of two writes. A longer one gives fewer objects in a flood and later responses. */
  readonly minIntervalMs?: number;
  readonly maxReportsPerObject?: number;
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

export type EmitIntakeEvent = (event: IntakeEvent) => void;
