import type { OwnedMonitor, OwnerEdit } from "../../model/monitor/owned-monitor.ts";
import { faultInHostName } from "../../model/host-name.ts";
import { loadMonitorHistory } from "../../pipeline/publish/monitor-generation.ts";
import type { PublishedGeneration } from "../../pipeline/publish/publish-setup.ts";
import { refreshInTurn } from "../../pipeline/publish/refresh.ts";
import { writeEdits } from "../../state/inbox.ts";
import { loadState } from "../../state/state-file.ts";
import { createInboxId } from "../../store/inbox-id.ts";
import { UsageError } from "../../setup/errors.ts";
import type { Action, Call } from "../../setup/io.ts";
import type { Flags, PublishFlags } from "../../setup/options/options.ts";
import { readOwnedRecords } from "../../setup/registry/owned-records.ts";
import type { Parsed } from "../../setup/parse-options.ts";
import { plural, toJsonText } from "../output/text.ts";
import { preparePublish } from "../../setup/publish-settings.ts";
import { openChecked } from "../../setup/stores.ts";

/** `monitor block HOST` and `unblock`: refuses monitors that owners add of a host, now and in future, or no longer. */
export const monitorBlockCommand: Action<
  PublishFlags,
  [kind: "block" | "unblock", text: string]
> = async (call, kind, text) => {
  const { host } = call.problems.settle({ host: readHost(text) });
  const { records } = await applyOwnerEdit({ kind, host, atMs: call.io.wallMs() }, call);
  const own = [...records.values()].filter(({ monitor }) => new URL(monitor.url).hostname === host);
  const known = plural(own.length, "monitor");
  call.io.print(
    kind === "block"
      ? `${host} is blocked: ${known} of its owners refused, and no new one accepted.`
      : `${host} is not blocked any more; ${known} of its owners as before.`,
  );
  return 0;
};

/** As it is in the URL of a monitor: in Punycode and lower case. */
function readHost(text: string): Parsed<string> {
  const url = URL.canParse(`https://${text}/`) ? new URL(`https://${text}/`) : undefined;
  const isHost = url !== undefined && url.port === "" && !/[/?#@\s]/u.test(text);
  const fault = isHost ? faultInHostName(url.hostname) : "not a host";
  return isHost && fault === undefined
    ? { value: url.hostname }
    : { problem: `${text}: ${fault ?? "not a host"}; write it like shop.example.ru.` };
}

/** Makes an edit of the operator durable and publishes it. Throws `UsageError`, `StateError`, `StoreError`. */
export async function applyOwnerEdit(
  edit: OwnerEdit,
  { flags, problems, io, log }: Call<PublishFlags>,
): Promise<{
  readonly generation: PublishedGeneration;
  readonly records: ReadonlyMap<string, OwnedMonitor>;
}> {
  const { setup } = await preparePublish(flags, problems);
  const { stateStore } = setup;
  const nowMs = flags.atMs ?? io.wallMs();
  await writeEdits(stateStore, createInboxId(nowMs), [edit]);
  const edited = { ...setup, emit: log.emit, hasEdits: true };
  const generation = await refreshInTurn(edited, nowMs, io.stop);
  return { generation, records: await readOwnedRecords(stateStore, generation.state.owners) };
}

/**
 * `monitor export ID`: everything that is stored about a monitor of an owner, as JSON, but the hash of its key. Throws `UsageError`,
 * `StateError`, `StoreError`.
 */
export const monitorExportCommand: Action<Flags<"state">, [id: string]> = async (call, id) => {
  const { flags, problems, io } = call;
  problems.throwIfAny();
  const store = await openChecked(flags.state, "private");
  const { state } = await loadState(store);
  const owned = (await readOwnedRecords(store, state.owners)).get(id);
  if (owned === undefined)
    throw new UsageError([`no owner has added a monitor with the id "${id}".`]);
  const history = await loadMonitorHistory(store, state);
  const { keyHash: _, challenges, ...record } = owned;
  const open = challenges.map(({ goal, ...one }) => ({ ...one, goal: goal.kind }));
  const all = { ...record, challenges: open, checks: history.recordOf(id) ?? null };
  io.print(toJsonText(all));
  return 0;
};
