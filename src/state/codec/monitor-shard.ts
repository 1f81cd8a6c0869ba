import * as z from "zod";
import { groupBy } from "../../model/lists.ts";
import { MONITOR_WARNINGS } from "../../model/monitor/monitor.ts";
import type { MonitorCondition, MonitorRecord, UptimeShard } from "../../model/monitor/uptime.ts";
import { SLOTS_PER_DAY } from "../../monitors/uptime/time-slots.ts";
import { codecOf, count, failureCode, listOf } from "../../model/stored-parts.ts";
import { storedAs } from "./stored.ts";

/*
 * The layout of a stored shard. What nearly all monitors have is in columns and, where numbers are alike, in steps: gzip then makes
 * a few bytes of a healthy monitor in addition to its id, which nothing can shorten.
 */

const LETTER_OF = {
  healthy: "h",
  failing: "f",
  refused: "r",
  unknown: "u",
} as const satisfies Record<MonitorCondition, string>;

const STATE_OF = new Map(
  Object.entries(LETTER_OF).map(([state, letter]) => [letter as string, state as MonitorCondition]),
);

const marks = z
  .string()
  .max(SLOTS_PER_DAY)
  .regex(/^(?:[fs](?:[.fs]*[fs])?)?$/);

/** At most 24, without a gap at either end. */
const levels = z.string().regex(/^[\w-](?:[\w.-]{0,22}[\w-])?$/);

/**
 * In threes: step from the day before (first: the day), failed, skipped. Checked in one loop, because there are millions of numbers
 * when many monitors are down for long.
 */
const dayTriples = z.custom<readonly number[]>(areDayTriples, "these are not counts of days");

function areDayTriples(value: unknown): boolean {
  if (!Array.isArray(value) || value.length % 3 !== 0) return false;
  const numbers: readonly unknown[] = value;
  if (!numbers.every((number) => Number.isSafeInteger(number) && Number(number) >= 0)) return false;
  for (let index = 0; index < numbers.length; index += 3) {
    const exceptions = Number(numbers[index + 1]) + Number(numbers[index + 2]);
    if (exceptions === 0 || exceptions > SLOTS_PER_DAY) return false;
    if (index > 0 && numbers[index] === 0) return false;
  }
  return true;
}

const COLUMNS = z.strictObject({
  sequence: count,
  /** In the order of `firstRun`, then of the id by code unit; so are the other columns. */
  ids: listOf(z.string().min(1)),
  firstRunSteps: listOf(count),
  /** Seldom below 0: a monitor that was added later has mostly been in its state since later. */
  sinceSteps: listOf(z.int()),
  states: z.string().regex(/^[hfru]*$/),
  /** Of monitors with a failure code, counted days or marks, by their places, ascending: place, code, days, `marksEnd`, marks. */
  exceptions: listOf(z.tuple([count, failureCode.nullable(), dayTriples, count, marks]).readonly()),
  /** Of those that have any, by their places, ascending: hour of the last one, levels. */
  responses: listOf(z.tuple([count, count, levels]).readonly()),
  /** Of those that have one, by their places, ascending. */
  warnings: listOf(z.tuple([count, z.enum(MONITOR_WARNINGS)]).readonly()),
  /** Failures that are over, by the places of their monitors, the oldest of each first: code, beginning, length in milliseconds. */
  failures: listOf(z.tuple([count, failureCode, count, count]).readonly()),
});

type ShardColumns = z.infer<typeof COLUMNS>;
type ExceptionWire = ShardColumns["exceptions"][number];

