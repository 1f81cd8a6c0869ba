import type { OwnedMonitor, OwnerEdit } from "../../model/monitor/owned-monitor.ts";
import { faultInHostName } from "../../model/host-name.ts";
import { loadMonitorHistory } from "../../pipeline/publish/monitor-generation.ts";
import type { PublishedGeneration } from "../../pipeline/publish/publish-setup.ts";
import { refreshInTurn } from "../../pipeline/publish/refresh.ts";
import { writeEdits } from "../../state/inbox.ts";
import { loadState } from "../../state/state-file.ts";
import { createInboxId } from "../../store/inbox-id.ts";
import { openStore } from "../../store/open.ts";
import type { Log } from "../../setup/log.ts";
import { UsageError } from "../../setup/errors.ts";
import type { ExitCode } from "../../setup/exit-codes.ts";
import type { Io, PublishFlags } from "../../setup/io.ts";
import { collectProblems, ifGiven, parseAt, parseLogMode } from "../../setup/parse-options.ts";
import { readOwnedRecords } from "../../setup/registry/owned-records.ts";
import { readPublishSettings, type PublishSettings } from "../../setup/publish-settings.ts";

/** `monitor block HOST` and `unblock`: refuses monitors that owners add of a host, now and in future, or no longer. */
export async function monitorBlockCommand(
  kind: "block" | "unblock",
  text: string,
  flags: PublishFlags,
  io: Io,
  log: Log,
): Promise<ExitCode> {
  const host = readHost(text);
  const { records } = await applyOwnerEdit({ kind, host, atMs: io.wallMs() }, flags, io, log);
  const count = [...records.values()].filter(
    ({ monitor }) => new URL(monitor.url).hostname === host,
  ).length;
  const known = count === 1 ? "1 monitor" : `${count} monitors`;
  io.print(
    kind === "block"
      ? `${host} is blocked: ${known} of its owners refused, and no new one accepted.`
      : `${host} is not blocked any more; ${known} of its owners as before.`,
  );
  return 0;
}

/** As it is in the URL of a monitor: in Punycode and lower case. Throws `UsageError`. */
function readHost(text: string): string {
  const url = `https://${text}/`;
  const host = URL.canParse(url) && !/[/?#@\s]/u.test(text) ? new URL(url).hostname : undefined;
  const fault = host === undefined ? "not a host" : faultInHostName(host);
  if (host === undefined || fault !== undefined || new URL(url).port !== "")
    throw new UsageError([`${text}: ${fault ?? "not a host"}; write it like shop.example.ru.`]);
  return host;
}

/** Makes an edit of the operator durable and publishes it. Throws `UsageError`, `StateError`, `StoreError`. */
export async function applyOwnerEdit(
  edit: OwnerEdit,
  flags: PublishFlags,
  io: Io,
  log: Log,
): Promise<{
  readonly generation: PublishedGeneration;
  readonly records: ReadonlyMap<string, OwnedMonitor>;
}> {
  const { setup, atMs } = await readSetup(flags);
  const nowMs = atMs ?? io.wallMs();
  await writeEdits(setup.stateStore, createInboxId(nowMs), [edit]);
  const generation = await refreshInTurn(
    { ...setup, emit: log.emit, hasEdits: true },
    nowMs,
    io.stop,
  );
  return { generation, records: await readOwnedRecords(setup.stateStore, generation.state.owners) };
}

async function readSetup(
  flags: PublishFlags,
): Promise<Pick<PublishSettings, "setup"> & { readonly atMs: number | undefined }> {
  const collector = collectProblems();
  const { ready } = await readPublishSettings(flags, collector);
  const atMs = collector.unwrap(ifGiven(flags.at, parseAt));
  collector.unwrap(ifGiven(flags.log, parseLogMode));
  collector.throwIfAny();
  if (ready === undefined) throw new TypeError("nothing to publish and no problem");
  return { setup: ready.setup, atMs };
}

export interface MonitorExportFlags {
  readonly state: string;
  readonly log?: string;
}

/**
 * `monitor export ID`: everything that is stored about a monitor of an owner, as JSON, but the hash of its key. Throws `UsageError`,
 * `StateError`, `StoreError`.
 */
export async function monitorExportCommand(
  id: string,
  flags: MonitorExportFlags,
  io: Pick<Io, "print">,
): Promise<ExitCode> {
  const opened = await openStore(flags.state, { role: "private" });
  if (opened.kind === "refused") throw new UsageError([opened.message]);
  const { state } = await loadState(opened.store);
  const owned = (await readOwnedRecords(opened.store, state.owners)).get(id);
  if (owned === undefined)
    throw new UsageError([`no owner has added a monitor with the id "${id}".`]);
  const history = await loadMonitorHistory(opened.store, state);
  const { keyHash: _, challenges, ...record } = owned;
  const open = challenges.map(({ goal, ...one }) => ({ ...one, goal: goal.kind }));
  const all = { ...record, challenges: open, checks: history.recordOf(id) ?? null };
  io.print(JSON.stringify(all, undefined, 2));
  return 0;
}
