import type {
  MonitorCondition,
  MonitorDay,
  MonitorFailure,
  MonitorRecord,
  UptimeShard,
} from "../../model/monitor/uptime.ts";
import { codecOf } from "./parts.ts";
import {
  COLUMNS,
  type ExceptionWire,
  type FailureWire,
  LETTER_OF,
  type ResponseWire,
  type ShardColumns,
  type WarningWire,
} from "./shard-columns.ts";
import { storedAs } from "./stored.ts";

const REMEDY =
  "restore it from a copy, or move it away: the uptime of its monitors then starts again";

/** The records of monitors. */
export const { encode: encodeShard, decode: decodeShard } = storedAs<UptimeShard>(
  {
    name: "the uptime",
    format: "status-snapshot/uptime",
    foreign: `this is not a shard of status-snapshot; ${REMEDY}`,
    remedy: REMEDY,
  },
  codecOf(COLUMNS, fromColumns, toColumns, findMisfit),
);

const STATE_OF: ReadonlyMap<string, MonitorCondition> = new Map([
  [LETTER_OF.healthy, "healthy"],
  [LETTER_OF.failing, "failing"],
  [LETTER_OF.refused, "refused"],
  [LETTER_OF.unknown, "unknown"],
]);

function toColumns({ sequence, records }: UptimeShard): ShardColumns {
  // By code unit, not by locale: the same bytes on every machine.
  const sorted = [...records].toSorted(
    ([idA, a], [idB, b]) => a.firstRun - b.firstRun || (idA < idB ? -1 : 1),
  );
  return {
    sequence,
    ids: sorted.map(([id]) => id),
    firstRunSteps: toSteps(sorted.map(([, { firstRun }]) => firstRun)),
    sinceSteps: toSteps(sorted.map(([, { sinceMs }]) => sinceMs)),
    states: sorted.map(([, { state }]) => LETTER_OF[state]).join(""),
    exceptions: sorted.flatMap(([, record], place) => packException(record, place)),
    responses: sorted.flatMap(([, { response }], place): readonly ResponseWire[] =>
      response === undefined ? [] : [[place, response.hour, response.levels]],
    ),
    warnings: sorted.flatMap(([, { warning }], place): readonly WarningWire[] =>
      warning === undefined ? [] : [[place, warning]],
    ),
    failures: sorted.flatMap(([, { failures = [] }], place) =>
      failures.map(({ code, sinceMs, endedAtMs }): FailureWire => [
        place,
        code,
        sinceMs,
        endedAtMs - sinceMs,
      ]),
    ),
  };
}

function toSteps(numbers: readonly number[]): number[] {
  return numbers.map((number, index) => number - (numbers[index - 1] ?? 0));
}

function fromSteps(steps: readonly number[]): number[] {
  let sum = 0;
  return steps.map((step) => (sum += step));
}

function packException(record: MonitorRecord, place: number): readonly ExceptionWire[] {
  const { code, days, marksEnd, marks } = record;
  if (code === undefined && days.length === 0 && marks === "") return [];
  return [[place, code ?? null, packDays(days), marksEnd, marks]];
}

function packDays(days: readonly MonitorDay[]): readonly number[] {
  const flat: number[] = [];
  let before = 0;
  for (const { day, failed, skipped } of days) {
    flat.push(day - before, failed, skipped);
    before = day;
  }
  return flat;
}

/** The inverse of `toColumns`, for columns in which `findMisfit` finds nothing. */
function fromColumns(wire: ShardColumns): UptimeShard {
  const firstRuns = fromSteps(wire.firstRunSteps);
  const since = fromSteps(wire.sinceSteps);
  const exceptions = new Map(wire.exceptions.map((exception) => [exception[0], exception]));
  const responses = new Map(wire.responses.map((response) => [response[0], response]));
  const warnings = new Map(wire.warnings);
  const failures = unpackFailures(wire.failures);
  const records = new Map<string, MonitorRecord>();
  for (const [place, id] of wire.ids.entries()) {
    const warning = warnings.get(place);
    const ended = failures.get(place);
    records.set(id, {
      firstRun: firstRuns[place] ?? 0,
      ...unpackException(exceptions.get(place)),
      state: STATE_OF.get(wire.states[place] ?? "") ?? "unknown",
      sinceMs: since[place] ?? 0,
      ...(ended === undefined ? {} : { failures: ended }),
      ...(warning === undefined ? {} : { warning }),
      ...unpackResponse(responses.get(place)),
    });
  }
  return { sequence: wire.sequence, records };
}

