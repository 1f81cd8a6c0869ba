import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CreateBucketCommand } from "@aws-sdk/client-s3";
import type { ObjectStore, RequestCounts } from "../src/model/store.ts";
import { loadState } from "../src/state.ts";
import { openStore } from "../src/store/open.ts";
import { eventsNamed } from "../test/cli/cli.ts";
import { type RunningIntake, startIntake } from "../test/cli/running-intake.ts";
import { type CephAddress, startCeph } from "../test/system/ceph.ts";
import { connectS3 } from "../test/system/s3-client.ts";
import { environmentOf, urlOf } from "../test/system/s3-lab.ts";
import type { Bench } from "./benches.ts";
import { measureCommand } from "./command.ts";
import { type LoadAnswer, loadIntake } from "./intake-load.ts";
import { cpuSecondsOf, residentBytesOf } from "./processes.ts";
import type { Figure, Section } from "./report.ts";
import { watchDetails } from "./reports-watch.ts";
import { percentileOf } from "./statistics.ts";

const GATEWAY_PATHS = ["/usr/bin/radosgw", "/usr/local/bin/radosgw"];
const USUAL = { perSecond: 50, seconds: 30 };
const FLOOD = { perSecond: 1_000, seconds: 60 };
const MB = 1_000_000;
/** The last publish, and whatever memory is let go of. */
const SETTLE_MS = 5_000;

interface Place {
  readonly name: string;
  readonly storeUrl: string;
  readonly stateUrl: string;
  readonly publicStore: ObjectStore;
  readonly stateStore: ObjectStore;
}

interface Part {
  readonly figures: readonly Figure[];
  readonly notes: readonly string[];
}

/** What reports cost: from acceptance to the published document at 50 a second, and 1,000 a second for a minute. */
export async function benchReports({ catalogue, folder }: Bench): Promise<Section> {
  const slugs = catalogue.services.map(({ slug }) => slug);
  const hasGateway = GATEWAY_PATHS.some((path) => existsSync(path));
  const ceph = hasGateway ? await startCeph() : undefined;
  const parts: Part[] = [];
  try {
    if (ceph !== undefined) {
      Object.assign(process.env, environmentOf(ceph));
      parts.push(await benchUsual(await openBuckets(ceph), folder, slugs));
    }
    parts.push(await benchUsual(await openFolders(join(folder, "usual")), folder, slugs));
    if (ceph !== undefined) parts.push(await benchFlood(await openBuckets(ceph), folder, slugs));
    parts.push(await benchFlood(await openFolders(join(folder, "flood")), folder, slugs));
  } finally {
    await ceph?.stop();
  }
  return {
    title: `Reports: the intake over ${slugs.length} services, clients and store on the same cores`,
    command: "npm run bench -- reports",
    figures: parts.flatMap(({ figures }) => figures),
    notes: [
      ...parts.flatMap(({ notes }) => notes),
      "Published: from the end of the 202 until a reader that looks again and again, at the details that lack reports, finds it counted.",
      "Answer: from the moment at which the post was due to the end of its answer. Each report comes from a network of its own.",
      ...(hasGateway
        ? []
        : ["Without RGW: radosgw is not installed. `test/system/ceph.sh install` gets it."]),
    ],
  };
}

async function benchUsual(place: Place, cwd: string, slugs: readonly string[]): Promise<Part> {
  const intake = await openIntake(place, cwd);
  try {
    const watch = watchDetails(place.publicStore);
    const answers = await loadIntake(intake, {
      ...USUAL,
      slugs,
      onAnswer: ({ slug, status }) => {
        if (status === 202) watch.expect(slug, performance.now());
      },
    });
    await sleep(SETTLE_MS);
    const { delaysMs, missing } = await watch.close();
    const title = `${place.name}, ${USUAL.perSecond}/s for ${USUAL.seconds} s`;
    return {
      figures: [
        ...percentiles(`${title}: published`, delaysMs, 1_000),
        ...percentiles(`${title}: answer`, timesOf(answers), 50),
      ],
      notes: [
        `${title}: answers: ${describeStatuses(answers)}; ${missing} not published. ${await describePublishes(intake, answers.length)}`,
      ],
    };
  } finally {
    await intake.stop();
  }
}

async function benchFlood(place: Place, cwd: string, slugs: readonly string[]): Promise<Part> {
  const intake = await openIntake(place, cwd);
  const beforeBytes = residentBytesOf(intake.pid);
  const cpuBefore = cpuSecondsOf(intake.pid);
  const samples: number[] = [];
  const sampler = setInterval(() => samples.push(residentBytesOf(intake.pid)), 200);
  try {
    const answers = await loadIntake(intake, { ...FLOOD, slugs });
    const cpu = cpuSecondsOf(intake.pid) - cpuBefore;
    await sleep(SETTLE_MS);
    clearInterval(sampler);
    const afterBytes = residentBytesOf(intake.pid);
    const publishes = await describePublishes(intake, answers.length);
    await intake.stop();
    const accepted = countAccepted(answers);
    const counted = await countPublished(place, slugs);
    const title = `${place.name}, ${FLOOD.perSecond}/s for ${FLOOD.seconds} s`;
    const inMb = (what: string, bytes: number): Figure => {
      return { what: `${title}: ${what}`, values: [bytes / MB], unit: "MB", digits: 0 };
    };
    return {
      figures: [
        ...percentiles(`${title}: answer`, timesOf(answers), 50),
        inMb("memory before", beforeBytes),
        inMb("memory at its peak", Math.max(...samples)),
        inMb("memory after", afterBytes),
      ],
      notes: [
        `${title}: answers: ${describeStatuses(answers)}; the state has ${counted.state}, the documents ${counted.documents}: lost ${accepted - counted.documents}. CPU ${cpu.toFixed(0)} s. ${publishes}`,
        `${title}: MB every 10 s: ${samples
          .filter((_, at) => at % 50 === 0)
          .map((bytes) => (bytes / MB).toFixed(0))
          .join(", ")}.`,
      ],
    };
  } finally {
    clearInterval(sampler);
    if (intake.child.exitCode === null) await intake.kill();
  }
}

