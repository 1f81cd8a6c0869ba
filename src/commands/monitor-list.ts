import type { Log } from "../log/log.ts";
import { BADGE_WINDOW, type Monitor } from "../model/monitor.ts";
import type { MonitorHistory } from "../departures.ts";
import { loadMonitorHistory } from "../monitoring.ts";
import { type MonitorRow, renderMonitors } from "../render/monitors-table.ts";
import { loadState } from "../state.ts";
import { openStore } from "../store/open.ts";
import { uptimeOf } from "../uptime/count.ts";
import type { ExitCode, Io, MonitorRulesFlags } from "./io.ts";
import { openRegistrySource } from "./registry-source.ts";
import { readMonitorRules } from "./release-setup.ts";
import { ifGiven, openChecklist, parseLogMode } from "./settings.ts";

export interface MonitorListFlags extends MonitorRulesFlags {
  readonly monitors?: string;
  readonly state: string;
  readonly json?: boolean;
  readonly log?: string;
}

/** `monitor list`: every monitor of the registry with what the last checks said of it. */
export async function monitorListCommand(
  flags: MonitorListFlags,
  io: Io,
  log: Log,
): Promise<ExitCode> {
  const { take, note, settle } = openChecklist();
  const rules = take(readMonitorRules(flags));
  const source = rules && take(await openRegistrySource(flags.monitors, rules));
  take(ifGiven(flags.log, parseLogMode));
  const opened = await openStore(flags.state, { role: "private" });
  if (opened.kind === "refused") note(opened.message);
  settle();
  if (!source || opened.kind === "refused") throw new TypeError("no registry and no problem");
  for (const warning of source.warnings) log.warn(warning);
  const { state } = await loadState(opened.store, log.emit);
  const history = await loadMonitorHistory(opened.store, state);
  const { monitors } = await source.read();
  const rows = monitors.map((monitor) => toRow(monitor, history, io.wallMs()));
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
    state: record?.state ?? "unknown",
    sinceMs: record?.sinceMs ?? null,
    ...(record?.code === undefined ? {} : { code: record.code }),
    ...(record?.warning === undefined ? {} : { warning: record.warning }),
    uptime: uptimeOf(record, clock, BADGE_WINDOW, nowMs),
  };
}
