import { SECOND_MS } from "../../src/model/time.ts";
import { CODES } from "./code-judge.ts";
import { FLOOR, FLOOR_OF_ONE } from "./floor.ts";
import { countReasons } from "./incidents.ts";
import { LENGTHS, ONE_DETECTION_MS, type OutageFigures, quantile } from "./outage-judge.ts";
import { OURS, type Played } from "./play.ts";

/** The figures as Markdown. All counts of outages are per 30 days. */
export function report(played: Played, days: number): string {
  const per30 = (count: number): string => ((count * 30) / days).toFixed(1);
  const { codes } = played;
  const parts = [
    `${played.runs} runs, ${played.services} services, ${played.endpoints} endpoints; outages over ${played.judged} services without \`restricted\`, per 30 days.`,
    detectorsTable(played, per30),
    `Ours missed, or told later than after one detection: ${reasonsLine(played)}`,
    "False outages by cause, per 30 days:",
    causesTable(played, per30),
    `False \`partial\` per 30 days: ${sumUp(codes.falsePartial, per30)}`,
    `Changes of code: ${codes.publishedChanges} published, ${codes.trueChanges} true, ${ratio(codes.publishedChanges, codes.trueChanges)} for each.`,
    sinceLine(played),
    `\`live\`: wrong in ${percent(codes.live.wrong, codes.live.samples)} of the samples with the right code.`,
    "Samples by true code (rows) and published code (columns):",
    matrixTable(played),
    settledTable(played),
    `Wrong samples by what acted on the service, the most frequent first:`,
    wrongTable(played),
  ];
  return parts.join("\n\n");
}

function detectorsTable({ outages }: Played, per30: (count: number) => string): string {
  const [three, five, ten, thirty] = LENGTHS;
  const head = [
    "",
    "false",
    "exaggerated",
    `missed of ${three}–${five} / ${five}–${ten} / ${ten}–${thirty} / ${thirty}+ min`,
    "median delay",
    "95 %",
    "in one detection, of all / of those told",
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
  const works = `${ours?.works.told ?? 0} of ${ours?.works.all ?? 0}`;
  return `${table([head, ...rows])}\n\nTrue outages of these lengths: ${totals}. Pages of works with a 200 that were told by ours: ${works}.`;
}

function inTime({ delaysMs, outages }: OutageFigures): string {
  const inOne = delaysMs.filter((delay) => delay <= ONE_DETECTION_MS).length;
  const all = outages.reduce((sum, count) => sum + count, 0);
  return `${percent(inOne, all)} / ${percent(inOne, delaysMs.length)}`;
}

function reasonsLine({ incidents }: Played): string {
  const parts = countReasons(incidents).map(([reason, count]) => `${count} ${reason}`);
  return parts.length === 0 ? "none." : `${parts.join("; ")}.`;
}

function causesTable({ outages: all }: Played, per30: (count: number) => string): string {
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

function matrixTable({ codes: { matrix, right } }: Played): string {
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

function settledTable({ codes: { settled } }: Played): string {
  const head = ["settled", ...CODES];
  const share = (of: typeof settled.right) =>
    CODES.map((code) => percent(settled.right[code], of[code]));
  return table([
    head,
    ["of what is true, told", ...share(settled.byTruth)],
    ["of what is told, true", ...share(settled.byPublished)],
  ]);
}

/** So many rows show what is worth a look. */
const MOST_WRONG = 60;

function wrongTable({ codes: { wrong } }: Played): string {
  const rows = [...wrong].toSorted(([, one], [, other]) => other - one).slice(0, MOST_WRONG);
  return table([["wrong", "samples"], ...rows.map(([kind, count]) => [kind, String(count)])]);
}

function sinceLine({ codes: { since } }: Played): string {
  const show = (sorted: readonly number[]): string => {
    return `median ${seconds(quantile(sorted, 0.5))}, 95 % ${seconds(quantile(sorted, 0.95))}`;
  };
  return [
    `\`since\`: ${since.moves} moves within ${since.told} outages;`,
    `from the true beginning when first told: ${show(since.firstMs)}; when last told: ${show(since.lastMs)};`,
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
