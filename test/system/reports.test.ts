import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, describe, expect, inject, test } from "vitest";
import type { CliResult } from "../cli/cli.ts";
import { addressOf, type RunningIntake } from "../cli/running-intake.ts";
import { useCliFixture } from "../cli/cli-fixture.ts";
import { createRandom } from "./random.ts";
import { kindsOfPlaces, openReportHarness, type ReportHarness } from "./reports-harness.ts";
import { expectDone } from "./results.ts";
import { connectS3 } from "./s3-client.ts";
import { environmentOf } from "./s3-harness.ts";
import { reportKeyOf } from "../../src/model/service/recent-reports.ts";

const ceph = inject("ceph");
const s3 = connectS3(ceph);
const cliFixture = useCliFixture();
const SLUGS = ["alpha", "beta", "gamma"];
/** A storm lasts until each kind of process was killed this often, and each service has this many acknowledged reports. */
const KILLS = 4;
const REPORTS = 60;
const MINUTE_MS = 60_000;
/** Simulated time is this much faster than real time. */
const SPEED = 3;
/** No further is it ahead, however long a storm takes: five minutes ahead an intake, which has the real time, publishes its own. */
const MAX_AHEAD_MS = 4 * MINUTE_MS;
const HOUR_MS = 3_600_000;
/** Networks from this number on report right before an intake is killed. */
const LAST_WORDS = 1_000_000;

Object.assign(process.env, environmentOf(ceph));
afterAll(() => s3.destroy());

const PLACES = kindsOfPlaces(ceph, s3);

/** The results of the posts about one service, by address. */
interface Sent {
  readonly acknowledged: Set<string>;
  /** Accepted or not: the intake died before it answered. */
  readonly unanswered: Set<string>;
}

type Tally = ReadonlyMap<string, Sent>;

