import Table from "cli-table3";
import type { MonitorWarning, UptimeCount } from "../../model/monitor/monitor.ts";
import type { FailureCode } from "../../model/probe-outcome.ts";
import type { OwnerPhase } from "../../monitors/ownership/owner-phase.ts";
import type { MonitorCondition } from "../../model/monitor/uptime.ts";
import { NO_BORDERS, trimLines } from "./trim-lines.ts";
import { FAILURE_TEXT, WARNING_TEXT } from "./outcome-text.ts";

/** One monitor as its owner sees it. */
export interface MonitorRow {
  readonly id: string;
  readonly url: string;
  readonly name: string;
  readonly isPublic: boolean;
  readonly state: MonitorCondition;
  readonly sinceMs: number | null;
  /** The code of the last failure or refusal. */
  readonly code?: FailureCode;
  /** Of the last healthy check. */
  readonly warning?: MonitorWarning;
  /** Of a monitor that its owner has added: how far the proof is. */
  readonly owner?: OwnerPhase;
  /** Over the window of the badge. */
  readonly uptime: UptimeCount;
}

/** Monitors as a table, in the order given. Ends without a line break. */
export function renderMonitors(rows: readonly MonitorRow[]): string {
  if (rows.length === 0)
    return "There are no monitors. `status-snapshot monitor add URL` adds one.";
  const hasOwners = rows.some(({ owner }) => owner !== undefined);
  const table = new Table({
    head: [
      "ID",
      "PUBLIC",
      "STATE",
      "SINCE (UTC)",
      "30 DAYS",
      "URL",
      ...(hasOwners ? ["OWNER"] : []),
      "WHY",
    ],
    colAligns: ["left", "left", "left", "left", "right", "left", "left", "left"],
    ...NO_BORDERS,
  });
  for (const row of rows) {
    table.push([
      row.id,
      row.isPublic ? "public" : "",
      row.state === "unknown" && row.warning === undefined ? "not checked yet" : row.state,
      row.sinceMs === null ? "-" : formatMinute(row.sinceMs),
      formatUptime(row.uptime),
      row.url,
      ...(hasOwners ? [row.owner ?? "operator"] : []),
      why(row),
    ]);
  }
  return trimLines(table.toString());
}

/** A healthy monitor has only a warning; its last failure is past. */
function why({ state, code, warning }: MonitorRow): string {
  if (warning !== undefined) return `${WARNING_TEXT[warning]} [${warning}]`;
  const isBad = state === "failing" || state === "refused";
  return isBad && code !== undefined ? `${FAILURE_TEXT[code]} [${code}]` : "";
}

/** Rounded down as on the badge: 100% means that no check failed. */
function formatUptime({ decided, healthy }: UptimeCount): string {
  if (decided === 0) return "-";
  if (healthy === decided) return "100%";
  return `${(Math.floor((healthy * 10_000) / decided) / 100).toFixed(2)}%`;
}

function formatMinute(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 16).replace("T", " ");
}
