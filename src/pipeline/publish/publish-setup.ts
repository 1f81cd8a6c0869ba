import type { MonitoringDependencies, MonitorUpdate } from "./monitor-generation.ts";
import type { PublishMemory } from "./monitor-removals.ts";
import type { OwnersAdvance } from "./owner-generation.ts";
import type { PlaceSources } from "../pages/site-address.ts";
import type { SiteMaker } from "../pages/site-builder.ts";
import type { TruthEntry } from "../../model/service/accuracy.ts";
import type { Catalogue } from "../../model/service/catalogue.ts";
import type { Emit, RunEvent } from "../../model/run-event.ts";
import type { SiteSettings } from "../../model/site-settings.ts";
import type { Snapshot } from "../../model/service/snapshot.ts";
import type { State } from "../../model/state.ts";
import type { RequestCounts } from "../../model/store.ts";
import type { CommitDependencies } from "../../publish/generation.ts";
import type { PublishResult } from "../../publish/publish.ts";
import type { InboxDependencies } from "../../state/inbox.ts";
import type { LoadedState } from "../../state/state-file.ts";
import type { CountedStore } from "../../store/request-counter.ts";

/** The name of the network that carries the traffic of an address. */
export type NetworkNameOf = (address: string) => string;

/** What every publishing command needs: stores, catalogue, monitors, and how to make badges and pages. */
export interface PublishSetup
  extends
    CommitDependencies,
    Omit<MonitoringDependencies, "outputsOf">,
    InboxDependencies,
    Omit<PlaceSources, "publicStore"> {
  /**
   * The current catalogue. It is read after the state in each attempt, like the registry, so that a run that began before an edit
   * cannot undo what was published after the edit. Never throws; problems are logged.
   */
  readonly readCatalogue: (emit: Emit) => Promise<Catalogue>;
  /** What is known of the services from elsewhere; absent: nothing. Never throws; problems are logged. */
  readonly readTruth?: (emit: Emit) => Promise<readonly TruthEntry[]>;
  /** Publishes monitors alone: another state has the services and the website. */
  readonly isMonitorsOnly?: boolean;
  /** For the evidence: the network of an address. */
  readonly networkOf: NetworkNameOf;
  /** Names the built program. Absent: sources run. */
  readonly build?: string | undefined;
  readonly site: SiteMaker;
  /** The command has written an edit of owners, so that it is counted even where owners add no monitors. */
  readonly hasEdits?: boolean;
  /** What is absent is as in the state. */
  readonly siteSettings?: Partial<SiteSettings>;
  /** Days that stay in the archive; absent: all. */
  readonly keepArchiveDays?: number;
}

/** A setup whose stores count their requests. */
export interface GenerationDependencies extends PublishSetup, MonitoringDependencies {
  readonly publicStore: CountedStore;
  readonly stateStore: CountedStore;
  readonly memory: PublishMemory;
  /** Compares the clock of this machine with that of the store. Throws `StoreError` if it is too wrong to publish. */
  readonly checkClock: () => void;
}

export interface PublishedGeneration {
  readonly snapshot: Snapshot;
  readonly state: State;
  readonly ownership: OwnersAdvance;
  readonly published: PublishResult;
  /** Of the whole command to each store. */
  readonly requests: Readonly<Record<"public" | "state", RequestCounts>>;
}

/** A command's change of the newest state. It is called again in each attempt. */
export type StateUpdate = (state: State) => MonitorUpdate & {
  readonly state: State;
  /** Time as of which verdicts are decided. */
  readonly nowMs: number;
  /** Slugs of the services that the run is still confirming. */
  readonly pending?: ReadonlySet<string>;
  /** Logged after the publish. */
  readonly events?: readonly RunEvent[];
};

export interface GenerationOptions {
  /** Time as of which reports are counted: now, even if the verdicts are as of the start of a run. */
  readonly reportsAtMs: number;
  /** The state as it was read before: saves a request if no other writer has advanced it since. */
  readonly known?: LoadedState;
  /** Edits of owners wait for a later generation. For commands that publish many times a minute. */
  readonly areEditsLater?: boolean;
  /** The website stays as it is. For commands that publish many times a minute. */
  readonly isSiteLater?: boolean;
}
