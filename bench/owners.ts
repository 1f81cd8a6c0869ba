import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { addressOf, type RunningIntake } from "../test/cli/running-intake.ts";
import type { Bench } from "./benches.ts";
import { loadIntake } from "./intake-load.ts";
import type { MeasuredStrangers } from "./owners-script.ts";
import type { Section } from "./report.ts";
import { percentiles, timesOf } from "./reports-figures.ts";
import { openFolders, openIntake, type Place } from "./reports-place.ts";
import { percentileOf } from "./statistics.ts";

const LOAD = { perSecond: 50, seconds: 60 };
/** As many owners switch their page on, one after another. */
const SWITCHES = 40;
const ANSWER_GOAL_MS = 50;
const BADGE_GOAL_MS = 2_000;
const MB = 1_000_000;

/** The cost of owners: registrations beside reports, the way from the switch to the badge, and strangers who never prove anything. */
export async function benchOwners({ catalogue, folder }: Bench): Promise<Section> {
  const slugs = catalogue.services.map(({ slug }) => slug);
  const site = await startSite();
  const place = await openFolders(join(folder, "owners"));
  const guard = ["--allow-private", "127.0.0.1/32", "--allow-port", String(site.port)];
  const intake = await openIntake(place, folder, "", ["--set", "selfService=on", ...guard]);
  try {
    const badges = await measureBadges(intake, place, site);
    const registering = registerMany(intake);
    const reports = await loadIntake(intake, { ...LOAD, slugs });
    const registrations = await registering;
    const strangers = await measureStrangers();
    return {
      title: `Owners: ${LOAD.perSecond} registrations and ${LOAD.perSecond} reports a second for ${LOAD.seconds} s, in a directory`,
      command: "npm run bench -- owners",
      figures: [
        ...percentiles("answer to a report", timesOf(reports), ANSWER_GOAL_MS),
        ...percentiles("answer to a registration", registrations.tookMs),
        ...percentiles("from the switch to the badge", badges, BADGE_GOAL_MS),
        {
          what: "heap for 300,000 waiting strangers, without the limit of 5,000",
          values: [strangers.heldBytes / MB],
          unit: "MB",
          digits: 0,
          goal: 100,
        },
      ],
      notes: [
        `Registrations: ${registrations.accepted} accepted, ${registrations.refused} refused.`,
        `p99 of the badge over ${badges.length} switches: ${percentileOf(badges, 0.99).toFixed(0)} ms.`,
      ],
    };
  } finally {
    await intake.stop();
    site.close();
  }
}

/** A site whose owner proves it by whatever file is asked for. */
async function startSite() {
  const files = new Map<string, string>();
  const server = createServer((request, response) => {
    const text = files.get(request.url ?? "");
    response.writeHead(text === undefined ? 404 : 200).end(text ?? "nothing");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { port, files, url: `http://127.0.0.1:${port}/`, close: () => void server.close() };
}

/** The registration of a site, as far as a bench needs it. */
interface Registered {
  readonly id: string;
  readonly token: string;
  readonly challenge: { readonly file: { readonly url: string; readonly content: string } };
}

async function register(
  { url }: RunningIntake,
  siteUrl: string,
  from: string,
): Promise<Registered | undefined> {
  const response = await fetch(`${url}/monitors`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Forwarded-For": from },
    body: JSON.stringify({ url: siteUrl }),
  });
  // The intake answers exactly this.
  const body = (await response.json()) as Registered;
  return response.status === 201 ? body : undefined;
}

async function registerMany(
  intake: RunningIntake,
): Promise<{ tookMs: readonly number[]; accepted: number; refused: number }> {
  const startMs = performance.now();
  const all = LOAD.perSecond * LOAD.seconds;
  const tookMs: number[] = [];
  let accepted = 0;
  const asked: Promise<void>[] = [];
  const ask = async (number: number): Promise<void> => {
    const dueMs = startMs + (number / LOAD.perSecond) * 1_000;
    const url = `https://shop${number}.example${number}.ru/`;
    const made = await register(intake, url, addressOf(1_000_000 + number));
    tookMs.push(performance.now() - dueMs);
    if (made !== undefined) accepted += 1;
  };
  while (asked.length < all) {
    const due = Math.min(all, ((performance.now() - startMs) / 1_000) * LOAD.perSecond);
    while (asked.length < due) asked.push(ask(asked.length));
    await sleep(5);
  }
  await Promise.all(asked);
  return { tookMs, accepted, refused: all - accepted };
}

/** From the answer to the switch until the badge is in the store. */
async function measureBadges(
  intake: RunningIntake,
  { publicStore }: Place,
  site: Awaited<ReturnType<typeof startSite>>,
): Promise<readonly number[]> {
  const made = await register(intake, site.url, addressOf(1));
  if (made === undefined) throw new Error("the site was not registered");
  const { id, token, challenge } = made;
  site.files.set(new URL(challenge.file.url).pathname, challenge.file.content);
  const ask = (method: string, path: string, body?: object): Promise<Response> =>
    fetch(`${intake.url}/monitors/${id}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  await ask("POST", "/verify");
  const delaysMs: number[] = [];
  for (let time = 0; time < SWITCHES; time += 1) {
    const isPublic = time % 2 === 0;
    await ask("PATCH", "", { public: isPublic });
    const startMs = performance.now();
    const isThere = async (): Promise<boolean> =>
      (await publicStore.find(`api/m/${id}/badge.svg`)) !== undefined;
    while ((await isThere()) !== isPublic) await sleep(5);
    delaysMs.push(performance.now() - startMs);
    // An owner does not switch ten times a second; the flood guard lets one a second through.
    await sleep(1_000);
  }
  return delaysMs;
}

async function measureStrangers(): Promise<MeasuredStrangers> {
  const script = fileURLToPath(new URL("owners-script.ts", import.meta.url));
  const args = ["--expose-gc", "--import", "tsx", script];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  // The script prints exactly this.
  return JSON.parse(stdout) as MeasuredStrangers;
}
