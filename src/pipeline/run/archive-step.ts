import type { ArchivedCheck, ArchivePart, ArchiveState } from "../../model/service/archive.ts";
import type { Catalogue } from "../../model/service/catalogue.ts";
import type { EndpointResult } from "../../model/probe-outcome.ts";
import type { State } from "../../model/state.ts";
import type { ObjectStore } from "../../model/store.ts";
import { MINUTE_MS, toUnixSeconds, toUtcDay, dateOfDay } from "../../model/time.ts";
import {
  closedDates,
  dayOfDate,
  isOlderThan,
  keepNewest,
  mergeArchive,
} from "../../open-data/archive/parts.ts";
import { NDJSON_FILE } from "../../open-data/archive/seal.ts";
import { encodeSpool, FEWEST_REPORTS } from "../../open-data/archive/spool.ts";
import { reportsAsOf } from "../../reports/counting/counts.ts";
import { listSealed, listSpool, removeSpool, writeSpool } from "../../state/archive-store.ts";
import type { GenerationDependencies, NetworkNameOf } from "../publish/publish-setup.ts";
import { toSlot } from "../../monitors/uptime/time-slots.ts";
import { unlessStoreFails } from "./hear-vantages.ts";
import { type Measurement, resultsOf } from "./measurement.ts";
import { closeMonths, sealDay, sealMonths } from "./seal-parts.ts";

type ArchiveDependencies = Pick<
  GenerationDependencies,
  "stateStore" | "emit" | "networkOf" | "keepArchiveDays"
>;

/** The runner's own place, as evidence calls it. */
const VANTAGE = "moscow";

/** A run takes less: after so long no run of the day before can still be alive. */
const GRACE_MS = 15 * MINUTE_MS;

/** Days that one run seals, each in a second: after a long pause the next runs go on. */
const DAYS_AT_ONCE = 3;

/**
 * Keeps what a run has measured until its day is over. The first run of a slot of five minutes is kept, unless its day is sealed. The
 * archive must not stop verdicts: a store that fails costs this run its place in the archive, and gives an event.
 *
 * @param services those that are folded.
 */
export async function spoolRun(
  { stateStore, emit, networkOf }: ArchiveDependencies,
  services: Catalogue["services"],
  measured: Measurement["measured"],
  { reports, archive }: State,
  startMs: number,
): Promise<void> {
  if (toUtcDay(startMs) <= archive.sealedDay) {
    emit({ event: "archive-skipped", reason: "day-sealed" });
    return;
  }
  const at = toUnixSeconds(startMs);
  const checks = services.flatMap(({ slug: service, endpoints }) =>
    resultsOf(endpoints, measured).map(({ url: endpoint, result }) => {
      const described = describeResult(result, networkOf);
      return { at, service, endpoint, ...described, vantage: VANTAGE };
    }),
  );
  const counts = [...reportsAsOf(reports.ledger, startMs)];
  const many = counts.flatMap(([slug, { hour }]) =>
    hour >= FEWEST_REPORTS ? [[slug, hour] as const] : [],
  );
  const body = encodeSpool({ at, checks, reports: many });
  await unlessStoreFails(emit, "archive-deferred", async () => {
    if (!(await writeSpool(stateStore, toSlot(startMs), body)))
      emit({ event: "archive-skipped", reason: "slot-taken" });
  });
}

function describeResult(
  { outcome, isFlaky }: EndpointResult,
  networkOf: NetworkNameOf,
): Pick<ArchivedCheck, "state" | "stage" | "code" | "ms" | "network"> {
  if (outcome.kind === "skipped")
    return { state: "skipped", stage: null, code: null, ms: null, network: null };
  const { address, timings } = outcome.trace;
  const common = {
    ms: timings.totalMs,
    network: address === undefined ? null : networkOf(address),
  };
  if (outcome.kind === "failed")
    return { state: "failed", stage: outcome.stage, code: outcome.code, ...common };
  const isWall = outcome.trace.wall !== undefined;
  const state = isWall ? "wall" : outcome.kind === "ok" && isFlaky ? "flaky" : outcome.kind;
  return { state, stage: null, code: null, ...common };
}

