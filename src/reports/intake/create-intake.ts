import type { BlockList } from "node:net";
import type { Context, Hono } from "hono";
import type { AnswerFault, ConnectionObserver, NetworkOf } from "../../model/connections.ts";
import type { Report, ReportCounts } from "../../model/service/reports.ts";
import { answerFault, type PageOf } from "./responses.ts";
import { createNetworkOf } from "../../http-server/client-address.ts";
import type {
  EmitIntakeEvent,
  ReportWriterOptions,
  PersistResult,
  Persisted,
} from "./durable-write.ts";
import { createFloodGuard, type FloodLimits } from "../../http-server/rate-limit.ts";
import { createIntake, type IntakeEnv } from "./intake-routes.ts";
import { openJournal } from "./journal.ts";
import { createReportWriter, MAX_REPORTS_PER_OBJECT } from "./report-writer.ts";
import {
  createIntakeMetrics,
  type SignsOfLife,
  answerOperationsFault,
  createOperations,
} from "./metrics.ts";
import { createNetworkKeys } from "../../http-server/network-key.ts";
import type { OriginRules } from "../../http-server/cors-origin.ts";

/** Settings and dependencies of an intake. Fields without a comment are documented at the dependency of the same name. */
export interface IntakeSettings extends OriginRules {
  readonly hasService: (slug: string) => boolean;
  readonly countsOf: (slug: string) => Pick<ReportCounts, "hour" | "day">;
  /** Time since the last publish that succeeded. */
  readonly sincePublishMs: () => number;
  readonly writeInbox: (id: string, bytes: Uint8Array) => Promise<void>;
  readonly encode: (reports: readonly Report[]) => Uint8Array;
  readonly onAccepted: (reports: readonly Report[], kept: Persisted) => void;
  readonly onReplayed?: (reports: readonly Report[], id: string) => void;
  readonly onJournalEmpty?: () => void;
  readonly emit: EmitIntakeEvent;
  readonly nowMs: () => number;
  /** At least 16 bytes. */
  readonly secret: Uint8Array;
  readonly proxies: BlockList;
  /** Absent: reports are refused while the store is down. */
  readonly journal?: { readonly folder: string; readonly maxBytes?: number };
  readonly flood?: FloodLimits;
  /** Other parts that the same port serves, each below its own path. */
  readonly parts?: readonly MountedPart[];
  readonly writer?: ReportWriterOptions;
  readonly pageOf?: PageOf;
  readonly bodyTimeoutMs?: number;
}

/** Paths of the parts of an intake: operations of owners, and of visitors. */
export const PART_PATHS = ["/monitors", "/push"] as const;

/** A part of the intake with a path and metrics of its own. */
export interface MountedPart {
  readonly path: (typeof PART_PATHS)[number];
  readonly app: { readonly fetch: Hono<IntakeEnv>["fetch"] };
  readonly metrics: () => Promise<string>;
}

/** Settings of the public server. */
export interface PublicListening {
  readonly networkOf: NetworkOf;
  readonly answerFault: AnswerFault;
  readonly observer: ConnectionObserver;
}

/** Operators need few connections, which come out of the reserve. */
export const OPERATIONS_LISTENING: {
  readonly answerFault: AnswerFault;
  readonly limits: { readonly inAll: number };
} = { answerFault: answerOperationsFault, limits: { inAll: 16 } };

export interface Intake {
  /** The public routes. */
  readonly app: Hono<IntakeEnv>;
  readonly listening: PublicListening;
  /** `/healthz` and `/metrics`, for a separate port. */
  readonly operations: Hono;
  readonly operationsListening: typeof OPERATIONS_LISTENING;
  readonly state: () => PersistResult;
  /** Call it after the servers have closed: it ends the running writes, and leaves the journal for the next start. */
  readonly close: () => Promise<void>;
}

function mountPart(app: Hono<IntakeEnv>, part: MountedPart): void {
  const handle = ({ req, env }: Context<IntakeEnv>) => part.app.fetch(req.raw, env);
  app.all(part.path, handle);
  app.all(`${part.path}/*`, handle);
}

/** Whether the intake answers a path, and not the documents. */
export function isIntakePath(path: string): boolean {
  const isOfPart = PART_PATHS.some((part) => path === part || path.startsWith(`${part}/`));
  return isOfPart || path.startsWith("/report/");
}

/** Rejects with the system's error if the journal cannot be opened, with RangeError if the secret is too short. */
export async function openIntake(settings: IntakeSettings): Promise<Intake> {
  const { nowMs, writer: options = {}, journal: place, ...others } = settings;
  const maxReports = options.maxReportsPerObject ?? MAX_REPORTS_PER_OBJECT;
  const journal = place && (await openJournal(place.folder, { ...place, maxReports, nowMs }));
  const metrics = createIntakeMetrics();
  const writer = createReportWriter({
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
  const signs = (): SignsOfLife => ({
    state: writer.state(),
    journal: journal?.size() ?? { reports: 0, bytes: 0 },
    sincePublishMs: settings.sincePublishMs(),
  });
  const app = createIntake({
    ...settings,
    toNetworkKey: createNetworkKeys(settings.secret),
    limitRate: createFloodGuard(settings.flood),
    persist: writer.persist,
    onRefused: metrics.countRefused,
  });
  const { parts = [] } = settings;
  for (const part of parts) mountPart(app, part);
  return {
    app,
    listening: {
      networkOf: createNetworkOf(settings.proxies),
      answerFault,
      observer: metrics.connections,
    },
    operations: createOperations(signs, async () => {
      const own = await metrics.render(signs());
      return [own, ...(await Promise.all(parts.map((part) => part.metrics())))].join("");
    }),
    operationsListening: OPERATIONS_LISTENING,
    state: writer.state,
    close: writer.close,
  };
}
