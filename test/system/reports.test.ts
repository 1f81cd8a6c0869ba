import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, describe, expect, inject, test } from "vitest";
import type { CliResult } from "../cli/cli.ts";
import { addressOf, type RunningIntake } from "../cli/running-intake.ts";
import { useTheatre } from "../cli/theatre.ts";
import { createRandom } from "./random.ts";
import { kindsOfPlaces, openReportLab, type ReportLab } from "./reports-lab.ts";
import { expectDone } from "./results.ts";
import { connectS3 } from "./s3-client.ts";
import { environmentOf } from "./s3-lab.ts";
import { keyOf } from "../../src/model/recent.ts";

const ceph = inject("ceph");
const s3 = connectS3(ceph);
const theatre = useTheatre();
const SLUGS = ["alpha", "beta", "gamma"];
/** A storm goes on until each kind of process was killed so often, and each service has so many reports to be lost. */
const KILLS = 4;
const REPORTS = 60;
/** Simulated time goes so much faster than the clock on the wall: some ten minutes in a storm. */
const SPEED = 10;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Networks from this number on report last before an intake is killed. */
const LAST_WORDS = 1_000_000;

Object.assign(process.env, environmentOf(ceph));
afterAll(() => s3.destroy());

const PLACES = kindsOfPlaces(ceph, s3);

/** What became of the posts to one service, by address. */
interface Sent {
  readonly acknowledged: Set<string>;
  /** Perhaps accepted: the intake died before it answered. */
  readonly unanswered: Set<string>;
}

type Tally = ReadonlyMap<string, Sent>;

/** Everything that goes on at once shares this. */
interface Storm {
  readonly lab: ReportLab;
  readonly tally: Tally;
  readonly random: () => number;
  readonly isOver: () => boolean;
  readonly simulatedMs: () => number;
  readonly kills: Record<"intake" | "run" | "refresh", number>;
  /** Commands that were not killed. */
  readonly results: CliResult[];
  intake: RunningIntake | undefined;
}

function createTally(): Tally {
  return new Map(
    SLUGS.map((slug) => [slug, { acknowledged: new Set<string>(), unanswered: new Set<string>() }]),
  );
}

/** Whether the storm has shown what it is there for. */
const hasShownEnough = ({ kills, tally }: Storm): boolean =>
  Object.values(kills).every((count) => count >= KILLS) &&
  [...tally.values()].every(({ acknowledged }) => acknowledged.size >= REPORTS);

/** Posts for as long as it storms, each from a network of its own. */
async function postOn(storm: Storm): Promise<void> {
  const under = new Set<Promise<void>>();
  for (let number = 0; !storm.isOver(); number += 1) {
    const { intake } = storm;
    const slug = SLUGS[number % SLUGS.length] ?? "";
    if (intake !== undefined) {
      const posting = postOnce(storm, intake, slug, addressOf(number)).then(
        () => void under.delete(posting),
      );
      under.add(posting);
    }
    await delay(20 + storm.random() * 40);
  }
  await Promise.all(under);
}

async function postOnce(
  { tally }: Storm,
  intake: RunningIntake,
  slug: string,
  from: string,
): Promise<void> {
  const { status } = await intake.post(slug, { from });
  const sent = tally.get(slug);
  if (status === 202) sent?.acknowledged.add(from);
  else if (status === 0) sent?.unanswered.add(from);
  else throw new Error(`a report was answered with ${status}`);
}

/** Starts an intake and kills it, again and again; the last one stays. */
async function keepTaking(storm: Storm): Promise<void> {
  for (;;) {
    storm.intake = await storm.lab.startIntake();
    await delay(1_000 + storm.random() * 5_000);
    if (storm.isOver()) return;
    // In the middle of whatever it does, or the moment after an answer.
    const from = addressOf(LAST_WORDS + storm.kills.intake);
    if (storm.random() < 0.5) await postOnce(storm, storm.intake, "alpha", from);
    await storm.intake.kill();
    storm.kills.intake += 1;
  }
}

