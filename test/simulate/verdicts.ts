/**
 * How often a verdict is wrong: `npm run simulate:verdicts -- --days 30 --seed 1 --profile realistic`. Runs the program's own
 * code over the shipped catalogue on a virtual clock. Deterministic for a seed. Ends with 1 if a goal is missed. See docs/services/simulation.md.
 */
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { parseCatalogue } from "../../src/services/catalogue/parse-catalogue.ts";
import { listIncidents } from "./incidents.ts";
import { simulate } from "./simulate.ts";
import { checkGoals } from "./goals.ts";
import { PROFILES, type Profile } from "./rates.ts";
import { report } from "./report.ts";

const { values } = parseArgs({
  options: {
    days: { type: "string", default: "30" },
    seed: { type: "string", default: "1" },
    profile: { type: "string", default: "realistic" },
    list: { type: "boolean", default: false },
  },
});

function isProfile(text: string): text is Profile {
  return text in PROFILES;
}

const days = Number(values.days);
const seed = Number(values.seed);
const { profile } = values;
if (!Number.isSafeInteger(days) || days < 1) throw new RangeError("--days: give a whole number");
if (!Number.isSafeInteger(seed)) throw new RangeError("--seed: give a whole number");
if (!isProfile(profile)) {
  throw new RangeError(`--profile: one of ${Object.keys(PROFILES).join(", ")}`);
}

const file = new URL("../../catalogue.yaml", import.meta.url);
const parsed = parseCatalogue(await readFile(file));
if (parsed.kind === "invalid")
  throw new Error(parsed.problems.map(({ message }) => message).join("\n"));

const beganMs = performance.now();
const result = await simulate(parsed.catalogue, {
  warmDays: 1,
  days,
  seed,
  profile,
  clock: () => performance.now(),
  onDay: (day) => {
    const seconds = Math.round((performance.now() - beganMs) / 1_000);
    process.stderr.write(`day ${day} of ${days}, ${seconds} s\n`);
  },
});

const tookMs = performance.now() - beganMs;
process.stderr.write(
  `${Math.round(tookMs / 1_000)} s in all, of which folding ${Math.round(result.foldingMs / 1_000)} s\n`,
);
console.log(`Profile ${profile}, ${days} days, seed ${seed}\n`);
console.log(report(result, days, profile));
if (checkGoals(result, days, profile).some(({ isMet }) => !isMet)) process.exitCode = 1;
if (values.list) console.log(`\n${listIncidents(result.incidents)}`);
