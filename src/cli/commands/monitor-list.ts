import { shownCondition } from "../../monitors/uptime/record.ts";
import type { Log } from "../../setup/log.ts";
import { BADGE_WINDOW, type Monitor } from "../../model/monitor/monitor.ts";
import type { MonitorHistory } from "../../pipeline/publish/monitor-removals.ts";
import { loadMonitorHistory } from "../../pipeline/publish/monitor-generation.ts";
import { type MonitorRow, renderMonitors } from "../output/monitors-table.ts";
import { loadState } from "../../state/state-file.ts";
import { openStore } from "../../store/open.ts";
import { phaseOf } from "../../monitors/ownership/owner-phase.ts";
import { uptimeOf } from "../../monitors/uptime/availability.ts";
import type { ExitCode } from "../../setup/exit-codes.ts";
import type { Io, MonitorRulesFlags } from "../../setup/io.ts";
import { readOwnedRecords } from "../../setup/registry/owned-records.ts";
import { openRegistrySource } from "../../setup/registry/registry-source.ts";
import { readMonitorRules } from "../../setup/publish-settings.ts";
import { ifGiven, collectProblems, parseLogMode } from "../../setup/parse-options.ts";

export interface MonitorListFlags extends MonitorRulesFlags {
  readonly monitors?: string;
  readonly state: string;
  readonly json?: boolean;
  /** Only monitors that wait for the proof of their owners. */
  readonly pending?: boolean;
  readonly log?: string;
}

/** `monitor list`: every monitor of the registry and of owners, with the result of its last checks. */
export async function monitorListCommand(
  flags: MonitorListFlags,
  io: Io,
  log: Log,
): Promise<ExitCode> {
  const { unwrap, addProblem, throwIfAny } = collectProblems();
  const rules = unwrap(readMonitorRules(flags));
  const source = rules && unwrap(await openRegistrySource(flags.monitors, rules));
  unwrap(ifGiven(flags.log, parseLogMode));
  const opened = await openStore(flags.state, { role: "private" });
  if (opened.kind === "refused") addProblem(opened.message);
  throwIfAny();
  if (!source || opened.kind === "refused") throw new TypeError("no registry and no problem");
  for (const warning of source.warnings) log.warn(warning);
  const { state } = await loadState(opened.store);
  const history = await loadMonitorHistory(opened.store, state);
  const { monitors } = await source.read();
  const nowMs = io.wallMs();
  const owned = [...(await readOwnedRecords(opened.store, state.owners)).values()];
  const rows = [
    ...monitors.map((monitor) => toRow(monitor, history, nowMs)),
    ...owned.map((one) => ({ ...toRow(one.monitor, history, nowMs), owner: phaseOf(one, nowMs) })),
  ].filter(({ owner }) => flags.pending !== true || owner === "pending");
  io.print(flags.json === true ? JSON.stringify(rows, undefined, 2) : renderMonitors(rows));
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
    state: record === undefined ? "unknown" : shownCondition(record).condition,
    sinceMs: record?.sinceMs ?? null,
    ...(record?.code === undefined ? {} : { code: record.code }),
    ...(record?.warning === undefined ? {} : { warning: record.warning }),
    uptime: uptimeOf(record, clock, BADGE_WINDOW, nowMs),
  };
}
