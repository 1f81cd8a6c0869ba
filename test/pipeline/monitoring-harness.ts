import { expect } from "vitest";
import { commit } from "../../src/publish/commit.ts";
import type { MonitorRecords, Registry } from "../../src/pipeline/publish/monitor-removals.ts";
import type { ComputeAdvance } from "../../src/publish/generation.ts";
import type { CheckResult, Monitor } from "../../src/model/monitor/monitor.ts";
import { SLOT_MS } from "../../src/model/monitor/uptime.ts";
import type { MonitorOutput, MonitorSubject } from "../../src/pipeline/pages/monitor-outputs.ts";
import {
  advanceMonitors,
  loadMonitorHistory,
} from "../../src/pipeline/publish/monitor-generation.ts";
import { joinFamilies } from "../../src/publish/object-groups.ts";
import { loadState } from "../../src/state/state-file.ts";
import { uptimeOf } from "../../src/monitors/uptime/availability.ts";
import { textDocuments } from "../publish/text-documents.ts";
import { type Stores, writerOver } from "../publish/writers.ts";

/* The real journal, shards and badges of monitors, with checks of known results. */

export const IDS: readonly string[] = ["shop", "blog", "bank", "mail", "news"];
export const FIRST_SLOT = 5_900_000;

/** A complete registry. */
export function registryOf(ids: readonly string[], rejectedIds: readonly string[] = []): Registry {
  return { monitors: ids.map(monitorOf), rejectedIds, isComplete: true };
}

function monitorOf(id: string): Monitor {
  return { id, name: id, url: `https://${id}.example/`, isPublic: id !== "mail" };
}

/** The check result of a monitor in a slot: every kind, in an irregular order. */
export function resultAt(id: string, slot: number): CheckResult {
  const kinds: readonly CheckResult[] = [
    { kind: "healthy", totalMs: 120 },
    { kind: "healthy", totalMs: 4_000 },
    { kind: "failing", code: "tcp-timeout" },
    { kind: "skipped" },
    { kind: "refused", code: "dns-special-address" },
  ];
  return kinds[(IDS.indexOf(id) * 3 + slot * 7) % kinds.length] ?? { kind: "healthy" };
}

const BADGES: MonitorOutput = {
  signatureOf: ({ counts }) => shareIn(counts),
  keysOf: (id) => [`m/${id}`],
  build: async ({ monitor, counts }) => textDocuments({ [`m/${monitor.id}`]: shareIn(counts) }),
};

function shareIn({ "30d": { healthy, decided } }: MonitorSubject["counts"]): string {
  return `${healthy}/${decided}`;
}

/** A page with the same counts under a separate key. */
const PAGE: MonitorOutput = {
  keysOf: (id) => [`page/${id}`],
  signatureOf: ({ counts }) => textOf(counts),
  build: async ({ monitor, counts }) => textDocuments({ [`page/${monitor.id}`]: textOf(counts) }),
};

function textOf(counts: MonitorSubject["counts"]): string {
  return `page of ${shareIn(counts)}`;
}

export interface Rules {
  readonly maxRemovalShare?: number;
  /** As in `PublishSetup`. */
  readonly named?: readonly string[];
  /** As in `PublishSetup`. */
  readonly removed?: readonly string[];
  /** The checks still run. */
  readonly areMonitorsLater?: boolean;
  readonly mustVerify?: boolean;
  /** The present slot of a publish without checks. */
  readonly nowSlot?: number;
}

/** One run in a slot; without a slot, a publish without checks. */
export async function runIn(
  stores: Stores,
  slot: number | undefined,
  registry: Registry,
  pause: () => Promise<void>,
  rules: Rules = {},
): Promise<void> {
  const { maxRemovalShare = 1, named = [], removed = [], areMonitorsLater = false } = rules;
  const { mustVerify = false, nowSlot = FIRST_SLOT + 40 } = rules;
  const deps = {
    ...writerOver(stores, pause),
    stateStore: stores.stateStore,
    readRegistry: async () => registry,
    badges: BADGES,
    outputsOf: async () => new Map([["page" as const, PAGE]]),
    named: new Set(named),
    removed: new Set(removed),
    pause,
    maxRemovalShare,
    mustVerify,
  };
  const nowMs = (slot ?? nowSlot) * SLOT_MS;
  const advance =
    (isFirst: boolean): ComputeAdvance =>
    async (state) => {
      const results = new Map(registry.monitors.map(({ id }) => [id, resultAt(id, slot ?? 0)]));
      const checked = slot === undefined || !isFirst ? undefined : { atMs: nowMs, results };
      const options = { checked, areMonitorsLater };
      const { monitors, families, settle } = await advanceMonitors(deps, state, nowMs, options);
      return {
        state: { ...state, monitors },
        documents: [],
        site: [],
        groups: joinFamilies(families, new Set()),
        settle: async () => ({ monitors: await settle() }),
        nowMs,
      };
    };
  await commit(deps, advance(true), advance(false));
}

/** The monitors of the stored state. */
export async function historyIn({ stateStore }: Stores): Promise<MonitorRecords> {
  const { state } = await loadState(stateStore);
  return loadMonitorHistory(stateStore, state);
}

/** Expects records, badges and pages to have exactly the results of the slots that were counted. */
export async function expectExact(stores: Stores, ids: readonly string[]): Promise<void> {
  const { clock, recordOf } = await historyIn(stores);
  const nowMs = clock.lastSlot * SLOT_MS;
  for (const id of ids) {
    const verdicts = clock.recentSlots.map((slot) => resultAt(id, slot).kind);
    const healthy = verdicts.filter((kind) => kind === "healthy").length;
    const first = verdicts.indexOf("healthy");
    const failing = verdicts.filter((kind, index) => {
      // A refusal counts after the monitor was healthy once.
      return kind === "failing" || (kind === "refused" && first >= 0 && index > first);
    }).length;
    const record = recordOf(id);
    expect(uptimeOf(record, clock, "24h", nowMs), id).toEqual({
      decided: healthy + failing,
      healthy,
    });
    if (id === "mail") continue;
    const badge = await stores.publicStore.read(`m/${id}`);
    expect(Buffer.from(badge?.body ?? []).toString(), id).toBe(`${healthy}/${healthy + failing}`);
    const page = await stores.publicStore.read(`page/${id}`);
    expect(Buffer.from(page?.body ?? []).toString(), id).toBe(
      `page of ${healthy}/${healthy + failing}`,
    );
  }
  expect(await stores.publicStore.find("m/mail")).toBeUndefined();
  expect(await stores.publicStore.find("page/mail")).toBeUndefined();
}

/** For stores with a single writer. */
export const NO_PAUSE = async (): Promise<void> => undefined;