/** State that all concurrent parts share. */
interface Storm {
  readonly harness: ReportHarness;
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

/** Whether the storm has reached its numbers of kills and reports. */
const hasShownEnough = ({ kills, tally }: Storm): boolean =>
  Object.values(kills).every((count) => count >= KILLS) &&
  [...tally.values()].every(({ acknowledged }) => acknowledged.size >= REPORTS);

/** Posts during the storm, each time from another network. */
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

/** Starts an intake and kills it, repeatedly; the last one keeps running. */
async function keepTaking(storm: Storm): Promise<void> {
  for (;;) {
    storm.intake = await storm.harness.startIntake();
    await delay(1_000 + storm.random() * 5_000);
    if (storm.isOver()) return;
    // At any point of its work, or right after an answer.
    const from = addressOf(LAST_WORDS + storm.kills.intake);
    if (storm.random() < 0.5) await postOnce(storm, storm.intake, "alpha", from);
    await storm.intake.kill();
    storm.kills.intake += 1;
  }
}

/** Runs or refreshes sequentially; two of three are killed at a random point. */
async function keepPublishing(
  storm: Storm,
  command: "run" | "refresh",
  everyMs: number,
): Promise<void> {
  let usualMs = 1_500;
  while (!storm.isOver()) {
    const running = storm.harness.start(command, storm.simulatedMs());
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

/** Reads like a front, and records each decrease of a value that must not decrease while no report expires. */
async function keepReading({
  harness,
  isOver,
}: Storm): Promise<{ falls: string[]; looks: number }> {
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
      const detail = await harness.detail(slug);
      note(`reportsDay of ${slug}`, detail?.reportsDay);
      note(`reportsHour of ${slug}`, detail?.reportsHour);
    }
    note("updated", (await harness.list())?.updated);
    await delay(20);
  }
  return { falls, looks };
}

/** Expects every acknowledged report in the ledger exactly once, and besides these only reports that were sent and not answered. */
async function expectExact(harness: ReportHarness, tally: Tally): Promise<Record<string, unknown>> {
  const { services } = await harness.ledger();
  const figures: Record<string, unknown> = {};
  for (const [slug, { acknowledged, unanswered }] of tally) {
    const service = services.get(slug);
    const counted = [...(service?.recent.networks ?? [])];
    const owners = new Map<number, string>();
    for (const address of [...acknowledged, ...unanswered]) {
      for (const key of await harness.keysOf(address)) owners.set(reportKeyOf(key), address);
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
    // Raw as well, because the limit of one per network would hide a report that is counted again.
    expect({ slug, accepted, raw }).toEqual({ slug, accepted: exact, raw: exact });
    const day = (await harness.detail(slug))?.reportsDay;
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

describe.concurrent("reports while all processes are killed", () => {
  test.for(PLACES)(
    "on %s: acknowledged reports count exactly once, and no count decreases",
    async ([name, toPlace]) => {
      const seed = randomUUID();
      const workspace = await cliFixture.workspace();
      const harness = await openReportHarness(workspace, await toPlace(workspace));
      const startMs = Date.now();
      const storm: Storm = {
        harness,
        tally: createTally(),
        random: createRandom(seed),
        isOver: () => hasShownEnough(storm),
        simulatedMs: () => {
          const nowMs = Date.now();
          return nowMs + Math.min((nowMs - startMs) * (SPEED - 1), MAX_AHEAD_MS);
        },
        kills: { intake: 0, run: 0, refresh: 0 },
        results: [],
        intake: undefined,
      };
      expectDone(await harness.start("run", startMs).ended);
      const [, , , , { falls, looks }] = await Promise.all([
        postOn(storm),
        keepTaking(storm),
        keepPublishing(storm, "run", 3_000),
        keepPublishing(storm, "refresh", 1_000),
        keepReading(storm),
      ]);
      expect(await storm.intake?.stop()).toBe(0);
      expectDone(await harness.refresh(storm.simulatedMs()));
      const figures = await expectExact(harness, storm.tally);
      console.log(
        `${name}: ${JSON.stringify({ figures, looks, kills: storm.kills, whole: storm.results.length, seed })}`,
      );
      expect({ seed, falls }).toEqual({ seed, falls: [] });
      expect(storm.results.filter(({ code }) => code !== 0)).toEqual([]);
      expect(await harness.stateStore.list("inbox")).toEqual([]);
      expect(looks).toBeGreaterThan(0);
    },
  );

  test.for(PLACES)(
    "on %s: a clock that jumps by an hour makes no count negative or double",
    async ([, toPlace]) => {
      const workspace = await cliFixture.workspace();
      const harness = await openReportHarness(workspace, await toPlace(workspace));
      const seen: number[] = [];
      const countAt = async (atMs?: number): Promise<number | undefined> => {
        expectDone(await harness.refresh(atMs));
        const { reportsHour = -1, reportsDay = -1 } = (await harness.detail("alpha")) ?? {};
        seen.push(reportsHour, reportsDay);
        return reportsDay;
      };
      // Long before the reports, so that no count at that time contains them.
      expectDone(await harness.start("run", Date.now() - 10 * MINUTE_MS).ended);
      for (const [round, offsetMs] of [HOUR_MS, -HOUR_MS, HOUR_MS, 0].entries()) {
        const intake = await harness.startIntake();
        // The same twelve networks each time, and three new ones.
        for (const number of [
          ...Array(12).keys(),
          ...[0, 1, 2].map((one) => 100 * (round + 1) + one),
        ]) {
          expect(await intake.post("alpha", { from: addressOf(number) })).toMatchObject({
            status: 202,
          });
        }
        // Killed before or after it has published them.
        await delay(round % 2 === 0 ? 0 : 1_000);
        await intake.kill();
        const all = 12 + 3 * (round + 1);
        const atMs = Date.now() + offsetMs;
        // Later reports are not in a window that ends before them.
        expect({ round, day: await countAt(atMs) }).toEqual({ round, day: offsetMs < 0 ? 0 : all });
        expect({ round, day: await countAt() }).toEqual({ round, day: all });
      }
      expect(await countAt(Date.now() + HOUR_MS)).toBe(24);
      expect(await countAt(Date.now() - HOUR_MS)).toBe(0);
      // Counts are never older than the last run, which is now after all reports.
      expectDone(await harness.start("run").ended);
      expect(await countAt(Date.now() - HOUR_MS)).toBe(24);
      expect(await countAt()).toBe(24);
      const { services } = await harness.ledger();
      const { minutes = [], recent } = services.get("alpha") ?? {};
      expect(minutes.reduce((sum, row) => sum + row[1], 0)).toBe(24);
      expect(minutes.reduce((sum, row) => sum + row[2], 0)).toBe(60);
      expect(new Set(recent?.networks).size).toBe(24);
      expect(Math.min(...seen)).toBe(0);
    },
  );
});
