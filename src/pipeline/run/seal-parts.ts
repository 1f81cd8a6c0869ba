import type { ArchiveMonth, ArchivePart, ArchiveState } from "../../model/service/archive.ts";
import { METHOD_VERSION } from "../../model/service/method.ts";
import type { State } from "../../model/state.ts";
import { dateOfDay, toUtcDay } from "../../model/time.ts";
import { closedDates, isMonthOver, monthOf, monthsToClose } from "../../open-data/archive/parts.ts";
import {
  CHANGES_FILE,
  changesTable,
  dayFiles,
  hoursIn,
  NDJSON_FILE,
  REPORTS_FILE,
  reportsTable,
  rowsOf,
  sealChecks,
  toPart,
} from "../../open-data/archive/seal.ts";
import { decodeChecks, decodeSpool } from "../../open-data/archive/spool.ts";
import {
  decodeHours,
  encodeHours,
  HOURS_FILE,
  listSealed,
  readArchiveFile,
  readClosedDays,
  readSpool,
  sealArchiveFile,
  sealClosedDays,
} from "../../state/archive-store.ts";
import type { GenerationDependencies } from "../publish/publish-setup.ts";

type SealDependencies = Pick<GenerationDependencies, "stateStore" | "emit">;

/** A day from what its runs kept, or as it was sealed before. Throws `StoreError`. */
export async function sealDay(
  { stateStore, emit }: SealDependencies,
  date: string,
  slots: readonly number[],
  method: string = METHOD_VERSION,
): Promise<ArchivePart> {
  const decoded = (await readSpool(stateStore, slots)).map(decodeSpool);
  const runs = decoded.filter((run) => run !== undefined);
  const lost = decoded.length - runs.length;
  if (lost > 0)
    emit({ event: "archive-deferred", message: `${date}: ${lost} damaged runs are left out.` });
  await sealArchiveFile(stateStore, date, HOURS_FILE, encodeHours(hoursIn(runs)));
  const sealed = await sealArchiveFile(stateStore, date, NDJSON_FILE, sealChecks(runs));
  const files = await dayFiles(sealed, decodeChecks(sealed) ?? [], method);
  return toPart(date, method, files);
}

/** The months that ended with a sealed day. Throws `StoreError`. */
export async function sealMonths(
  { stateStore }: SealDependencies,
  { verdicts }: State,
  { days, months, sealedDay }: ArchiveState,
): Promise<readonly ArchivePart[]> {
  const known = new Set(months.map(({ date }) => date));
  const due = [...new Set(days.map(({ date }) => monthOf(date)))].filter(
    (month) => !known.has(month) && isMonthOver(month, sealedDay + 1),
  );
  const sealed: ArchivePart[] = [];
  for (const month of due) {
    const changes = verdicts.changes.filter(
      ({ atMs }) => monthOf(dateOfDay(toUtcDay(atMs))) === month,
    );
    const dates = days.map(({ date }) => date).filter((date) => monthOf(date) === month);
    const hours = await Promise.all(
      dates.map((date) => readArchiveFile(stateStore, date, HOURS_FILE)),
    );
    const reports = hours.flatMap((body) => (body === undefined ? [] : decodeHours(body)));
    const tables = [
      [CHANGES_FILE, changesTable(changes)],
      [REPORTS_FILE, reportsTable(reports)],
    ] as const;
    const files = [];
    for (const [name, table] of tables) {
      const body = await sealArchiveFile(stateStore, month, name, new TextEncoder().encode(table));
      files.push({ name, body, rows: rowsOf(new TextDecoder().decode(body)) });
    }
    sealed.push(toPart(month, METHOD_VERSION, files));
  }
  return sealed;
}

/**
 * Puts the parts of the days of old months into an object for each, so that neither the state nor a run grows with the archive. An object
 * that is gone or damaged is made again from the sealed days. Throws `StoreError`.
 */
export async function closeMonths(deps: SealDependencies, archive: ArchiveState) {
  const { stateStore } = deps;
  for (const month of archive.months) {
    const isLost =
      month.closedDays !== undefined &&
      (await readClosedDays(stateStore, month.date)) === undefined;
    if (isLost) await restoreDays(deps, month);
  }
  const closed: ArchiveMonth[] = [];
  for (const month of monthsToClose(archive)) {
    const parts = archive.days.filter(({ date }) => monthOf(date) === month.date);
    const days = await sealClosedDays(stateStore, month.date, parts);
    closed.push({ ...month, closedDays: days.map(({ date }) => date.slice(-2)) });
  }
  return closed;
}

/** The method of a day is that of its month: the present one would describe other files than those that were published. */
async function restoreDays(deps: SealDependencies, month: ArchiveMonth): Promise<void> {
  const sealed = await listSealed(deps.stateStore);
  const kept = new Set(sealed.flatMap(({ date, key }) => (key.endsWith(NDJSON_FILE) ? date : [])));
  const parts: ArchivePart[] = [];
  for (const date of closedDates({ months: [month] }))
    if (kept.has(date)) parts.push(await sealDay(deps, date, [], month.method));
  await sealClosedDays(deps.stateStore, month.date, parts);
}