/** Runs or refreshes one after the other; two of three are killed somewhere on their way. */
async function keepPublishing(
  storm: Storm,
  command: "run" | "refresh",
  everyMs: number,
): Promise<void> {
  let usualMs = 1_500;
  while (!storm.isOver()) {
    const running = storm.lab.start(command, storm.simulatedMs());
    if (storm.random() < 2 / 3) {
      await Promise.race([delay(storm.random() * 1.2 * usualMs), running.ended]);
      if (running.child.kill("SIGKILL")) storm.kills[command] += 1;
      await running.ended;
    } else {
      const result = await running.ended;
      storm.results.push(result);
      usualMs = (usualMs + result.durationMs) / 2;
    }
    await delay(storm.random() * everyMs);
  }
}

/** Reads as a front would, and keeps every fall of what may only rise while no report grows old. */
async function keepReading({ lab, isOver }: Storm): Promise<{ falls: string[]; looks: number }> {
  const highest = new Map<string, number>();
  const falls: string[] = [];
  let looks = 0;
  const note = (what: string, value: number | undefined): void => {
    if (value === undefined) return;
    looks += 1;
    const before = highest.get(what) ?? 0;
    if (value < before) falls.push(`${what}: ${value} after ${before}`);
    highest.set(what, Math.max(before, value));
  };
  while (!isOver()) {
    for (const slug of SLUGS) {
      const detail = await lab.detail(slug);
      note(`reportsDay of ${slug}`, detail?.reportsDay);
      note(`reportsHour of ${slug}`, detail?.reportsHour);
    }
    note("updated", (await lab.list())?.updated);
    await delay(20);
  }
  return { falls, looks };
}

/** The ledger holds every acknowledged report once, nothing twice, and beside them only such as were sent and not answered. */
async function expectExact(lab: ReportLab, tally: Tally): Promise<Record<string, unknown>> {
  const { services } = await lab.ledger();
  const figures: Record<string, unknown> = {};
  for (const [slug, { acknowledged, unanswered }] of tally) {
    const service = services.get(slug);
    const counted = [...(service?.recent.networks ?? [])];
    const owners = new Map<number, string>();
    for (const address of [...acknowledged, ...unanswered]) {
      for (const key of await lab.keysOf(address)) owners.set(keyOf(key), address);
    }
    const addresses = counted.map((network) => owners.get(network) ?? `nobody: ${network}`);
    const found = new Set(addresses);
    expect({ slug, lost: [...acknowledged].filter((one) => !found.has(one)) }).toEqual({
      slug,
      lost: [],
    });
    expect({ slug, twice: addresses.length - found.size }).toEqual({ slug, twice: 0 });
    const extra = addresses.filter((one) => !acknowledged.has(one));
    expect({ slug, unsent: extra.filter((one) => !unanswered.has(one)) }).toEqual({
      slug,
      unsent: [],
    });
    const accepted = (service?.minutes ?? []).reduce((sum, row) => sum + row[1], 0);
    const raw = (service?.minutes ?? []).reduce((sum, row) => sum + row[2], 0);
    const exact = acknowledged.size + extra.length;
    // Raw as well: a report that is counted again by mistake would hide behind the rule of one per network.
    expect({ slug, accepted, raw }).toEqual({ slug, accepted: exact, raw: exact });
    const day = (await lab.detail(slug))?.reportsDay;
    expect({ slug, day }).toEqual({ slug, day: exact });
    figures[slug] = {
      acknowledged: acknowledged.size,
      unansweredButKept: extra.length,
      accepted,
      raw,
      day,
    };
  }
  return figures;
}

