import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startCeph } from "../test/system/ceph.ts";
import { environmentOf } from "../test/system/s3-harness.ts";
import type { Bench } from "./benches.ts";
import { loadIntake } from "./intake-load.ts";
import type { Section } from "./report.ts";
import {
  describePublishes,
  describeStatuses,
  type Part,
  percentiles,
  timesOf,
} from "./reports-figures.ts";
import { benchFlood } from "./reports-flood.ts";
import { openBuckets, openFolders, openIntake, type Place } from "./reports-place.ts";
import { watchDetails } from "./reports-watch.ts";

const GATEWAY_PATHS = ["/usr/bin/radosgw", "/usr/local/bin/radosgw"];
const USUAL = { perSecond: 50, seconds: 30 };
const FLOOD = { perSecond: 1_000, seconds: 60 };
/** The number of networks is a multiple of that of services, so each network reports the same service repeatedly: counted once. */
const LONG_SECONDS = 300;
const NETWORKS_PER_SERVICE = 1_000;
/** For the last publish. */
const SETTLE_MS = 5_000;

/** The cost of reports: from acceptance to publish at 50 per second, and 1,000 per second for one and five minutes. */
export async function benchReports({ catalogue, folder }: Bench): Promise<Section> {
  const slugs = catalogue.services.map(({ slug }) => slug);
  const hasGateway = GATEWAY_PATHS.some((path) => existsSync(path));
  const ceph = hasGateway ? await startCeph() : undefined;
  const parts: Part[] = [];
  const openIn = (name: string): Promise<Place> => openFolders(join(folder, name));
  try {
    if (ceph !== undefined) {
      Object.assign(process.env, environmentOf(ceph));
      parts.push(await benchUsual(await openBuckets(ceph), folder, slugs));
    }
    parts.push(await benchUsual(await openIn("usual"), folder, slugs));
    if (ceph !== undefined) {
      parts.push(await benchFlood(await openBuckets(ceph), folder, slugs, FLOOD));
    }
    parts.push(await benchFlood(await openIn("flood"), folder, slugs, FLOOD));
  } finally {
    await ceph?.stop();
  }
  const long = { ...FLOOD, seconds: LONG_SECONDS, networks: slugs.length * NETWORKS_PER_SERVICE };
  parts.push(await benchFlood(await openIn("long"), folder, slugs, long));
  return {
    title: `Reports: the intake over ${slugs.length} services, clients and store on the same cores`,
    command: "npm run bench -- reports",
    figures: parts.flatMap(({ figures }) => figures),
    notes: [
      ...parts.flatMap(({ notes }) => notes),
      "Published: from the end of the 202 until a reader that polls the details with pending reports finds it counted.",
      "Answer: from the scheduled time of the post to the end of its answer. By default, each report comes from its own network.",
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
