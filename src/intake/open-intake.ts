import type { BlockList } from "node:net";
import type { Hono } from "hono";
import type { AnswerFault, ConnectionObserver, NetworkOf } from "../model/connections.ts";
import type { Report, ReportCounts } from "../model/reports.ts";
import { answerFault } from "./answers.ts";
import { networksBeside } from "./client-address.ts";
import type { EmitIntakeEvent } from "./events.ts";
import { createFloodGuard, type FloodLimits } from "./flood.ts";
import { createIntake, type IntakeEnv } from "./intake.ts";
import { openJournal } from "./journal.ts";
import {
  createKeeper,
  type KeeperOptions,
  type KeepResult,
  type Kept,
  MAX_REPORTS_PER_OBJECT,
} from "./keeper.ts";
import { createIntakeMetrics } from "./metrics.ts";
import { createNetworkKeys } from "./network-key.ts";
import { answerOperationsFault, createOperations } from "./operations.ts";
import type { OriginRules } from "./origin.ts";
import type { PageOf } from "./page.ts";

/** Everything that an intake needs from outside. What is not said here stands at the dependency of the same name. */
export interface IntakeSettings extends OriginRules {
  readonly hasService: (slug: string) => boolean;
  readonly countsOf: (slug: string) => Pick<ReportCounts, "hour" | "day">;
  readonly writeInbox: (id: string, bytes: Uint8Array) => Promise<void>;
  readonly encode: (reports: readonly Report[]) => Uint8Array;
  readonly onAccepted: (reports: readonly Report[], kept: Kept) => void;
  readonly onReplayed?: (reports: readonly Report[], id: string) => void;
  readonly onJournalEmpty?: () => void;
  readonly emit: EmitIntakeEvent;
  readonly nowMs: () => number;
  /** Sixteen bytes or more. */
  readonly secret: Uint8Array;
  readonly proxies: BlockList;
  /** Where reports wait while the store is down; nowhere when it is left out. */
  readonly journal?: { readonly folder: string; readonly maxBytes?: number };
  readonly flood?: FloodLimits;
  readonly keeper?: KeeperOptions;
  readonly pageOf?: PageOf;
  readonly bodyTimeoutMs?: number;
}

/** What a server has to know that listens for the public. */
export interface PublicListening {
  readonly networkOf: NetworkOf;
  readonly answerFault: AnswerFault;
  readonly observer: ConnectionObserver;
}

/** The operators are few, and their connections come out of the reserve. */
export const OPERATIONS_LISTENING: {
  readonly answerFault: AnswerFault;
  readonly limits: { readonly inAll: number };
} = { answerFault: answerOperationsFault, limits: { inAll: 16 } };

export interface Intake {
  /** For the public. */
  readonly app: Hono<IntakeEnv>;
  readonly listening: PublicListening;
  /** `/healthz` and `/metrics`, for a port of their own. */
  readonly operations: Hono;
  readonly operationsListening: typeof OPERATIONS_LISTENING;
  readonly state: () => KeepResult;
  /** Call it when nothing listens any more: it ends what is under way, and leaves the journal for the next start. */
  readonly close: () => Promise<void>;
}

/** Puts the parts together. Rejects with the system's error when the journal cannot be opened, with RangeError for a short secret. */
export async function openIntake(settings: IntakeSettings): Promise<Intake> {
  const { nowMs, keeper: options = {}, journal: place, ...others } = settings;
  const toNetworkKey = createNetworkKeys(settings.secret);
  const maxReports = options.maxReportsPerObject ?? MAX_REPORTS_PER_OBJECT;
  const journal = place && (await openJournal(place.folder, { ...place, maxReports, nowMs }));
  const metrics = createIntakeMetrics();
  const keeper = createKeeper({
    ...others,
    ...(journal && { journal }),
    nowMs,
    options,
    onAccepted: (reports, kept) => {
      metrics.countAccepted(reports.length, kept.in);
      settings.onAccepted(reports, kept);
    },
    onReplayed: (reports, id) => {
      metrics.countReplayed(reports.length);
      settings.onReplayed?.(reports, id);
    },
    onWrite: metrics.countWrite,
  });
  const journalSize = () => journal?.size() ?? { reports: 0, bytes: 0 };
  const app = createIntake({
    ...settings,
    toNetworkKey,
    mayPost: createFloodGuard(settings.flood),
    keep: keeper.keep,
    onRefused: metrics.countRefused,
  });
  const renderMetrics = () => metrics.render(keeper.state(), journalSize());
  const operations = createOperations({ state: keeper.state, journalSize, renderMetrics });
  return {
    app,
    listening: {
      networkOf: networksBeside(settings.proxies),
      answerFault,
      observer: metrics.connections,
    },
    operations,
    operationsListening: OPERATIONS_LISTENING,
    state: keeper.state,
    close: keeper.close,
  };
}