export const { encode: encodeShard, decode: decodeShard } = storedAs<UptimeShard>(
  {
    name: "the uptime",
    format: "status-snapshot/uptime",
    remedy: "restore it from a copy, or move it away: the uptime of its monitors then starts again",
  },
  codecOf(COLUMNS, fromColumns, toColumns, findMisfit),
);

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
    responses: sorted.flatMap(([, { response }], place) =>
      response === undefined ? [] : [[place, response.hour, response.levels] as const],
    ),
    warnings: sorted.flatMap(([, { warning }], place) =>
      warning === undefined ? [] : [[place, warning] as const],
    ),
    failures: sorted.flatMap(([, { failures = [] }], place) =>
      failures.map((one) => [place, one.code, one.sinceMs, one.endedAtMs - one.sinceMs] as const),
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
  const triples = days.flatMap(({ day, failed, skipped }, at) => [
    day - (days[at - 1]?.day ?? 0),
    failed,
    skipped,
  ]);
  return [[place, code ?? null, triples, marksEnd, marks]];
}

/** The inverse of `toColumns`, for columns in which `findMisfit` finds nothing. */
function fromColumns(wire: ShardColumns): UptimeShard {
  const firstRuns = fromSteps(wire.firstRunSteps);
  const since = fromSteps(wire.sinceSteps);
  const exceptions = new Map(wire.exceptions.map((exception) => [exception[0], exception]));
  const responses = new Map(wire.responses.map((response) => [response[0], response]));
  const warnings = new Map(wire.warnings);
  const failures = groupBy(wire.failures, ([place]) => place);
  const records = new Map<string, MonitorRecord>();
  for (const [place, id] of wire.ids.entries()) {
    const warning = warnings.get(place);
    const ended = failures.get(place);
    const response = responses.get(place);
    records.set(id, {
      firstRun: firstRuns[place] ?? 0,
      ...unpackException(exceptions.get(place)),
      state: STATE_OF.get(wire.states[place] ?? "") ?? "unknown",
      sinceMs: since[place] ?? 0,
      ...(ended && {
        failures: ended.map(([, code, sinceMs, lengthMs]) => {
          return { sinceMs, endedAtMs: sinceMs + lengthMs, code };
        }),
      }),
      ...(warning === undefined ? {} : { warning }),
      ...(response === undefined ? {} : { response: { hour: response[1], levels: response[2] } }),
    });
  }
  return { sequence: wire.sequence, records };
}

type Exceptions = Pick<MonitorRecord, "days" | "marks" | "marksEnd" | "code">;

const NO_EXCEPTIONS: Exceptions = { days: [], marks: "", marksEnd: 0 };

function unpackException(wire: ExceptionWire | undefined): Exceptions {
  if (wire === undefined) return NO_EXCEPTIONS;
  const [, code, triples, marksEnd, marks] = wire;
  let day = 0;
  const days = Array.from({ length: triples.length / 3 }, (_, at) => {
    day += triples[3 * at] ?? 0;
    return { day, failed: triples[3 * at + 1] ?? 0, skipped: triples[3 * at + 2] ?? 0 };
  });
  return { days, marks, marksEnd, ...(code === null ? {} : { code }) };
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
  const rows = { exceptions: wire.exceptions, "response times": wire.responses };
  for (const [what, ofPlaces] of Object.entries({ ...rows, warnings: wire.warnings }))
    if (!areInPlace(ofPlaces, ids.length)) return `the ${what} do not fit the monitors`;
  // A monitor can have several.
  if (!areInPlace(wire.failures, ids.length, 0)) return "the failures do not fit the monitors";
  return findMisfitOfException(wire);
}

function areInOrder({ ids, firstRunSteps }: ShardColumns): boolean {
  return ids.every((id, place) =>
    place === 0
      ? firstRunSteps[0] !== 0
      : firstRunSteps[place] !== 0 || id > (ids[place - 1] ?? ""),
  );
}

/** @param minStep from one place to the next. */
function areInPlace(
  rows: readonly (readonly [place: number, ...others: unknown[]])[],
  length: number,
  minStep = 1,
): boolean {
  return rows.every(
    ([place], index) => place < length && place >= (rows[index - 1]?.[0] ?? -minStep) + minStep,
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
  const { failing, refused } = LETTER_OF;
  const causeless = [...wire.states].findIndex(
    (letter, place) => (letter === failing || letter === refused) && !blamed.has(place),
  );
  return causeless === -1 ? undefined : `${wire.ids[causeless] ?? ""} is failing without a code`;
}
