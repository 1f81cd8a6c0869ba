import { expect } from "vitest";
import { commit } from "../../src/commit.ts";
import type { MonitorHistory, Registry } from "../../src/departures.ts";
import type { ComputeAdvance } from "../../src/generation.ts";
import type { CheckVerdict, Monitor } from "../../src/model/monitor.ts";
import { SLOT_MS } from "../../src/model/uptime.ts";
import type { BadgeMaker, MonitorPart, MonitorSubject } from "../../src/monitor-parts.ts";
import { createMonitoring, loadMonitorHistory } from "../../src/monitoring.ts";
import { joinFamilies } from "../../src/publish/groups.ts";
import { loadState } from "../../src/state.ts";
import { uptimeOf } from "../../src/uptime/count.ts";
import { textDocuments } from "./text-documents.ts";
import { type Stores, writerOver } from "./writers.ts";

/* The real journal, shards and badges of monitors, with checks whose results are known beforehand. */

export const IDS: readonly string[] = ["shop", "blog", "bank", "mail", "news"];
export const FIRST_SLOT = 5_900_000;

/** A registry that is read whole. */
export function registryOf(ids: readonly string[], rejectedIds: readonly string[] = []): Registry {
  return { monitors: ids.map(monitorOf), rejectedIds, isComplete: true };
}

function monitorOf(id: string): Monitor {
  return { id, name: id, url: `https://${id}.example/`, isPublic: id !== "mail" };
}

/** What a check of a monitor says in a slot: every kind, in no simple order. */
export function verdictAt(id: string, slot: number): CheckVerdict {
  const kinds: readonly CheckVerdict[] = [
    { kind: "healthy", totalMs: 120 },
    { kind: "healthy", totalMs: 4_000 },
    { kind: "failing", code: "tcp-timeout" },
    { kind: "skipped" },
    { kind: "refused", code: "dns-special-address" },
  ];
  return kinds[(IDS.indexOf(id) * 3 + slot * 7) % kinds.length] ?? { kind: "healthy" };
}

const BADGES: BadgeMaker = {
  looksOf: (counts) => {
    const look = (window: keyof typeof counts) => ({
      label: "uptime",
      message: `${counts[window].healthy}/${counts[window].decided}`,
      tone: "none" as const,
    });
    return { "24h": look("24h"), "7d": look("7d"), "30d": look("30d"), "90d": look("90d") };
  },
  signatureOf: (looks) => looks["30d"].message,
  keysOf: (id) => [`m/${id}`],
  build: async (id, looks) => textDocuments({ [`m/${id}`]: looks["30d"].message }),
};

/** A page that says the same under a key of its own. */
const PAGE: MonitorPart = {
  keysOf: (id) => [`page/${id}`],
  signatureOf: ({ counts }) => textOf(counts),
  build: async ({ monitor, counts }) => textDocuments({ [`page/${monitor.id}`]: textOf(counts) }),
};

function textOf({ "30d": { healthy, decided } }: MonitorSubject["counts"]): string {
  return `page of ${healthy}/${decided}`;
}

export interface Rules {
  readonly maxRemovalShare?: number;
  /** Of whom somebody asked something by name. */
  readonly named?: readonly string[];
  /** Whom somebody took out by name. */
  readonly removed?: readonly string[];
  /** The checks are still under way. */
  readonly areMonitorsLater?: boolean;
  readonly mustLook?: boolean;
}

/** One run in a slot, or, without one, a publish that counts nothing. */
export async function runIn(
  stores: Stores,
  slot: number | undefined,
  registry: Registry,
  pause: () => Promise<void>,
  rules: Rules = {},
): Promise<void> {
  const { maxRemovalShare = 1, named = [], removed = [], areMonitorsLater = false } = rules;
  const { mustLook = false } = rules;
  const monitoring = createMonitoring({
    stateStore: stores.stateStore,
    readRegistry: async () => registry,
    badges: BADGES,
    partsOf: async () => new Map([["page", PAGE]]),
    named: new Set(named),
    removed: new Set(removed),
    pause,
    maxRemovalShare,
  });
  const nowMs = (slot ?? FIRST_SLOT + 40) * SLOT_MS;
  const advance =
    (isFirst: boolean): ComputeAdvance =>
    async (state) => {
      const verdicts = new Map(registry.monitors.map(({ id }) => [id, verdictAt(id, slot ?? 0)]));
      const checked = slot === undefined || !isFirst ? undefined : { atMs: nowMs, verdicts };
      const { monitors, families, settle } = await monitoring.advance(
        state,
        nowMs,
        checked === undefined ? { areMonitorsLater } : { checked, areMonitorsLater },
      );
      return {
        state: { ...state, monitors },
        documents: [],
        site: [],
        groups: joinFamilies(families, new Set()),
        settle,
        nowMs,
      };
    };
  const deps = { ...writerOver(stores, pause), maxRemovalShare, mustLook };
  await commit(deps, advance(true), advance(false));
}

/** What the stored state says of monitors. */
export async function historyIn({ stateStore }: Stores): Promise<MonitorHistory> {
  const { state } = await loadState(stateStore, () => undefined);
  return loadMonitorHistory(stateStore, state);
}

/** Counts, of the slots that the clock says were counted, what the checks said. */
export async function expectExact(stores: Stores, ids: readonly string[]): Promise<void> {
  const { clock, recordOf } = await historyIn(stores);
  const nowMs = clock.lastSlot * SLOT_MS;
  for (const id of ids) {
    const verdicts = clock.recentSlots.map((slot) => verdictAt(id, slot).kind);
    const healthy = verdicts.filter((kind) => kind === "healthy").length;
    const first = verdicts.indexOf("healthy");
    const failing = verdicts.filter((kind, index) => {
      // A refusal counts once the monitor was healthy.
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

/** For stores that nobody else uses. */
export const NO_PAUSE = async (): Promise<void> => undefined;
