import { readMetricsView } from "./metrics.ts";
import {
  areAbsent,
  type DataExchanges,
  type DocumentRule,
  findAlone,
  objectAt,
  ruleOf,
} from "./reading.ts";
import { STATUSPAGE_RULES } from "./statuspage.ts";
import { DATA_PATHS, historyPath, shieldPath } from "../api/addresses.ts";
import {
  findInEach,
  findOrderProblems,
  findRepeated,
  parseObject,
  show,
} from "../api/json-document.ts";
import { findPairProblems } from "../api/list.ts";
import { ACCURACY_SCHEMAS } from "../../contract/accuracy.ts";
import { HISTORY_SCHEMAS } from "../../contract/history.ts";
import { OPERATOR_SCHEMAS } from "../../contract/operators.ts";
import { OUTAGE_SCHEMAS } from "../../contract/outages.ts";
import { SHIELDS_SCHEMAS } from "../../contract/shields.ts";
import type { CheckId } from "../checks.ts";
import { about, type CheckFinding, skip, toFinding, unless } from "../finding.ts";
import { findFuture, isInFuture, type ServerClock } from "../http/freshness.ts";
import { hasStatus } from "../http/client.ts";
import { UPTIME_WINDOWS } from "../../model/monitor/monitor.ts";

/** Checks the content of each document by itself. One that cannot be parsed fails only `data.json`. Source: docs/open-data.md. */
export function checkDataBodies(
  exchanges: DataExchanges,
  slugs: readonly string[],
  clock: ServerClock,
): readonly CheckFinding[] {
  // Of documents of services, only those that were requested are checked.
  const histories = [
    historyIndexRule(slugs, clock),
    ...slugs.map((slug) => historyRule(slug, clock)),
  ];
  const shields = [DATA_PATHS.overallShield, ...slugs.map(shieldPath)].map((target) =>
    ruleOf(target, SHIELDS_SCHEMAS.ShieldsEndpoint),
  );
  const checks: readonly DocumentsCheck[] = [
    ["data.changes", [changesRule(clock)]],
    ["data.statuspage", STATUSPAGE_RULES],
    ["data.accuracy", [accuracyRule(clock)]],
    ["data.operators", [ruleOf(DATA_PATHS.operators, OPERATOR_SCHEMAS.OperatorReports)]],
    ["data.history", histories, "404: the first publish has no histories"],
    ["data.outages", [outagesRule(clock)], "404: the first publish has no outages"],
    // Badges are drawn in the time that a run has left, so each may be absent for some runs.
    ["data.shields", shields, "404: no badge is drawn yet"],
  ];
  return [
    ...checkJson(exchanges),
    ...checkMetrics(exchanges),
    ...checks.flatMap((check) => checkDocuments(exchanges, check)),
  ];
}

/** `whyAbsent`: why all of the documents may be 404. */
type DocumentsCheck = readonly [id: CheckId, rules: readonly DocumentRule[], whyAbsent?: string];

/** Without a finding if no document could be read. */
function checkDocuments(
  exchanges: DataExchanges,
  [id, rules, whyAbsent]: DocumentsCheck,
): readonly CheckFinding[] {
  const targets = rules.map(([target]) => target);
  if (whyAbsent !== undefined && areAbsent(exchanges, targets)) return [skip(id, whyAbsent)];
  const read = rules.flatMap(([target, find]) => {
    const value = objectAt(exchanges, target);
    return value === undefined ? [] : [{ target, problems: about(target, find(value)) }];
  });
  if (read.length === 0) return [];
  const problems = read.flatMap((one) => one.problems);
  const alone = id === "data.history" ? findAlone(exchanges, targets) : [];
  return [toFinding(id, [...alone, ...problems], read.map(({ target }) => target).join(" "))];
}

function checkJson(exchanges: DataExchanges): readonly CheckFinding[] {
  const read = [...exchanges].flatMap(([target, exchange]) =>
    target !== DATA_PATHS.metrics && hasStatus(exchange, 200)
      ? [{ target, ...parseObject(exchange.body) }]
      : [],
  );
  if (read.length === 0) return [];
  const problems = read.flatMap((one) => about(one.target, one.problems));
  return [toFinding("data.json", problems, `${read.length} documents`)];
}

function checkMetrics(exchanges: DataExchanges): readonly CheckFinding[] {
  const exchange = exchanges.get(DATA_PATHS.metrics);
  if (!hasStatus(exchange, 200)) return [];
  const { data, problems } = readMetricsView(exchange.body);
  return [toFinding("data.metrics", problems, data ? `${data.codes.size} services` : "")];
}