describe.concurrent("reports while everything is killed, on both stores at once to save time", () => {
  test.for(PLACES)(
    "on %s: what was acknowledged is counted exactly, and no document goes back in time",
    async ([name, toPlace]) => {
      const seed = randomUUID();
      const stage = await theatre.stage();
      const lab = await openReportLab(stage, await toPlace(stage));
      const startMs = Date.now();
      const storm: Storm = {
        lab,
        tally: createTally(),
        random: createRandom(seed),
        isOver: () => hasShownEnough(storm),
        simulatedMs: () => startMs + (Date.now() - startMs) * SPEED,
        kills: { intake: 0, run: 0, refresh: 0 },
        results: [],
        intake: undefined,
      };
      expectDone(await lab.start("run", startMs).ended);
      const [, , , , { falls, looks }] = await Promise.all([
        postOn(storm),
        keepTaking(storm),
        keepPublishing(storm, "run", 3_000),
        keepPublishing(storm, "refresh", 1_000),
        keepReading(storm),
      ]);
      expect(await storm.intake?.stop()).toBe(0);
      expectDone(await lab.refresh(storm.simulatedMs()));
      const figures = await expectExact(lab, storm.tally);
      console.log(
        `${name}: ${JSON.stringify({ figures, looks, kills: storm.kills, whole: storm.results.length, seed })}`,
      );
      expect({ seed, falls }).toEqual({ seed, falls: [] });
      expect(storm.results.filter(({ code }) => code !== 0)).toEqual([]);
      expect(await lab.stateStore.list("inbox")).toEqual([]);
      expect(looks).toBeGreaterThan(0);
    },
  );

  test.for(PLACES)(
    "on %s: a clock that goes back and forward by an hour makes no count negative, and counts nothing twice",
    async ([, toPlace]) => {
      const stage = await theatre.stage();
      const lab = await openReportLab(stage, await toPlace(stage));
      const seen: number[] = [];
      const countAt = async (atMs?: number): Promise<number | undefined> => {
        expectDone(await lab.refresh(atMs));
        const { reportsHour = -1, reportsDay = -1 } = (await lab.detail("alpha")) ?? {};
        seen.push(reportsHour, reportsDay);
        return reportsDay;
      };
      // So long before the reports that none of them is in a count as of then.
      expectDone(await lab.start("run", Date.now() - 10 * MINUTE_MS).ended);
      for (const [round, offsetMs] of [HOUR_MS, -HOUR_MS, HOUR_MS, 0].entries()) {
        const intake = await lab.startIntake();
        // The same twelve networks each time, and three new ones.
        for (const number of [
          ...Array(12).keys(),
          ...[0, 1, 2].map((one) => 100 * (round + 1) + one),
        ]) {
          expect(await intake.post("alpha", { from: addressOf(number) })).toMatchObject({
            status: 202,
          });
        }
        // Dies before or after it has published them.
        await delay(round % 2 === 0 ? 0 : 1_000);
        await intake.kill();
        const all = 12 + 3 * (round + 1);
        const atMs = Date.now() + offsetMs;
        // Reports of later are not in a window that ends before them.
        expect({ round, day: await countAt(atMs) }).toEqual({ round, day: offsetMs < 0 ? 0 : all });
        expect({ round, day: await countAt() }).toEqual({ round, day: all });
      }
      expect(await countAt(Date.now() + HOUR_MS)).toBe(24);
      expect(await countAt(Date.now() - HOUR_MS)).toBe(0);
      // Counts are never as of a time before the last run, which this one is after all reports.
      expectDone(await lab.start("run").ended);
      expect(await countAt(Date.now() - HOUR_MS)).toBe(24);
      expect(await countAt()).toBe(24);
      const { services } = await lab.ledger();
      const { minutes = [], recent } = services.get("alpha") ?? {};
      expect(minutes.reduce((sum, row) => sum + row[1], 0)).toBe(24);
      expect(minutes.reduce((sum, row) => sum + row[2], 0)).toBe(60);
      expect(new Set(recent?.networks).size).toBe(24);
      expect(Math.min(...seen)).toBe(0);
    },
  );
});
