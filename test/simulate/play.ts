import type { Catalogue } from "../../src/model/catalogue.ts";
import { DAY_MS, MINUTE_MS } from "../../src/model/time.ts";
import { type CodeFigures, createCodeJudge, isOutageCode } from "./code-judge.ts";
import { type Detector, OTHERS } from "./detectors.ts";
import { makeGenuine } from "./genuine.ts";
import { makeNoise } from "./noise.ts";
import { createOutageJudge, type OutageFigures } from "./outage-judge.ts";
import { PROFILES, type Profile } from "./rates.ts";
import { createFloor } from "./floor.ts";
import { createIncidents, type Incident } from "./incidents.ts";
import { createRunner, firstProbeAt } from "./runner.ts";
import { castOf, type Site, type Subject } from "./sites.ts";
import { findTruth } from "./truth.ts";
import { createWorld, type World } from "./world.ts";

/** 2027-01-01, in UTC. */
const START_MS: number = 20_819 * DAY_MS;
const RUN_MS: number = 5 * MINUTE_MS;
/** Noise that ended this long ago may still explain what is told now. */
const MEMORY_MS: number = 15 * MINUTE_MS;

export const OURS = "ours";

export interface PlayOptions {
  /** Days before those that are judged, which make baselines. */
  readonly warmDays: number;
  /** Days that are judged. */
  readonly days: number;
  readonly seed: number;
  readonly profile: Profile;
  /** Told after each simulated day. */
  readonly onDay: (day: number) => void;
  /** Of this machine, milliseconds; only to tell what folding costs. */
  readonly clock: () => number;
}

export interface Played {
  readonly runs: number;
  readonly services: number;
  readonly endpoints: number;
  /** Services without `restricted`, over which outages are counted. */
  readonly judged: number;
  /** By name, ours first. */
  readonly outages: ReadonlyMap<string, OutageFigures>;
  readonly codes: CodeFigures;
  readonly foldingMs: number;
  /** What went wrong with outages of ours, one by one. */
  readonly incidents: readonly Incident[];
}

/** Plays the days. Deterministic for a seed, but for `foldingMs`. */
export async function play(catalogue: Catalogue, options: PlayOptions): Promise<Played> {
  const { warmDays, days, seed, profile } = options;
  const cast = castOf(catalogue);
  const lengthMs = (warmDays + days) * DAY_MS;
  const endMs = START_MS + lengthMs;
  const judgedMs = START_MS + warmDays * DAY_MS;
  const span = { startMs: START_MS, lengthMs, seed };
  const events = [...makeGenuine(cast, span), ...makeNoise(cast, span, PROFILES[profile])];
  const truths = findTruth(cast, events, START_MS - DAY_MS, endMs);
  const world = createWorld(cast.sites, events, seed);
  const runner = createRunner(catalogue, cast, world, options.clock);
  const isJudged = cast.subjects.map(({ isRestricted }) => !isRestricted);
  const codes = createCodeJudge(truths, isJudged, judgedMs);
  const ours = createOutageJudge(truths, isJudged, judgedMs);
  const incidents = createIncidents(cast.subjects);
  const judged = { subjects: cast.subjects, truths, isJudged, fromMs: judgedMs };
  const confirmed = createFloor(judged, world, true);
  const floors = [confirmed, createFloor(judged, world, false)];
  const others = Object.entries(OTHERS).map(([name, create]) => ({
    name,
    judge: createOutageJudge(truths, isJudged, judgedMs),
    detectors: cast.subjects.map(() => create()),
  }));

  let runs = 0;
  for (let startMs = START_MS; startMs < endMs; startMs += RUN_MS) {
    if ((startMs - START_MS) % DAY_MS === 0) options.onDay((startMs - START_MS) / DAY_MS);
    world.advance(startMs - MEMORY_MS, startMs + 2 * RUN_MS);
    if (world.isOn("runner-stopped", startMs)) continue;
    runs += 1;
    for (const subject of cast.subjects) {
      const firstMs = firstProbeAt(subject.main, startMs);
      const isFailing = world.probe(subject.main, firstMs).kind === "failed";
      for (const { judge, detectors } of others) {
        const detector = detectors[subject.index];
        if (detector === undefined) continue;
        const atMs = ask(detector, subject, isFailing, firstMs, world);
        judge.tell(subject.index, atMs, detector.isDown(), () =>
          causeOf(world, subject, startMs, atMs),
        );
      }
    }
    for (const floor of floors) floor.look(startMs);
    await runner.run(startMs, (atMs, verdictOf) => {
      for (const subject of cast.subjects) {
        const verdict = verdictOf(subject.index);
        const cause = (): string => causeOf(world, subject, startMs, atMs);
        ours.tell(subject.index, atMs, isOutageCode(verdict.code), cause);
        codes.publish(subject.index, atMs, startMs, verdict, cause);
        incidents.publish(subject, { atMs, runMs: startMs, verdict, seen: runner.seen() });
      }
    });
    const sampledMs = startMs + RUN_MS - 1;
    codes.sample(sampledMs, (subject) =>
      whyWrong(world, cast.subjects[subject]?.sites ?? [], sampledMs),
    );
  }
  const figures = ours.finish(endMs);
  return {
    incidents: incidents.finish(figures, confirmed.finish(endMs)),
    runs,
    services: cast.subjects.length,
    endpoints: cast.sites.length - cast.anchors.size,
    judged: isJudged.filter(Boolean).length,
    outages: new Map([
      [OURS, figures],
      ...floors.map((floor) => [floor.name, floor.finish(endMs)] as const),
      ...others.map(({ name, judge }) => [name, judge.finish(endMs)] as const),
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
  world: World,
): number {
  return detector.round(isFailing, atMs, (laterMs) => world.probe(main, laterMs).kind === "failed");
}

/** What acted on the service since noise may explain what is told now. */
function whyWrong(world: World, sites: readonly Site[], atMs: number): string {
  const causes = world.causesOn(sites, atMs - MEMORY_MS, atMs);
  return causes.length === 0 ? "nothing" : causes.join(" and ");
}

function causeOf(world: World, { sites }: Subject, startMs: number, atMs: number): string {
  return world.noiseOn(sites, startMs - MEMORY_MS, atMs) ?? "no noise";
}
