/**
 * How often a surge starts without a cause, and how soon it starts with one: `npm run simulate:reports`, with `-- --years N` and
 * `-- --seed N`. Uses the functions of src/reports, but not their counting of networks: every report is from a new network.
 * Deterministic for a seed.
 */
import { parseArgs } from "node:util";
import { formatTable, simulateDelays, simulateFalseStarts } from "./simulation.ts";

const LEVELS = [0.2, 1, 5, 20, 100];

const { values } = parseArgs({
  options: {
    years: { type: "string", default: "10" },
    trials: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
  },
});
const years = Number(values.years);
const trials = Number(values.trials);
const seed = Number(values.seed);

console.log(`False starts per service-year, ${years} simulated years per cell, seed ${seed}`);
console.log(
  formatTable([
    ["mean/h", "3x mean plain", "bursty", "recommended plain", "bursty"],
    ...LEVELS.map((perHour) => {
      const plain = simulateFalseStarts({ perHour, isBursty: false, years, seed });
      const bursty = simulateFalseStarts({ perHour, isBursty: true, years, seed });
      return [
        String(perHour),
        plain.simple.toFixed(0),
        bursty.simple.toFixed(0),
        plain.recommended.toFixed(2),
        bursty.recommended.toFixed(2),
      ];
    }),
  ]),
);

console.log(`\nDelay until a surge is detected, ${trials} surges per row, seed ${seed}`);
console.log(
  formatTable([
    ["mean/h", "surge", "median min", "90 % min", "within 2 h"],
    ...[
      { perHour: 0.2, factor: 1, extra: 60 },
      { perHour: 1, factor: 1, extra: 60 },
      ...[5, 20, 100].map((perHour) => ({ perHour, factor: 10, extra: 0 })),
      ...[5, 20, 100].map((perHour) => ({ perHour, factor: 5, extra: 0 })),
    ].map((surge) => {
      const delays = simulateDelays({ ...surge, trials, seed });
      return [
        String(surge.perHour),
        surge.extra > 0 ? `+${surge.extra}/h` : `x${surge.factor}`,
        show(delays.medianMinutes),
        show(delays.slowMinutes),
        `${Math.round(delays.detectedRatio * 100)} %`,
      ];
    }),
  ]),
);

function show(minutes: number | null): string {
  return minutes === null ? "-" : minutes.toFixed(0);
}
