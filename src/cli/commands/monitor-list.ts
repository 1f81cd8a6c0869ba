import { shownCondition } from "../../monitors/uptime/record.ts";
import { BADGE_WINDOW, type Monitor } from "../../model/monitor/monitor.ts";
import type { MonitorHistory } from "../../pipeline/publish/monitor-removals.ts";
import { loadMonitorHistory } from "../../pipeline/publish/monitor-generation.ts";
import { type MonitorRow, renderMonitors } from "../output/monitors-table.ts";
import { loadState } from "../../state/state-file.ts";
import { phaseOf } from "../../monitors/ownership/owner-phase.ts";
import { uptimeOf } from "../../monitors/uptime/availability.ts";
import type { ExitCode } from "../../setup/exit-codes.ts";
import type { Call } from "../../setup/io.ts";
import type { Flags, MonitorRulesFlags } from "../../setup/options/options.ts";
import { readOwnedRecords } from "../../setup/registry/owned-records.ts";
import { openRegistrySource } from "../../setup/registry/registry-source.ts";
import { readMonitorRules } from "../../setup/publish-settings.ts";
import { openChecked } from "../../setup/stores.ts";

/** `monitor list`: every monitor of the registry and of owners, with the result of its last checks. */
export async function monitorListCommand({
  flags,
  problems,
  io,
  log,
}: Call<MonitorRulesFlags & Flags<"registry" | "state" | "list" | "listJson">>): Promise<ExitCode> {
  const { source } = problems.settle({
    source: await openRegistrySource(flags.monitors, readMonitorRules(flags)),
  });
  for (const warning of source.warnings) log.warn(warning);
  const store = await openChecked(flags.state, "private");
  const { state } = await loadState(store);
  const history = await loadMonitorHistory(store, state);
  const { monitors } = await source.read();
  const nowMs = io.wallMs();
  const owned = [...(await readOwnedRecords(store, state.owners)).values()];
  const rows = [
    ...monitors.map((monitor) => toRow(monitor, history, nowMs)),
    ...owned.map((one) => ({ ...toRow(one.monitor, history, nowMs), owner: phaseOf(one, nowMs) })),
  ].filter(({ owner }) => !flags.isPending || owner === "pending");
  io.print(flags.isJson ? JSON.stringify(rows, undefined, 2) : renderMonitors(rows));
  return 0;
}

function toRow(monitor: Monitor, { clock, recordOf }: MonitorHistory, nowMs: number): MonitorRow {
  const record = recordOf(monitor.id);
  const { id, url, name, isPublic } = monitor;
  return {
    id,
    url,
    name,
    isPublic,
    state: record === undefined ? "unknown" : shownCondition(record),
    sinceMs: record?.sinceMs ?? null,
    ...(record?.code === undefined ? {} : { code: record.code }),
    ...(record?.warning === undefined ? {} : { warning: record.warning }),
    uptime: uptimeOf(record, clock, BADGE_WINDOW, nowMs),
  };
}
