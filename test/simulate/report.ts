import { SECOND_MS } from "../../src/model/time.ts";
import { CODES } from "./code-score.ts";
import { FLOOR, FLOOR_OF_ONE } from "./floor.ts";
import { countReasons } from "./incidents.ts";
import { LENGTHS, ONE_DETECTION_MS, type OutageFigures, quantile } from "./outage-score.ts";
import { checkGoals } from "./goals.ts";
import type { Profile } from "./rates.ts";
import { OURS, type SimulationResult } from "./simulate.ts";

/** The figures as Markdown. All counts of outages are per 30 days. */
export function report(result: SimulationResult, days: number, profile: Profile): string {
  const per30 = (count: number): string => ((count * 30) / days).toFixed(1);
  const { codes } = result;
  const parts = [
    `${result.runs} runs, ${result.services} services, ${result.endpoints} endpoints; outages over ${result.scored} services without \`restricted\`, per 30 days.`,
    detectorsTable(result, per30),
    `Ours missed, or reported later than after one detection: ${reasonsLine(result)}`,
    `The program's own record, without reports and other places: it suspects ${result.ledger.suspected} of ${result.ledger.false} false outages, and ${result.ledger.suspicions - result.ledger.suspected} others.`,
    "False outages by cause, per 30 days:",
    causesTable(result, per30),
    `False \`partial\` per 30 days: ${sumUp(codes.falsePartial, per30)}`,
    `Changes of code: ${codes.publishedChanges} published, ${codes.trueChanges} true, ${ratio(codes.publishedChanges, codes.trueChanges)} for each.`,
    sinceLine(result),
    `\`live\`: wrong in ${percent(codes.live.wrong, codes.live.samples)} of the samples with the right code.`,
    "Samples by true code (rows) and published code (columns):",
    matrixTable(result),
    settledTable(result),
    "Precision of each published code: the share of the samples in which it was true then, or within the 11 minutes before:",
    precisionTable(result),
    goalsTable(result, days, profile),
    `Wrong samples by what acted on the service, the most frequent first:`,
    wrongTable(result),
  ];
  return parts.join("\n\n");
}

function detectorsTable({ outages }: SimulationResult, per30: (count: number) => string): string {
  const [three, five, ten, thirty] = LENGTHS;
  const head = [
    "",
    "false",
    "exaggerated",
    `missed of ${three}–${five} / ${five}–${ten} / ${ten}–${thirty} / ${thirty}+ min`,
    "median delay",
    "95 %",
    "in one detection, of all / of those reported",
  ];
  const rows = [...outages].map(([name, figures]) => [
    name,
    per30(falseCount(figures)),
    per30(figures.exaggerated),
    figures.missed.map((missed, group) => percent(missed, figures.outages[group] ?? 0)).join(" / "),
    seconds(quantile(figures.delaysMs, 0.5)),
    seconds(quantile(figures.delaysMs, 0.95)),
    inTime(figures),
  ]);
  const ours = outages.get(OURS);
  const totals = ours?.outages.map(String).join(" / ") ?? "";
  const works = `${ours?.works.reported ?? 0} of ${ours?.works.all ?? 0}`;
  return `${table([head, ...rows])}\n\nTrue outages of these lengths: ${totals}. Maintenance pages with a 200 that ours reported: ${works}.`;
}

function inTime({ delaysMs, outages }: OutageFigures): string {
  const inOne = delaysMs.filter((delay) => delay <= ONE_DETECTION_MS).length;
  const all = outages.reduce((sum, count) => sum + count, 0);
  return `${percent(inOne, all)} / ${percent(inOne, delaysMs.length)}`;
}

function reasonsLine({ incidents }: SimulationResult): string {
  const parts = countReasons(incidents).map(([reason, count]) => `${count} ${reason}`);
  return parts.length === 0 ? "none." : `${parts.join("; ")}.`;
}

function causesTable({ outages: all }: SimulationResult, per30: (count: number) => string): string {
  const outages = new Map([...all].filter(([name]) => name !== FLOOR && name !== FLOOR_OF_ONE));
  const causes = new Set(
    [...outages.values()].flatMap(({ falseByCause }) => [...falseByCause.keys()]),
  );
  const rows = [...causes]
    .toSorted()
    .map((cause) => [
      cause,
      ...[...outages.values()].map(({ falseByCause }) => per30(falseByCause.get(cause) ?? 0)),
    ]);
  return table([["cause", ...outages.keys()], ...rows]);
}

function matrixTable({ codes: { matrix, right } }: SimulationResult): string {
  const rows = CODES.map((truth) => {
    const row = CODES.map((code) => matrix[truth][code]);
    const total = row.reduce((sum, count) => sum + count, 0);
    return [
      truth,
      ...row.map((count) => (count === 0 ? "" : String(count))),
      percent(right[truth], total),
    ];
  });
  return table([["true", ...CODES, "right"], ...rows]);
}

function settledTable({ codes: { settled } }: SimulationResult): string {
  const head = ["settled", ...CODES];
  const share = (of: typeof settled.right) =>
    CODES.map((code) => percent(settled.right[code], of[code]));
  return table([
    head,
    ["of what is true, reported", ...share(settled.byTruth)],
    ["of what is reported, true", ...share(settled.byPublished)],
  ]);
}

function precisionTable({ codes: { precision } }: SimulationResult): string {
  const shares = CODES.map((code) => percent(precision.true[code], precision.told[code]));
  return table([
    ["published", ...CODES],
    ["true", ...shares],
  ]);
}

function goalsTable(result: SimulationResult, days: number, profile: Profile): string {
  const rows = checkGoals(result, days, profile).map(({ name, goal, found, isMet }) => [
    name,
    goal,
    found,
    isMet ? "yes" : "**no**",
  ]);
  return table([["goal", "", "found", "met"], ...rows]);
}

const MAX_WRONG = 60;

function wrongTable({ codes: { wrong } }: SimulationResult): string {
  const rows = [...wrong].toSorted(([, one], [, other]) => other - one).slice(0, MAX_WRONG);
  return table([["wrong", "samples"], ...rows.map(([kind, count]) => [kind, String(count)])]);
}

function sinceLine({ codes: { since } }: SimulationResult): string {
  const show = (sorted: readonly number[]): string => {
    return `median ${seconds(quantile(sorted, 0.5))}, 95 % ${seconds(quantile(sorted, 0.95))}`;
  };
  return [
    `\`since\`: ${since.moves} moves within ${since.reported} outages;`,
    `from the true beginning when first reported: ${show(since.firstMs)}; when last reported: ${show(since.lastMs)};`,
    `${since.youngLong} publishes of \`fail_long\` less than a day old.`,
  ].join(" ");
}

function sumUp(counts: ReadonlyMap<string, number>, per30: (count: number) => string): string {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const parts = [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([cause, count]) => `${cause} ${per30(count)}`);
  return parts.length === 0 ? "0." : `${per30(total)} (${parts.join(", ")}).`;
}

function falseCount({ falseByCause }: OutageFigures): number {
  return [...falseByCause.values()].reduce((sum, count) => sum + count, 0);
}

function percent(part: number, all: number): string {
  return all === 0 ? "–" : `${((100 * part) / all).toFixed(1)} %`;
}

function ratio(part: number, all: number): string {
  return all === 0 ? "–" : (part / all).toFixed(2);
}

function seconds(ms: number | undefined): string {
  return ms === undefined ? "–" : `${Math.round(ms / SECOND_MS)} s`;
}

function table([head = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
