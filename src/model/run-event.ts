import type { EngineCounts } from "./engine-counts.ts";
import type { Connectivity } from "./service/connectivity.ts";
import type { AnchorPhase } from "./service/evidence.ts";
import type { HoldCause } from "./service/history.ts";
import type { EndpointResult } from "./probe-outcome.ts";
import type { RequestCounts } from "./store.ts";
import type { EvidenceRefusal } from "./service/vantage.ts";

/** What a long command logs. Codes and values only; src/cli words them. */
export type RunEvent =
  | {
      readonly event: "run-started";
      readonly atMs: number;
      readonly services: number;
      readonly endpoints: number;
    }
  | {
      readonly event: "anchors-probed";
      readonly phase: AnchorPhase;
      /** By all rounds so far; in the phase `monitors`, by that round alone. */
      readonly connectivity: Connectivity;
    }
  | {
      readonly event: "endpoint-measured";
      readonly slug: string;
      readonly url: string;
      readonly result: EndpointResult;
      readonly done: number;
      readonly total: number;
    }
  | {
      readonly event: "confirming";
      readonly slug: string;
      readonly url: string;
      readonly attempt: number;
      readonly waitMs: number;
    }
  | { readonly event: "monitors-started"; readonly monitors: number }
  | { readonly event: "monitors-checked"; readonly done: number; readonly total: number }
  | { readonly event: "monitors-degraded"; readonly message: string }
  | {
      readonly event: "monitors-finished";
      readonly healthy: number;
      readonly failing: number;
      readonly refused: number;
      readonly skipped: number;
      readonly durationMs: number;
    }
  /** Monitors that were healthy and are refused since this run, which counts as a failure. */
  | {
      readonly event: "monitors-newly-refused";
      readonly count: number;
      /** At most the first few. */
      readonly ids: readonly string[];
    }
  /** Monitors whose name has public and non-public addresses in DNS since this run. */
  | {
      readonly event: "monitors-mixed-addresses";
      readonly count: number;
      readonly ids: readonly string[];
    }
  /** The resolver gave special-purpose addresses for anchors, so those that it gave for monitors do not count in this run. */
  | {
      readonly event: "resolver-not-trusted";
      readonly anchors: readonly string[];
      /** Number of monitors that are skipped for this reason. */
      readonly count: number;
    }
  | { readonly event: "clock-behind"; readonly behindMs: number }
  /** Relative to the clock of the store; negative: behind. */
  | { readonly event: "clock-off"; readonly aheadMs: number }
  | { readonly event: "already-folded"; readonly atMs: number }
  | {
      readonly event: "run-offline";
      /** URLs of anchors. */
      readonly unreachable: readonly string[];
    }
  /** New failures that are held: the earlier verdicts of these services stay published. */
  | {
      readonly event: "failures-held";
      readonly slugs: readonly string[];
      readonly causes: readonly HoldCause[];
    }
  /** Vantages whose answer to one of the last two asks is believed, and the others. */
  | {
      readonly event: "vantages-heard";
      readonly heard: readonly string[];
      readonly silent: readonly string[];
    }
  /** An answer of a vantage is not believed. */
  | {
      readonly event: "evidence-refused";
      readonly vantage: string;
      readonly reason: EvidenceRefusal;
    }
  /** The store in which the runner meets its vantages failed: the run goes on without them. */
  | { readonly event: "exchange-failed"; readonly message: string }
  /** A vantage answered an ask. */
  | {
      readonly event: "ask-answered";
      readonly ask: string;
      readonly endpoints: number;
      readonly failing: number;
      readonly connectivity: Connectivity["state"];
      /** Of the signed answer. */
      readonly bytes: number;
      readonly durationMs: number;
    }
  /** There is no ask, or it is answered already. */
  | { readonly event: "nothing-asked"; readonly isAnswered: boolean }
  /** A notifier has sent messages. */
  | {
      readonly event: "notices-sent";
      readonly delivered: number;
      readonly failed: number;
      /** Channels that wait for something. */
      readonly open: number;
      readonly durationMs: number;
    }
  /** A message to an owner of a monitor did not arrive; it is tried again. */
  | {
      readonly event: "notice-failed";
      readonly monitor: string;
      readonly reason: string;
      readonly tries: number;
    }
  /** A receiver is gone: nothing more is sent to it. */
  | { readonly event: "channel-stopped"; readonly monitor: string }
  /** A message to a channel of the operator did not arrive; it is tried again. */
  | {
      readonly event: "channel-failed";
      readonly channel: string;
      readonly reason: string;
      readonly tries: number;
    }
  /** The first message of a cycle to a browser of a visitor that did not arrive; all are tried again. */
  | { readonly event: "push-failed"; readonly reason: string; readonly tries: number }
  /** Browsers of visitors are gone: nothing more is sent to them, and their records are erased. */
  | { readonly event: "subscriptions-ended"; readonly count: number }
  /** The list of services is so old that nothing is told. */
  | { readonly event: "alerts-paused"; readonly updatedMs: number }
  /** The notifier was away for so long that changes have left the outbox. */
  | { readonly event: "changes-missed"; readonly count: number }
  /** Another notifier with the same ledger is sending. */
  | { readonly event: "notifier-busy" }
  /** The checks of a run by workers of an engine. */
  | ({ readonly event: "engine-done" } & EngineCounts)
  /** A worker is done with a batch: `answered`, `refused` as not ours, or `returned` to be delivered again. */
  | {
      readonly event: "batch-ended";
      readonly kind: "answered" | "refused" | "returned";
      readonly batch: string | null;
      readonly isRedelivered: boolean;
      readonly targets?: number;
      readonly failing?: number;
      readonly reason?: string;
    }
  | { readonly event: "run-stopped" }
  | { readonly event: "deadline-reached"; readonly skipped: number }
  | {
      readonly event: "published";
      readonly written: number;
      readonly unchanged: number;
      readonly removed: number;
      readonly durationMs: number;
      /** Of the whole run. */
      readonly requests: { readonly public: RequestCounts; readonly state: RequestCounts };
    }
  | { readonly event: "removals-withheld"; readonly count: number }
  | { readonly event: "monitors-withheld"; readonly count: number }
  | { readonly event: "monitors-already-counted" }
  | { readonly event: "inbox-damaged"; readonly message: string }
  /** The inbox, or some of its objects, could not be read: a later publish counts these reports. */
  | { readonly event: "reports-deferred"; readonly message: string }
  /** Edits of owners were counted: records that are new or changed, and those that are erased. */
  | { readonly event: "owners-changed"; readonly changed: number; readonly erased: number }
  /** Edits of owners could not be read or cleaned up; they wait for a later generation. */
  | { readonly event: "owner-edits-deferred"; readonly message: string }
  /** Counted objects could not be removed: they are not counted again, and a later publish retries. */
  | { readonly event: "inbox-not-cleared"; readonly message: string }
  /** Days that are over were made part of the archive. */
  | { readonly event: "archive-sealed"; readonly dates: readonly string[] }
  /** The checks of a run are not added to the archive. */
  | { readonly event: "archive-skipped"; readonly reason: "slot-taken" | "day-sealed" }
  /** The archive could not be written or read: a later run tries again. */
  | { readonly event: "archive-deferred"; readonly message: string }
  | { readonly event: "catalogue-changed"; readonly services: number }
  /** The changed catalogue is invalid: the previous one stays in use. */
  | { readonly event: "catalogue-reload-rejected"; readonly message: string }
  /** Entries of the overlay have no effect, because their targets are not in the catalogue. */
  | { readonly event: "overlay-unused"; readonly message: string }
  /** The truth file cannot be used, and counts as empty. */
  | { readonly event: "truth-ignored"; readonly message: string }
  | { readonly event: "badges-postponed"; readonly count: number }
  /** The URL of the website is not configured, so it is not published; or it keeps the URL of an earlier publish. */
  | { readonly event: "site-without-address"; readonly assumedUrl: string | null }
  | { readonly event: "run-finished"; readonly updatedAtMs: number; readonly durationMs: number };

export type Emit = (event: RunEvent) => void;
