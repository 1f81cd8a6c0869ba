import type { Hono } from "hono";
import type { RequestEnv } from "../../http-server/admit-sender.ts";
import { createNetworkKeys, type ToNetworkKey } from "../../http-server/network-key.ts";
import type { OperatorOf } from "../operators/operator-table.ts";
import { createFloodGuard, type FloodLimits } from "../../http-server/rate-limit.ts";
import { createIntake, type IntakeDependencies, type SenderKey } from "./intake-routes.ts";
import { openJournal } from "./journal.ts";
import {
  answerOperationsFault,
  createIntakeMetrics,
  createOperations,
  type SignsOfLife,
} from "./metrics.ts";
import {
  createReportWriter,
  MAX_REPORTS_PER_OBJECT,
  type ReportWriterDependencies,
} from "./report-writer.ts";

/** Settings and dependencies of an intake. */
export interface IntakeSettings
  extends
    Omit<ReportWriterDependencies, "journal" | "onWrite" | "options">,
    Omit<IntakeDependencies, "persist" | "toNetworkKey" | "limitRate" | "onRefused"> {
  /** Time since the last publish that succeeded. */
  readonly sincePublishMs: () => number;
  /** At least 16 bytes. */
  readonly secret: Uint8Array;
  readonly operatorOf: OperatorOf;
  /** Absent: reports are refused while the store is down. */
  readonly journal?: { readonly folder: string; readonly maxBytes?: number };
  readonly flood?: FloodLimits;
  /** Other parts that the same port serves, each below its own path. */
  readonly parts?: readonly MountedPart[];
  readonly writer?: NonNullable<ReportWriterDependencies["options"]>;
}

/** Paths of the parts of an intake: operations of owners, and of visitors. */
export const PART_PATHS = ["/monitors", "/push"] as const;

/** A part of the intake with a path and metrics of its own. */
export interface MountedPart {
  readonly path: (typeof PART_PATHS)[number];
  readonly app: { readonly fetch: Hono<RequestEnv>["fetch"] };
  readonly metrics: () => Promise<string>;
}

/** Operators need few connections, which come out of the reserve. */
export const OPERATIONS_LISTENING = {
  answerFault: answerOperationsFault,
  limits: { inAll: 16 },
} as const;

export type Intake = Awaited<ReturnType<typeof openIntake>>;

/** Whether the intake answers a path, and not the documents. */
export function isIntakePath(path: string): boolean {
  const isOfPart = PART_PATHS.some((part) => path === part || path.startsWith(`${part}/`));
  return isOfPart || path.startsWith("/report/");
}

/** Of the address itself nothing is kept. */
function createSenderKeys({ secret, operatorOf }: IntakeSettings): ToNetworkKey<SenderKey> {
  const toNetworkKey = createNetworkKeys(secret);
  return (address, atMs) => ({ ...toNetworkKey(address, atMs), operator: operatorOf(address) });
}

/** Rejects with the system's error if the journal cannot be opened, with RangeError if the secret is too short. */
export async function openIntake(settings: IntakeSettings) {
  const { nowMs, writer: options = {}, journal: place, parts = [], ...others } = settings;
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
    toNetworkKey: createSenderKeys(settings),
    limitRate: createFloodGuard(settings.flood),
    persist: writer.persist,
    onRefused: metrics.countRefused,
  });
  // The pattern matches the path of the part alone as well.
  for (const part of parts)
    app.all(`${part.path}/*`, ({ req, env }) => part.app.fetch(req.raw, env));
  return {
    /** The public routes. */
    app,
    /** Hears of the connections of the public server. */
    observer: metrics.connections,
    /** `/healthz` and `/metrics`, for a separate port. */
    operations: createOperations(signs, async () => {
      const own = await metrics.render(signs());
      return [own, ...(await Promise.all(parts.map((part) => part.metrics())))].join("");
    }),
    state: writer.state,
    /** Call it after the servers have closed: it ends the running writes, and leaves the journal for the next start. */
    close: writer.close,
  };
}