async function openIntake(place: Place, cwd: string): Promise<RunningIntake> {
  const { AWS_ACCESS_KEY_ID = "", AWS_SECRET_ACCESS_KEY = "" } = process.env;
  const stores = ["--store", place.storeUrl, "--state", place.stateUrl];
  const options = ["--proxy", "127.0.0.1", "--journal", join(cwd, `journal-${Date.now()}`)];
  const env = { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY };
  // The documents, so that what is measured is not their first writing.
  await measureCommand(["refresh", ...stores], env);
  return startIntake([...stores, ...options], { cwd, env });
}

async function openBuckets(ceph: CephAddress): Promise<Place> {
  const s3 = connectS3(ceph);
  const names = [0, 1].map((number) => `bench-reports-${Date.now()}-${number}`);
  for (const Bucket of names) await s3.send(new CreateBucketCommand({ Bucket }));
  s3.destroy();
  const [storeUrl = "", stateUrl = ""] = names.map((name) => urlOf(ceph.endpoint, name));
  return openPlace("RGW", storeUrl, stateUrl);
}

function openFolders(folder: string): Promise<Place> {
  return openPlace("directory", `file:${join(folder, "public")}`, `file:${join(folder, "state")}`);
}

async function openPlace(name: string, storeUrl: string, stateUrl: string): Promise<Place> {
  const publicStore = await openStore(storeUrl, { role: "public" });
  const stateStore = await openStore(stateUrl, { role: "private" });
  if (publicStore.kind === "refused" || stateStore.kind === "refused") {
    throw new Error(`no store at ${storeUrl}, ${stateUrl}`);
  }
  return {
    name,
    storeUrl,
    stateUrl,
    publicStore: publicStore.store,
    stateStore: stateStore.store,
  };
}

function timesOf(answers: readonly LoadAnswer[]): readonly number[] {
  return answers.map(({ tookMs }) => tookMs);
}

function countAccepted(answers: readonly LoadAnswer[]): number {
  return answers.filter(({ status }) => status === 202).length;
}

/** How many of each status; 0 is no answer. */
function describeStatuses(answers: readonly LoadAnswer[]): string {
  const statuses = [...new Set(answers.map(({ status }) => status))];
  const count = (wanted: number): number =>
    answers.filter(({ status }) => status === wanted).length;
  return statuses.map((status) => `${count(status)} of ${status}`).join(", ");
}

function percentiles(what: string, values: readonly number[], goalMs: number): readonly Figure[] {
  return [50, 95, 99, 100].map((share) => ({
    what: `${what}, ${share === 100 ? "longest" : `p${share}`}`,
    values: [percentileOf(values, share / 100)],
    unit: "ms",
    digits: 0,
    ...(share === 99 ? { goal: goalMs } : {}),
  }));
}

/** How many publishes there were, and what they and the inbox asked the stores for. */
async function describePublishes(intake: RunningIntake, posts: number): Promise<string> {
  const published = eventsNamed(intake.log(), "published");
  const durations = published.map(({ durationMs }) => Number(durationMs));
  const metrics = await (await fetch(`${intake.operationsUrl}/metrics`)).text();
  const writes = /^status_snapshot_intake_write_seconds_count\{to="inbox"\} (\d+)/mu.exec(metrics);
  const sums = (["public", "state"] as const).map((role) => {
    // The event has exactly this.
    const all = published.map(({ requests }) => (requests as Requests)[role]);
    const kinds = ["read", "find", "write", "remove", "list"] as const;
    const texts = kinds.map((kind) => `${kind} ${all.reduce((sum, one) => sum + one[kind], 0)}`);
    return `${role}: ${texts.join(", ")}`;
  });
  const failures = eventsNamed(intake.log(), "warning").length;
  return `${published.length} publishes for ${posts} posts, of ${percentileOf(durations, 0.5)} ms (p99 ${percentileOf(durations, 0.99)} ms); ${writes?.[1] ?? "?"} inbox writes; requests of publishing, ${sums.join("; ")}; ${failures} warnings.`;
}

type Requests = Readonly<Record<"public" | "state", RequestCounts>>;

async function countPublished(
  { publicStore, stateStore }: Place,
  slugs: readonly string[],
): Promise<{ readonly state: number; readonly documents: number }> {
  const { state } = await loadState(stateStore, () => undefined);
  const rows = [...state.reports.ledger.services.values()].flatMap(({ minutes }) => minutes);
  let documents = 0;
  for (const slug of slugs) {
    const found = await publicStore.read(`api/v1/status/${slug}`);
    documents += reportsDayOf(found?.body);
  }
  return { state: rows.reduce((sum, [, accepted]) => sum + accepted, 0), documents };
}

function reportsDayOf(body: Uint8Array | undefined): number {
  if (body === undefined) return 0;
  const { reportsDay } = Object(JSON.parse(new TextDecoder().decode(body)));
  return Number(reportsDay);
}