/** Whether a day is over that was not looked at. */
export function isSealingDue({ archive }: State, startMs: number): boolean {
  return archive.sealedDay !== yesterdayOf(startMs);
}

/** Before its first run a state looks for no earlier days: those of a lost state can wait for a day, and a first run has enough to do. */
export function beginArchive({ archive, history }: State, startMs: number): ArchiveState {
  const isFirst = history.runs.length === 0 && archive.sealedDay === 0;
  return isFirst ? { ...archive, sealedDay: yesterdayOf(startMs) } : archive;
}

function yesterdayOf(startMs: number): number {
  return toUtcDay(startMs - GRACE_MS) - 1;
}

/**
 * Seals the days that are over, from what their runs kept, and the months. The first writer decides what a file is, so that two of them,
 * or one that died and its successor, give the same archive. Undefined: the store has failed, and a later run tries again.
 */
export async function sealArchive(deps: ArchiveDependencies, state: State, startMs: number) {
  const yesterday = yesterdayOf(startMs);
  return unlessStoreFails(deps.emit, "archive-deferred", async () => {
    const spool = await listSpool(deps.stateStore);
    const over = [...spool].filter(([day]) => day <= yesterday);
    const due = await daysToSeal(deps.stateStore, state.archive, over);
    const days: ArchivePart[] = [];
    for (const [date, slots] of due.slice(0, DAYS_AT_ONCE))
      days.push(await sealDay(deps, date, slots));
    const last = due.length > DAYS_AT_ONCE ? days.at(-1) : undefined;
    const sealedDay = last === undefined ? yesterday : dayOfDate(last.date);
    const sealed = mergeArchive(state.archive, { days, months: [], sealedDay });
    const ended = await sealMonths(deps, state, sealed);
    const withMonths = mergeArchive(sealed, { days: [], months: ended, sealedDay });
    const months = [...ended, ...(await closeMonths(deps, withMonths))];
    if (days.length > 0)
      deps.emit({ event: "archive-sealed", dates: days.map(({ date }) => date) });
    const today = yesterday + 1;
    return {
      /** The archive of a newer state, with the days and months that were sealed. */
      apply: (newest: ArchiveState): ArchiveState =>
        keepNewest(mergeArchive(newest, { days, months, sealedDay }), deps.keepArchiveDays, today),
      /** Removes the sealed runs and the days past their time. The state must have the archive before. Never throws `StoreError`. */
      clear: (): Promise<void> => {
        const slots = over.flatMap(([day, ofDay]) => (day <= sealedDay ? ofDay : []));
        return clear(deps, slots, today);
      },
    };
  });
}

/** Days that the archive lacks, oldest first, with their slots: none of a day that is sealed although the state does not know it. */
async function daysToSeal(
  store: ObjectStore,
  archive: ArchiveState,
  over: readonly (readonly [day: number, slots: readonly number[]])[],
): Promise<readonly (readonly [date: string, slots: readonly number[]])[]> {
  const sealed = (await listSealed(store)).filter(({ key }) => key.endsWith(NDJSON_FILE));
  const days = new Map<string, readonly number[]>([
    ...sealed.map(({ date }) => [date, []] as const),
    ...over.map(([day, slots]) => [dateOfDay(day), slots] as const),
  ]);
  const known = new Set([...closedDates(archive), ...archive.days.map(({ date }) => date)]);
  return [...days]
    .filter(([date]) => !known.has(date))
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
}

/** A run that came later than the grace is removed with the others: its day was sealed without it. */
async function clear(
  { stateStore, emit, keepArchiveDays }: ArchiveDependencies,
  slots: readonly number[],
  today: number,
): Promise<void> {
  await unlessStoreFails(emit, "archive-deferred", async () => {
    await removeSpool(stateStore, slots);
    if (keepArchiveDays === undefined) return;
    for (const { date, key } of await listSealed(stateStore))
      if (isOlderThan(date, keepArchiveDays, today)) await stateStore.remove(key);
  });
}