/** By the places of their monitors. */
function unpackFailures(wire: readonly FailureWire[]): ReadonlyMap<number, MonitorFailure[]> {
  const failures = new Map<number, MonitorFailure[]>();
  for (const [place, code, sinceMs, lengthMs] of wire) {
    const failure = { sinceMs, endedAtMs: sinceMs + lengthMs, code };
    const known = failures.get(place);
    if (known === undefined) failures.set(place, [failure]);
    else known.push(failure);
  }
  return failures;
}

function unpackResponse(wire: ResponseWire | undefined): Pick<MonitorRecord, "response"> {
  return wire === undefined ? {} : { response: { hour: wire[1], levels: wire[2] } };
}

type Exceptions = Pick<MonitorRecord, "days" | "marks" | "marksEnd" | "code">;

const NO_EXCEPTIONS: Exceptions = { days: [], marks: "", marksEnd: 0 };

function unpackException(wire: ExceptionWire | undefined): Exceptions {
  if (wire === undefined) return NO_EXCEPTIONS;
  const [, code, flat, marksEnd, marks] = wire;
  return { days: unpackDays(flat), marks, marksEnd, ...(code === null ? {} : { code }) };
}

function unpackDays(flat: readonly number[]): readonly MonitorDay[] {
  const days: MonitorDay[] = [];
  let day = 0;
  for (let index = 0; index < flat.length; index += 3) {
    day += flat[index] ?? 0;
    days.push({ day, failed: flat[index + 1] ?? 0, skipped: flat[index + 2] ?? 0 });
  }
  return days;
}

/** What the schema cannot check: lengths that must agree, orders, bounds between fields. */
function findMisfit(wire: ShardColumns): string | undefined {
  const { ids, firstRunSteps, sinceSteps, states } = wire;
  if ([firstRunSteps, sinceSteps, states].some(({ length }) => length !== ids.length)) {
    return "the columns differ in length";
  }
  if (new Set(ids).size < ids.length) return "an id occurs twice";
  if (!areInOrder(wire)) return "the monitors are not in order";
  if (fromSteps(sinceSteps).some((sinceMs) => sinceMs < 0)) return "a state began before 1970";
  if (!areInPlace(wire.exceptions, ids.length)) return "the exceptions do not fit the monitors";
  if (!areInPlace(wire.responses, ids.length)) return "the response times do not fit the monitors";
  if (!areInPlace(wire.warnings, ids.length)) return "the warnings do not fit the monitors";
  const isOrdered = wire.failures.every(
    ([place], index) => place < ids.length && place >= (wire.failures[index - 1]?.[0] ?? 0),
  );
  if (!isOrdered) return "the failures do not fit the monitors";
  return findMisfitOfException(wire);
}

function areInOrder({ ids, firstRunSteps }: ShardColumns): boolean {
  return ids.every((id, place) =>
    place === 0
      ? firstRunSteps[0] !== 0
      : firstRunSteps[place] !== 0 || id > (ids[place - 1] ?? ""),
  );
}

function areInPlace(
  entries: readonly (ExceptionWire | ResponseWire | WarningWire)[],
  length: number,
): boolean {
  return entries.every(
    ([place], index) => place < length && place > (entries[index - 1]?.[0] ?? -1),
  );
}

function findMisfitOfException(wire: ShardColumns): string | undefined {
  const firstRuns = fromSteps(wire.firstRunSteps);
  const blamed = new Set<number>();
  for (const [place, code, flat, marksEnd, marks] of wire.exceptions) {
    const id = wire.ids[place] ?? "";
    const isEmpty = code === null && flat.length === 0 && marks === "";
    if (isEmpty) return `${id} has an exception that says nothing`;
    const firstMark = marksEnd - marks.length + 1;
    if (marks === "" ? marksEnd !== 0 : firstMark < (firstRuns[place] ?? 0)) {
      return `the marks of ${id} do not fit its runs`;
    }
    if (code !== null) blamed.add(place);
  }
  const causeless = wire.ids.findIndex((_, place) => needsCode(wire, place) && !blamed.has(place));
  return causeless === -1 ? undefined : `${wire.ids[causeless] ?? ""} is failing without a code`;
}

function needsCode({ states }: ShardColumns, place: number): boolean {
  return states[place] === LETTER_OF.failing || states[place] === LETTER_OF.refused;
}
