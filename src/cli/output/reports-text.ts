import { formatTime } from "./time-text.ts";

/** Counts of reports, and the evaluation of surges. */
export interface ReportsView {
  readonly hour: { readonly accepted: number; readonly raw: number };
  readonly day: { readonly accepted: number; readonly raw: number };
  readonly beyondShare: number;
  readonly networks: number;
  readonly ignoredNetworks: number;
  readonly blocks: number;
  readonly rule: "seasonal" | "cold";
  readonly expected: number;
  readonly probability: number;
  readonly threshold: number;
  readonly isSpread: boolean;
  readonly surge: {
    readonly phase: "off" | "on" | "held";
    readonly startedAtMs: number;
    readonly quiet: number;
  };
  readonly heldServices: number;
}

/** What `explain` says of the reports, one sentence in each line. */
export function reportLines(reports: ReportsView): readonly string[] {
  const { hour, day, networks, ignoredNetworks, blocks, threshold } = reports;
  const counted = `${hour.accepted} in the last hour, ${day.accepted} in the last 24 hours (of ${day.raw} received)`;
  if (day.raw === 0 && reports.surge.phase === "off") return ["None in the last 24 hours."];
  const ignored =
    ignoredNetworks === 0 ? "" : `, ${ignoredNetworks} ignored that report everything`;
  return [
    `${counted}.`,
    ...shareLines(reports),
    `Last 15 minutes evaluated: ${networks} networks in ${blocks} blocks${ignored}; ${threshold} start a surge${reports.isSpread ? "" : ", if they are spread over four blocks and none has more than half"}.`,
    reports.rule === "cold"
      ? "Under seven days of history: the threshold is fixed."
      : `Expected: ${reports.expected.toFixed(2)}; as many by chance: ${reports.probability.toExponential(1)}.`,
    surgeLine(reports),
  ];
}

function shareLines({ beyondShare }: ReportsView): readonly string[] {
  if (beyondShare === 0) return [];
  return [
    `Not counted in the last hour: ${beyondShare} networks of a block that reports more than all others together, or of fewer than four blocks.`,
  ];
}

function surgeLine({ surge, heldServices }: ReportsView): string {
  switch (surge.phase) {
    case "off":
      return "No surge.";
    case "on":
      return `A surge since ${formatTime(surge.startedAtMs)}; ${surge.quiet} of 2 quiet evaluations that end it.`;
    case "held":
      return `A rise since ${formatTime(surge.startedAtMs)}, together with ${heldServices} services: one event of the network, not a surge of this one.`;
  }
}
