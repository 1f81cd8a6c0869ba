import { Counter, Gauge, Registry } from "prom-client";
import type { SenderRules } from "../../http-server/admit-sender.ts";
import type { OriginRules } from "../../http-server/cors-origin.ts";
import { createFloodGuard, type FloodLimits } from "../../http-server/rate-limit.ts";
import type { OwnersNews, LookForProof } from "../../model/monitor/owned-monitor.ts";
import { OWNER_PROBLEMS } from "../../model/monitor/problems.ts";
import { isPublicSuffix } from "../../model/registrable-domain.ts";
import { createSignal } from "../../model/stopping.ts";
import { SECOND_MS } from "../../model/time.ts";
import { withTimeout } from "../../store/with-timeout.ts";
import type { RecordEdit } from "../ownership/apply-edit.ts";
import type { MonitorRules } from "../registry/registry-schema.ts";
import type { OwnerActionDependencies } from "./owner-actions.ts";
import {
  createEditWriter,
  createOwnerBook,
  type EditWriterDependencies,
  type OwnerBook,
} from "./owner-book.ts";
import type { OwnerLimits } from "./owner-index.ts";
import { type Availability, createOwnerApi } from "./owner-routes.ts";
import { ProofSchedule } from "./proof-schedule.ts";

/** The first request may start the intake, and so wait for the first records. */
const PATIENCE_MS = 5 * SECOND_MS;

/** Source: docs/monitors/owners.md, "Limits". */
const LOOKS: FloodLimits = { burst: 6, perSecond: 0.1 };

export interface OwnerIntakeSettings
  extends
    OriginRules,
    Pick<SenderRules, "proxies" | "toNetworkKey">,
    Omit<EditWriterDependencies, "onKept">,
    Pick<OwnerActionDependencies, "alerts" | "conditionOf" | "newId" | "rules"> {
  readonly look: LookForProof;
  /** An edit is durable; urgent ones change what is published. Must not throw. */
  readonly onEdit: (edit: RecordEdit, isUrgent: boolean) => void;
  readonly limits?: OwnerLimits;
  readonly requests?: FloodLimits;
}

/** Opens the owners' part of an intake. It answers 503 until the first records are there. */
export function createOwnerIntake(settings: OwnerIntakeSettings) {
  const { nowMs } = settings;
  const book = createOwnerBook(settings.limits);
  const metrics = createOwnerMetrics(book);
  const gate = createGate();
  let hasUrgent = false;
  const writer = createEditWriter({
    ...settings,
    onKept: (id, edits) => {
      book.accept(id, edits);
      for (const edit of edits) {
        const isUrgent = changesPages(edit);
        hasUrgent ||= isUrgent;
        metrics.edits.inc({ kind: edit.kind });
        settings.onEdit(edit, isUrgent);
      }
    },
  });
  const { persist } = writer;
  const schedule = new ProofSchedule({ book, look: settings.look, persist, nowMs });
  const app = createOwnerApi({
    ...settings,
    book,
    schedule,
    persist,
    limitRate: createFloodGuard(settings.requests),
    limitLooks: createFloodGuard(LOOKS),
    availability: gate.availability,
    onRefused: (problem) => metrics.refused.inc({ problem }),
  });
  return {
    path: "/monitors" as const,
    /** `/monitors…`. */
    app,
    /** Records of a generation; the first make the intake ready. */
    update: (news: OwnersNews, isOn: boolean): void => {
      book.update(news);
      hasUrgent &&= book.unfolded() > 0;
      gate.set(isOn);
    },
    /** Whether accepted edits wait for a generation: `urgent` ones for the next, others for a calm moment. */
    waiting: (): "none" | "calm" | "urgent" => {
      if (hasUrgent) return "urgent";
      return book.unfolded() > 0 ? "calm" : "none";
    },
    /** Begins the looks that are due, and forgets what has expired. Call it every few seconds. */
    tick: (): void => {
      book.expire(nowMs());
      if (gate.isOn()) schedule.tick();
    },
    /** The text format of Prometheus. */
    metrics: metrics.render,
    /** Ends running looks and writes. */
    close: () => schedule.idle().then(writer.close),
  };
}

/** A new monitor, one that it displaces, or a request for a key is not seen before it is proved, and channels have no page. */
function changesPages({ kind }: RecordEdit): boolean {
  return !["register", "erase", "challenge"].includes(kind) && !kind.startsWith("channel-");
}

/** Whether owners can add monitors, once that is known. */
function createGate() {
  let state: Availability = "unknown";
  const [first, open] = createSignal<void>();
  return {
    isOn: () => state === "on",
    set: (isOn: boolean): void => {
      state = isOn ? "on" : "off";
      open();
    },
    availability: async (): Promise<Availability> => {
      if (state === "unknown") await withTimeout(first, PATIENCE_MS).catch(() => undefined);
      return state;
    },
  };
}

/** Which URLs owners may add: not those of this service, whose pages show texts of owners, nor of a public suffix. Pure. */
export function rulesForOwners(rules: MonitorRules, ownOrigin: string | undefined): MonitorRules {
  const ownHost = ownOrigin === undefined ? undefined : new URL(ownOrigin).hostname;
  return {
    refusalOfUrl: (url) => {
      if (url.hostname === ownHost) return "is this service itself; it cannot watch itself";
      if (isPublicSuffix(url.hostname))
        return "does not belong to one owner: others register names below it";
      return rules.refusalOfUrl(url);
    },
  };
}

/** Counts since the start. No label or value identifies a person, a network or a monitor. Its functions never throw. */
function createOwnerMetrics({ index, unfolded }: OwnerBook) {
  const registry = new Registry();
  const registers = [registry];
  const edits = new Counter({
    name: "status_snapshot_owner_edits_total",
    help: "Edits of owned monitors that were accepted, by kind.",
    labelNames: ["kind"],
    registers,
  });
  const refused = new Counter({
    name: "status_snapshot_owner_requests_refused_total",
    help: "Requests of owners that were refused, by reason.",
    labelNames: ["problem"],
    registers,
  });
  for (const problem of Object.keys(OWNER_PROBLEMS)) refused.inc({ problem }, 0);
  const measure = (name: string, help: string, valueOf: () => number) =>
    new Gauge({
      name: `status_snapshot_owner_${name}`,
      help,
      registers,
      collect() {
        this.set(valueOf());
      },
    });
  measure("monitors", "Owned monitors that are known, proved or not.", index.size);
  measure("monitors_pending", "Owned monitors that wait for their first proof.", index.pending);
  measure("edits_waiting", "Accepted edits that no generation has counted yet.", unfolded);
  return { edits, refused, render: () => registry.metrics() };
}