const changesRule = (clock: ServerClock): DocumentRule =>
  ruleOf(DATA_PATHS.changes, HISTORY_SCHEMAS.Changes, ({ next, changes }) => [
    ...findInEach("changes", changes, (change) => {
      const { id, slug, at, before, code } = change;
      const expected = `${slug}.${at}.${code}`;
      return [
        ...unless(id === expected, `id is ${show(id)}, not ${expected}`),
        ...unless(before !== code, `before and code are both ${show(code)}`),
        ...findFuture("at", at, clock),
        ...findPairProblems(change),
      ];
    }),
    ...findRepeated("the id ", changes, ({ id }) => id),
    ...findGaps([...changes.map(({ seq }) => seq), next]),
  ]);

const accuracyRule = (clock: ServerClock): DocumentRule =>
  ruleOf(DATA_PATHS.accuracy, ACCURACY_SCHEMAS.Accuracy, ({ until, months }) => [
    ...findFuture("until", until, clock),
    ...findOrderProblems(months.map(({ month }) => month)),
  ]);

/** The numbers ascend by one, and `next`, the last of them, is the one after the last change. */
function findGaps(numbers: readonly number[]): readonly string[] {
  const gap = numbers.findIndex((seq, index) => index > 0 && seq !== (numbers[index - 1] ?? 0) + 1);
  return unless(gap === -1, `${numbers[gap]} follows seq ${numbers[gap - 1]}`);
}

const historyIndexRule = (slugs: readonly string[], clock: ServerClock): DocumentRule =>
  ruleOf(DATA_PATHS.historyIndex, HISTORY_SCHEMAS.HistoryIndex, ({ until, services }) => {
    const present = new Set(services.map(({ slug }) => slug));
    return [
      ...findFuture("until", until, clock),
      ...unless(until % 3_600 === 0, `until is ${until}, not a full hour`),
      ...findInEach("services", services, ({ uptime, checks }) =>
        UPTIME_WINDOWS.flatMap((window) =>
          unless(
            (uptime[window] === null) === (checks[window] === 0),
            `uptime is ${show(uptime[window])} of ${checks[window]} checks`,
          ),
        ),
      ),
      ...findRepeated("", services, ({ slug }) => slug),
      ...slugs.flatMap((slug) => unless(present.has(slug), `${slug} is missing`)),
    ];
  });

const historyRule = (expected: string, clock: ServerClock): DocumentRule =>
  ruleOf(
    historyPath(expected),
    HISTORY_SCHEMAS.ServiceHistory,
    ({ slug, changes, days, outages }) => [
      ...unless(slug === expected, `slug is ${show(slug)}, not ${expected}`),
      ...findInEach("changes", changes, ({ at }) => findFuture("at", at, clock)),
      ...findDayProblems(days, clock),
      ...findInEach("outages", outages, ({ start, end, seconds, failing, counted }) => {
        const length = end === null ? null : end - start;
        return [
          ...unless(!isInFuture(end ?? start, clock), "it is in the future"),
          ...unless(seconds === length, `seconds is ${seconds}, not ${length}`),
          ...unless(failing <= counted, `${failing} of ${counted} endpoints failed`),
        ];
      }),
    ],
  );

const outagesRule = (clock: ServerClock): DocumentRule =>
  ruleOf(DATA_PATHS.outages, OUTAGE_SCHEMAS.OutageIndex, ({ outages, months }) => {
    const older = outages.findIndex(({ told }, place) => told > (outages[place - 1]?.told ?? told));
    return [
      ...findInEach("outages", outages, ({ id, slug, told, end, failing, counted }) => {
        const minute = new Date(told * 1_000).toISOString().replaceAll(/\D/gu, "").slice(0, 12);
        return [
          ...unless(id === `${slug}.${minute}`, `id is ${show(id)}, not ${slug}.${minute}`),
          ...unless(!isInFuture(end ?? told, clock), "it is in the future"),
          ...unless(end === null || end >= told, `it ends at ${end}, before it was told`),
          ...unless(failing <= counted, `${failing} of ${counted} endpoints failed`),
        ];
      }),
      ...unless(older === -1, `${show(outages[older]?.id)} is newer than the one before it`),
      ...findRepeated("the id ", outages, ({ id }) => id),
      ...findOrderProblems(months.map(({ month }) => month)),
    ];
  });

/** Days follow one another without a gap, and have ended. */
function findDayProblems(
  days: readonly { readonly date: string }[],
  clock: ServerClock,
): readonly string[] {
  const dates = days.map(({ date }) => date);
  const starts = dates.map((date) => Date.parse(`${date}T00:00:00Z`) / 1_000);
  const gap = starts.findIndex(
    (at, index) => index > 0 && at !== (starts[index - 1] ?? 0) + 86_400,
  );
  const end = (starts.at(-1) ?? 0) + 86_400;
  return [
    ...unless(gap === -1, `day ${show(dates[gap])} follows ${show(dates[gap - 1])}`),
    ...unless(!isInFuture(end, clock), `the day ${show(dates.at(-1))} has not ended`),
  ];
}
