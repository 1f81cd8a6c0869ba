import { shownCondition } from "../../monitors/uptime/record.ts";
import { BADGE_WINDOW, type Monitor } from "../../model/monitor/monitor.ts";
import { gradeUptime } from "../../model/monitor/pictures.ts";
import type { MonitorRecords } from "../../pipeline/publish/monitor-removals.ts";
import { loadMonitorHistory } from "../../pipeline/publish/monitor-generation.ts";
import { nameFailure, nameWarning } from "../output/outcome-text.ts";
import { renderTable } from "../output/table.ts";
import { formatMinute, toJsonText } from "../output/text.ts";
import { loadState } from "../../state/state-file.ts";
import { type OwnerPhase, phaseOf } from "../../monitors/ownership/owner-phase.ts";
import { uptimeOf } from "../../monitors/uptime/availability.ts";
import type { Action } from "../../setup/io.ts";
import type { Flags, MonitorRulesFlags } from "../../setup/options/options.ts";
import { readOwnedRecords } from "../../setup/registry/owned-records.ts";
import { openRegistrySource } from "../../setup/registry/registry-source.ts";
import { readMonitorRules } from "../../setup/publish-settings.ts";
import { openChecked } from "../../setup/stores.ts";

/** `monitor list`: every monitor of the registry and of owners, with the result of its last checks. */
export const monitorListCommand: Action<
  MonitorRulesFlags & Flags<"registry" | "state" | "list" | "listJson">
> = async ({ flags, problems, io, log }) => {
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
    ...owned.map((one) => toRow(one.monitor, history, nowMs, phaseOf(one, nowMs))),
  ].filter(({ owner }) => !flags.isPending || owner === "pending");
  io.print(flags.isJson ? toJsonText(rows) : renderMonitors(rows));
  return 0;
};

/** @param owner of a monitor that its owner has added: how far the proof is. */
function toRow(
  monitor: Monitor,
  { clock, recordOf }: MonitorRecords,
  nowMs: number,
  owner?: OwnerPhase,
) {
  const record = recordOf(monitor.id);
  const { id, url, name, isPublic } = monitor;
  return {
    id,
    url,
    name,
    isPublic,
    state: record === undefined ? "unknown" : shownCondition(record).condition,
    sinceMs: record?.sinceMs ?? null,
    code: record?.code,
    warning: record?.warning,
    uptime: uptimeOf(record, clock, BADGE_WINDOW, nowMs),
    owner,
  };
}

type MonitorRow = ReturnType<typeof toRow>;

/** Monitors as a table, in the order given. Ends without a line break. */
function renderMonitors(rows: readonly MonitorRow[]): string {
  if (rows.length === 0)
    return "The registry has no monitors. `status-snapshot monitor add URL` adds one.";
  const hasOwners = rows.some(({ owner }) => owner !== undefined);
  const head = ["ID", "PUBLIC", "STATE", "SINCE (UTC)", "30 DAYS", "URL"];
  const cells = rows.map((row) => [
    row.id,
    row.isPublic ? "public" : "",
    row.state === "unknown" && row.warning === undefined ? "not checked yet" : row.state,
    row.sinceMs === null ? "-" : formatMinute(row.sinceMs),
    gradeUptime(row.uptime).value ?? "-",
    row.url,
    ...(hasOwners ? [row.owner ?? "operator"] : []),
    why(row),
  ]);
  return renderTable(cells, {
    head: [...head, ...(hasOwners ? ["OWNER"] : []), "WHY"],
    colAligns: ["left", "left", "left", "left", "right", "left", "left", "left"],
  });
}

/** A healthy monitor has only a warning; its last failure is past. */
function why({ state, code, warning }: MonitorRow): string {
  if (warning !== undefined) return `${nameWarning(warning)} [${warning}]`;
  const isBad = state === "failing" || state === "refused";
  return isBad && code !== undefined ? nameFailure(code) : "";
}
