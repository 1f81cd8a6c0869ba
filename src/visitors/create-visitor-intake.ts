import { Counter, Registry } from "prom-client";
import { createFloodGuard, type FloodLimits } from "../http-server/rate-limit.ts";
import { messageOf } from "../model/errors.ts";
import { DAY_MS, SECOND_MS } from "../model/time.ts";
import { VISITOR_PROBLEMS } from "../model/monitor/problems.ts";
import {
  type VisitorEdit,
  applyVisitorEdit,
  type VisitorEditResult,
  withoutExpired,
} from "./apply-edit.ts";
import { createVisitorApi, type VisitorApiDependencies } from "./visitor-routes.ts";
import { type VisitorShard, visitorShardOf } from "../model/monitor/visitor.ts";
import { createGroupCommit, type GroupCommit } from "../store/group-commit.ts";
import { SLOWEST_WRITE_MS, withTimeout } from "../store/with-timeout.ts";

/** So many in a day, all at once if need be. */
function perDay(burst: number): FloodLimits {
  return { burst, perSecond: (burst * SECOND_MS) / DAY_MS };
}

/** A network is a whole mobile gateway at times. Source: docs/notify.md, "Visitors' browsers". */
const SUBSCRIPTIONS = perDay(300);

/** A block is a provider at times, but one owner of an IPv6 /32 has 65,536 networks. */
const SUBSCRIPTIONS_OF_BLOCK = perDay(3_000);

/** A store that is slower gets one write of several edits at a time. */
const MAX_WAIT_MS = 10 * SECOND_MS;
const BETWEEN_WRITES_MS = 50;

/** Edits of one write, and edits that wait for one shard. */
const MAX_EDITS = 500;

export interface VisitorIntakeSettings extends Omit<
  VisitorApiDependencies,
  "persist" | "limitRate" | "limitSubscriptions" | "limitBlock" | "onKept" | "onRefused"
> {
  readonly storage: {
    /** Replaces one object over the version that was read; `apply` may be called several times. Writes nothing if it returns the same object. */
    readonly editShard: (
      shardNumber: number,
      apply: (shard: VisitorShard) => VisitorShard,
    ) => Promise<void>;
    /** Tells the notifier that there are subscriptions to try. */
    readonly announceUntried: () => Promise<void>;
  };
  readonly onFailure: (message: string) => void;
  readonly requests?: FloodLimits;
  readonly subscriptions?: FloodLimits;
}

/** Opens the visitors' part of an intake. It reads nothing before the first request. `metrics`: the text format of Prometheus. */
export function createVisitorIntake(settings: VisitorIntakeSettings) {
  const { edits, refused, render } = createVisitorMetrics();
  const { persist, close } = createVisitorWriter(settings);
  const app = createVisitorApi({
    ...settings,
    persist,
    limitRate: createFloodGuard(settings.requests),
    limitSubscriptions: createFloodGuard(settings.subscriptions ?? SUBSCRIPTIONS),
    limitBlock: createFloodGuard(SUBSCRIPTIONS_OF_BLOCK),
    onKept: (kind) => edits.inc({ kind }),
    onRefused: (problem) => refused.inc({ problem }),
  });
  return { path: "/push" as const, app, metrics: render, close };
}

/** Counts since the start. No label or value identifies a person, a network or a browser. */
function createVisitorMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const edits = new Counter({
    name: "status_snapshot_push_edits_total",
    help: "Subscriptions of browsers that were made, changed and ended.",
    labelNames: ["kind"],
    registers,
  });
  const refused = new Counter({
    name: "status_snapshot_push_requests_refused_total",
    help: "Requests about subscriptions that were refused, by reason.",
    labelNames: ["problem"],
    registers,
  });
  const kinds: readonly VisitorEdit["kind"][] = ["subscribe", "services", "unsubscribe"];
  for (const kind of kinds) edits.inc({ kind }, 0);
  for (const problem of Object.keys(VISITOR_PROBLEMS)) refused.inc({ problem }, 0);
  return { edits, refused, render: () => registry.metrics() };
}

type Results = ReadonlyMap<VisitorEdit, VisitorEditResult> | "refused";

/** Makes edits durable, those of one shard that arrive together in one write. `close` ends the running writes. */
function createVisitorWriter({ storage, nowMs, onFailure }: VisitorIntakeSettings) {
  const shards = new Map<number, GroupCommit<VisitorEdit, Results>>();
  const write = async (shardNumber: number, edits: readonly VisitorEdit[]): Promise<Results> => {
    const results = new Map<VisitorEdit, VisitorEditResult>();
    const apply = (shard: VisitorShard): VisitorShard =>
      applyAll(withoutExpired(shard, nowMs()), edits, results);
    try {
      await withTimeout(storage.editShard(shardNumber, apply), SLOWEST_WRITE_MS);
      if (edits.some(({ kind }) => kind === "subscribe"))
        await withTimeout(storage.announceUntried(), SLOWEST_WRITE_MS);
      return results;
    } catch (error) {
      onFailure(messageOf(error));
      return "refused";
    }
  };
  const openShard = (shardNumber: number): GroupCommit<VisitorEdit, Results> =>
    createGroupCommit((edits) => write(shardNumber, edits), {
      maxItems: MAX_EDITS,
      maxWaitMs: MAX_WAIT_MS,
      minIntervalMs: BETWEEN_WRITES_MS,
      maxPending: MAX_EDITS,
    });
  return {
    persist: async (edit: VisitorEdit): Promise<VisitorEditResult | "refused"> => {
      const number = visitorShardOf(edit.kind === "subscribe" ? edit.visitor.id : edit.id);
      const shard = shards.get(number) ?? openShard(number);
      shards.set(number, shard);
      const done = await shard.add(edit);
      return done === "refused" ? done : (done.get(edit) ?? "refused");
    },
    close: async (): Promise<void> =>
      void (await Promise.all([...shards.values()].map((shard) => shard.drain()))),
  };
}

function applyAll(
  before: VisitorShard,
  edits: readonly VisitorEdit[],
  results: Map<VisitorEdit, VisitorEditResult>,
): VisitorShard {
  let shard = before;
  for (const edit of edits) {
    const applied = applyVisitorEdit(shard, edit);
    ({ shard } = applied);
    // A write whose answer was lost may have removed the record: that it is gone is what was asked for.
    const wasKept = edit.kind === "unsubscribe" && results.get(edit) === "kept";
    results.set(edit, wasKept ? "kept" : applied.result);
  }
  return shard;
}
