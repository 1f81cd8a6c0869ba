import type { Catalogue } from "../../src/model/service/catalogue.ts";
import { DAY_MS, MINUTE_MS } from "../../src/model/time.ts";
import { type CodeFigures, createCodeScore, isOutageCode } from "./code-score.ts";
import { type Detector, OTHERS } from "./detectors.ts";
import { makeGenuine } from "./genuine.ts";
import { makeNoise } from "./noise.ts";
import { createOutageScore, type OutageFigures } from "./outage-score.ts";
import { PROFILES, type Profile } from "./rates.ts";
import { createFloor } from "./floor.ts";
import { createLedger, type LedgerFigures } from "./ledger.ts";
import { createIncidents, type Incident } from "./incidents.ts";
import { createRunner, firstProbeAt } from "./runner.ts";
import { topologyOf, type Site, type Subject } from "./sites.ts";
import { findTruth } from "./truth.ts";
import { createNetworkModel, type NetworkModel } from "./network-model.ts";

/** 2027-01-01, in UTC. */
const START_MS: number = 20_819 * DAY_MS;
const RUN_MS: number = 5 * MINUTE_MS;
/** Noise that ended this long ago may still explain a published code. */
const MEMORY_MS: number = 15 * MINUTE_MS;

export const OURS = "ours";

export interface SimulationOptions {
  /** Days before the scored ones, for baselines. */
  readonly warmDays: number;
  /** Scored days. */
  readonly days: number;
  readonly seed: number;
  readonly profile: Profile;
  /** Called at the beginning of each simulated day. */
  readonly onDay: (day: number) => void;
  /** The clock of this machine, only to measure the cost of folding. */
  readonly clock: () => number;
}

export interface SimulationResult {
  readonly runs: number;
  readonly services: number;
  readonly endpoints: number;
  /** Services without `restricted`, whose outages are counted. */
  readonly scored: number;
  /** By name, ours first. */
  readonly outages: ReadonlyMap<string, OutageFigures>;
  readonly codes: CodeFigures;
  readonly foldingMs: number;
  /** False, missed and late outages of our own detector. */
  readonly incidents: readonly Incident[];
  readonly ledger: LedgerFigures;
}

/** Deterministic for a seed, except `foldingMs`. */
export async function simulate(
  catalogue: Catalogue,
  options: SimulationOptions,
): Promise<SimulationResult> {
  const { warmDays, days, seed, profile } = options;
  const topology = topologyOf(catalogue);
  const lengthMs = (warmDays + days) * DAY_MS;
  const endMs = START_MS + lengthMs;
  const scoredFromMs = START_MS + warmDays * DAY_MS;
  const span = { startMs: START_MS, lengthMs, seed };
  const events = [...makeGenuine(topology, span), ...makeNoise(topology, span, PROFILES[profile])];
  const truths = findTruth(topology, events, START_MS - DAY_MS, endMs);
  const model = createNetworkModel(topology.sites, events, seed);
  const runner = createRunner(catalogue, topology, model, options.clock);
  const isScored = topology.subjects.map(({ isRestricted }) => !isRestricted);
  const codes = createCodeScore(truths, isScored, scoredFromMs);
  const ours = createOutageScore(truths, isScored, scoredFromMs);
  const incidents = createIncidents(topology.subjects);
  const ledger = createLedger(topology.subjects);
  const scored = { subjects: topology.subjects, truths, isScored, fromMs: scoredFromMs };
  const confirmed = createFloor(scored, model, true);
  const floors = [confirmed, createFloor(scored, model, false)];
  const others = Object.entries(OTHERS).map(([name, create]) => ({
    name,
    score: createOutageScore(truths, isScored, scoredFromMs),
    detectors: topology.subjects.map(() => create()),
  }));

  let runs = 0;
  for (let startMs = START_MS; startMs < endMs; startMs += RUN_MS) {
    if ((startMs - START_MS) % DAY_MS === 0) options.onDay((startMs - START_MS) / DAY_MS);
    model.advance(startMs - MEMORY_MS, startMs + 2 * RUN_MS);
    if (model.isOn("runner-stopped", startMs)) continue;
    runs += 1;
    for (const subject of topology.subjects) {
      const firstMs = firstProbeAt(subject.main, startMs);
      const isFailing = model.probe(subject.main, firstMs).kind === "failed";
      for (const { score, detectors } of others) {
        const detector = detectors[subject.index];
        if (detector === undefined) continue;
        const atMs = ask(detector, subject, isFailing, firstMs, model);
        score.record(subject.index, atMs, detector.isDown(), () =>
          causeOf(model, subject, startMs, atMs),
        );
      }
    }
    for (const floor of floors) floor.run(startMs);
    await runner.run(startMs, (atMs, verdictOf) => {
      ledger.publish(atMs, runner.seen(), verdictOf);
      for (const subject of topology.subjects) {
        const verdict = verdictOf(subject.index);
        const cause = (): string => causeOf(model, subject, startMs, atMs);
        ours.record(subject.index, atMs, isOutageCode(verdict.code), cause);
        codes.publish(subject.index, atMs, startMs, verdict, cause);
        incidents.publish(subject, { atMs, runMs: startMs, verdict, seen: runner.seen() });
      }
    });
    const sampledMs = startMs + RUN_MS - 1;
    codes.sample(sampledMs, (subject) =>
      causesOfError(model, topology.subjects[subject]?.sites ?? [], sampledMs),
    );
  }
  const figures = ours.finish(endMs);
  return {
    incidents: incidents.finish(figures, confirmed.finish(endMs)),
    ledger: ledger.finish(figures.falseOnes, isScored, scoredFromMs),
    runs,
    services: topology.subjects.length,
    endpoints: topology.sites.length - topology.anchors.size,
    scored: isScored.filter(Boolean).length,
    outages: new Map([
      [OURS, figures],
      ...floors.map((floor) => [floor.name, floor.finish(endMs)] as const),
      ...others.map(({ name, score }) => [name, score.finish(endMs)] as const),
    ]),
    codes: codes.finish(endMs),
    foldingMs: runner.foldingMs(),
  };
}

function ask(
  detector: Detector,
  { main }: Subject,
  isFailing: boolean,
  atMs: number,
  model: NetworkModel,
): number {
  return detector.round(isFailing, atMs, (laterMs) => model.probe(main, laterMs).kind === "failed");
}

/** The events that may explain the published code. */
function causesOfError(model: NetworkModel, sites: readonly Site[], atMs: number): string {
  const causes = model.causesOn(sites, atMs - MEMORY_MS, atMs);
  return causes.length === 0 ? "nothing" : causes.join(" and ");
}

function causeOf(model: NetworkModel, { sites }: Subject, startMs: number, atMs: number): string {
  return model.noiseOn(sites, startMs - MEMORY_MS, atMs) ?? "no noise";
}
