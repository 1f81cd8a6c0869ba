import type { Connectivity } from "./connectivity.ts";
import type { AnchorPhase } from "./evidence.ts";
import type { HoldCause } from "./history.ts";
import type { EndpointResult } from "./outcome.ts";
import type { RequestCounts } from "./store.ts";

/** What a long command tells while it works. Codes and values only; the words are made at the edge. */
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
      /** What all rounds so far say together; of the phase `monitors`, that round alone. */
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
  | { readonly event: "monitors-disturbed"; readonly message: string }
  | {
      readonly event: "monitors-finished";
      readonly healthy: number;
      readonly failing: number;
      readonly refused: number;
      readonly skipped: number;
      readonly durationMs: number;
    }
  /** Monitors that were healthy and are refused since this run, which counts as failing. */
  | {
      readonly event: "monitors-newly-refused";
      readonly count: number;
      /** The first few. */
      readonly ids: readonly string[];
    }
  /** Monitors of which DNS gives addresses that are not public beside those that are, since this run. */
  | {
      readonly event: "monitors-mixed-addresses";
      readonly count: number;
      readonly ids: readonly string[];
    }
  /** The resolver gave addresses of special purpose for anchors: none that it gave for monitors counts in this run. */
  | {
      readonly event: "resolver-not-trusted";
      readonly anchors: readonly string[];
      /** Monitors that are skipped for this reason. */
      readonly count: number;
    }
  | { readonly event: "state-migrated"; readonly fromVersion: number }
  | { readonly event: "clock-behind"; readonly behindMs: number }
  /** By so much the clock is ahead of the store's; negative: behind. */
  | { readonly event: "clock-off"; readonly aheadMs: number }
  | { readonly event: "already-folded"; readonly atMs: number }
  | {
      readonly event: "run-offline";
      /** URLs of anchors. */
      readonly unreachable: readonly string[];
    }
  /** Failures that are not believed yet: what was published of these services before stays. */
  | {
      readonly event: "failures-held";
      readonly slugs: readonly string[];
      readonly causes: readonly HoldCause[];
    }
  | { readonly event: "run-stopped" }
  | { readonly event: "deadline-reached"; readonly skipped: number }
  | {
      readonly event: "published";
      readonly written: number;
      readonly unchanged: number;
      readonly removed: number;
      readonly durationMs: number;
      /** Requests of the whole run, by kind. */
      readonly requests: { readonly public: RequestCounts; readonly state: RequestCounts };
    }
  | { readonly event: "removals-held-back"; readonly count: number }
  | { readonly event: "monitors-held-back"; readonly count: number }
  | { readonly event: "monitors-already-counted" }
  | { readonly event: "inbox-damaged"; readonly message: string }
  /** The inbox, or objects of it, could not be read: these reports are counted by a later publish. */
  | { readonly event: "reports-waiting"; readonly message: string }
  /** Objects that were counted could not be removed: they count nothing any more, and a later publish tries again. */
  | { readonly event: "inbox-not-cleared"; readonly message: string }
  | { readonly event: "catalogue-changed"; readonly services: number }
  /** The catalogue was changed to one that cannot be used: the one before stays. */
  | { readonly event: "catalogue-kept"; readonly message: string }
  /** Entries of the overlay do nothing: the catalogue does not have what they are about. */
  | { readonly event: "overlay-unused"; readonly message: string }
  | { readonly event: "badges-postponed"; readonly count: number }
  /** Nobody said where the website is served, so it is left out; or it stays with the address that it was published with. */
  | { readonly event: "site-without-address"; readonly assumedUrl: string | null }
  | { readonly event: "run-finished"; readonly updatedAtMs: number; readonly durationMs: number };

export type Emit = (event: RunEvent) => void;
