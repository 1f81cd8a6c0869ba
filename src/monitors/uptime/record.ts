import type { CheckResult, MonitorWarning } from "../../model/monitor/monitor.ts";
import type {
  MonitorCondition,
  MonitorDay,
  MonitorFailure,
  MonitorRecord,
  PendingChanges,
} from "../../model/monitor/uptime.ts";
import { DAY_MS, HISTORY_DAYS } from "../../model/time.ts";
import { addResponse, dayOfSlot, pruneResponse, SLOTS_PER_DAY } from "./time-slots.ts";

/** Length of the list of a monitor, as long as that of a service. */
const MAX_FAILURES = 10;

export interface RunPoint extends Pick<PendingChanges, "run" | "slot" | "atMs"> {
  /** See `responseHourOf`. */
  readonly responseHour: number;
}

/** The record if this run can follow on it. It cannot if an old state was restored, so that numbers began again. */
export function continuedRecord(record: MonitorRecord | undefined, run: number) {
  return record !== undefined && record.firstRun <= run && record.marksEnd < run
    ? record
    : undefined;
}

/** The record of a monitor whose first run has this number. */
export function newRecord(firstRun: number, sinceMs: number): MonitorRecord {
  return { firstRun, days: [], marks: "", marksEnd: 0, state: "unknown", sinceMs };
}

/** The record after a check; a new one if there was none. A skipped check keeps the condition and, but for a wall, the warning. */
export function recordVerdict(
  known: MonitorRecord | undefined,
  verdict: CheckResult,
  point: RunPoint,
): MonitorRecord {
  const { run, atMs } = point;
  const record = continuedRecord(known, run) ?? newRecord(run, atMs);
  const state = verdict.kind === "skipped" ? record.state : verdict.kind;
  const code = "code" in verdict ? verdict.code : record.code;
  const { warning: before, ...others } = record;
  const warning = verdict.kind === "skipped" && !verdict.isWalled ? before : warningOf(verdict);
  const next = {
    ...others,
    state,
    sinceMs: state === record.state ? record.sinceMs : atMs,
    ...(code === undefined ? {} : { code }),
    ...(warning === undefined ? {} : { warning }),
    ...addFailure(record, state, atMs),
  };
  if (verdict.kind !== "healthy") return { ...next, ...except(record, verdict.kind, point) };
  if (verdict.totalMs === undefined) return next;
  return { ...next, response: addResponse(record.response, point.responseHour, verdict.totalMs) };
}

/** The condition as it is shown: while a wall answers in place of the site, what was found before it says nothing. */
export function shownCondition({ state, sinceMs, code, warning }: MonitorRecord) {
  const condition: MonitorCondition = warning === "robot-wall" ? "unknown" : state;
  const isWrong = condition === "failing" || condition === "refused";
  return {
    condition,
    sinceMs: condition === "unknown" ? null : sinceMs,
    // The code of an earlier failure is not shown for a healthy monitor.
    ...(isWrong && code !== undefined ? { code } : {}),
    ...(warning === undefined ? {} : { warning }),
  };
}

/** The failures after a check that found this condition. */
function addFailure(
  { state: before, sinceMs, code, failures = [] }: MonitorRecord,
  state: MonitorCondition,
  atMs: number,
): Pick<MonitorRecord, "failures"> {
  if (before !== "failing" || state === "failing" || code === undefined) return {};
  // A clock that was ahead may have begun it later than now.
  const ended: MonitorFailure = { sinceMs: Math.min(sinceMs, atMs), endedAtMs: atMs, code };
  return { failures: [...failures, ended].slice(-MAX_FAILURES) };
}

function warningOf(verdict: CheckResult): MonitorWarning | undefined {
  if (verdict.kind === "skipped") return "robot-wall";
  return verdict.kind === "healthy" ? verdict.warning : undefined;
}

function except(
  { days, marks, marksEnd }: MonitorRecord,
  kind: "failing" | "refused" | "skipped",
  { run, slot }: Pick<RunPoint, "run" | "slot">,
): Pick<MonitorRecord, "days" | "marks" | "marksEnd"> {
  const isFailed = kind === "failing";
  const mark = isFailed ? "f" : "s";
  const healthy = run - marksEnd - 1;
  const isApart = marks === "" || healthy >= SLOTS_PER_DAY;
  return {
    days: countOnDay(days, dayOfSlot(slot), isFailed ? "failed" : "skipped"),
    marks: isApart ? mark : marks + ".".repeat(healthy) + mark,
    marksEnd: run,
  };
}

function countOnDay(
  days: readonly MonitorDay[],
  day: number,
  result: "failed" | "skipped",
): readonly MonitorDay[] {
  const last = days.at(-1);
  const isSame = last?.day === day;
  const before = isSame ? last : { day, failed: 0, skipped: 0 };
  const counted = { ...before, [result]: before[result] + 1 };
  return [...(isSame ? days.slice(0, -1) : days), counted];
}

/** The record without data that no window reaches after that run; the same object if there is none. */
export function pruneRecord(
  known: MonitorRecord,
  { run, slot }: Pick<RunPoint, "run" | "slot">,
): MonitorRecord {
  const firstDay = dayOfSlot(slot) - HISTORY_DAYS + 1;
  const record = withoutOldFailures(withoutOldResponse(known, slot), firstDay * DAY_MS);
  const areDaysOld = (record.days[0]?.day ?? firstDay) < firstDay;
  const surplus = run - SLOTS_PER_DAY - (record.marksEnd - record.marks.length);
  const areMarksOld = record.marks !== "" && surplus > 0;
  if (!areDaysOld && !areMarksOld) return record;
  const marks = areMarksOld ? record.marks.slice(surplus).replace(/^\.+/, "") : record.marks;
  return {
    ...record,
    days: areDaysOld ? record.days.filter(({ day }) => day >= firstDay) : record.days,
    marks,
    marksEnd: marks === "" ? 0 : record.marksEnd,
  };
}

function withoutOldFailures(record: MonitorRecord, fromMs: number): MonitorRecord {
  const { failures = [], ...others } = record;
  const kept = failures.filter(({ endedAtMs }) => endedAtMs >= fromMs);
  if (kept.length === failures.length) return record;
  return kept.length === 0 ? others : { ...others, failures: kept };
}

function withoutOldResponse(record: MonitorRecord, slot: number): MonitorRecord {
  if (record.response === undefined) return record;
  const pruned = pruneResponse(record.response, slot);
  if (pruned === record.response) return record;
  const { response: _, ...others } = record;
  return pruned === undefined ? others : { ...others, response: pruned };
}
