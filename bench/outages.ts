import { gzipSync } from "node:zlib";
import { DEFAULT_SITE_SETTINGS } from "../src/model/site-settings.ts";
import type { OutageAbout, ToldOutage } from "../src/model/service/accuracy.ts";
import type { Document } from "../src/model/service/snapshot.ts";
import { EMPTY_STATE, type State } from "../src/model/state.ts";
import { DAY_MS, MINUTE_MS } from "../src/model/time.ts";
import { createSiteMaker } from "../src/pipeline/pages/site-builder.ts";
import { summariseMonths } from "../src/pipeline/pages/month-summaries.ts";
import type { SiteSources } from "../src/pipeline/pages/site-view.ts";
import { reportAccuracy } from "../src/open-data/accuracy/report.ts";
import { type GroupFamily, groupId } from "../src/publish/object-groups.ts";
import { createBadgeMaker } from "../src/setup/publish-settings.ts";
import { encodeState } from "../src/state/codec/state.ts";
import type { Bench } from "./benches.ts";
import type { Section } from "./report.ts";

const OUTAGES_OF_YEAR = 2_000;
const PLANS = 20;
const NOW_MS = Date.UTC(2026, 11, 31, 12);
const ADDRESS = { ...DEFAULT_SITE_SETTINGS, origin: "https://status.example.ru", root: "" };
const PUBLISHED = { digest: "0123456789", etag: "x", isPublished: true, suspectUntilMs: 0 };

/** What a year of outages costs the state, a run and the readers of the list. */
export async function benchOutages({ catalogue }: Bench): Promise<Section> {
  const maker = createSiteMaker(createBadgeMaker("ru"));
  const without = imagineYear(catalogue.services, (outage) => ({ ...outage, about: null }));
  const year = imagineYear(catalogue.services, (outage) => outage);
  const sources = (
    accuracy: State["accuracy"],
    groups: State["publication"]["groups"],
  ): SiteSources => {
    const publication = {
      ...EMPTY_STATE.publication,
      objects: new Map([["x", PUBLISHED]]),
      groups,
    };
    const state = { ...EMPTY_STATE, accuracy, publication };
    const snapshot = { updatedAtMs: NOW_MS, services: [] };
    const truth: SiteSources["truth"] = [];
    const report = reportAccuracy(accuracy, truth);
    return {
      catalogue,
      state,
      snapshot,
      nowMs: NOW_MS,
      reportsAtMs: NOW_MS,
      accuracy: report,
      truth,
      operators: new Map(),
      months: summariseMonths(state, catalogue.services, NOW_MS),
    };
  };
  const first = await maker.outagesOf(ADDRESS, sources(year, new Map()));
  const groups = groupsOf(first);
  const known = sources(year, groups);
  const plans: number[] = [];
  for (let time = 0; time < PLANS; time += 1) {
    const startedUs = process.cpuUsage();
    await maker.outagesOf(ADDRESS, known);
    const { user, system } = process.cpuUsage(startedUs);
    plans.push((user + system) / 1000);
  }
  const list = await first.build("index");
  const [one = ""] = first.signatures.keys();
  const kB = (documents: readonly Document[], key: string): number =>
    gzipSync(documents.find((document) => document.key === key)?.body ?? "").length / 1000;
  const stateBytes = (state: State): number => encodeState(state).length / 1000;
  const page = await first.build(one);
  const [, pagePath = ""] = page.map(({ key }) => key);
  return {
    title: `${OUTAGES_OF_YEAR} outages of a year`,
    command: "npm run bench -- outages",
    figures: [
      { what: "CPU of a run for them", values: plans, unit: "ms", digits: 1 },
      {
        what: "what they add to the state",
        values: [stateBytes(known.state) - stateBytes(sources(without, new Map()).state)],
        unit: "kB",
        digits: 1,
        goal: 30,
      },
      {
        what: "page of the list, gzip",
        values: [kB(list, "outages")],
        unit: "kB",
        digits: 1,
        goal: 60,
      },
      { what: "page of one outage, gzip", values: [kB(page, pagePath)], unit: "kB", digits: 1 },
      {
        what: "objects when one begins or ends",
        values: [
          countChanged(first, await maker.outagesOf(ADDRESS, sources(endLast(year), groups))),
        ],
        unit: "",
        digits: 0,
        goal: 2,
      },
    ],
    notes: ["Each service has as many outages as another; three of them begin together."],
  };
}

function groupsOf({ signatures }: GroupFamily): State["publication"]["groups"] {
  return new Map(
    [...signatures].map(([id, digest]) => [groupId("outage", id), { ...PUBLISHED, digest }]),
  );
}

/** Objects of the groups whose signature differs. */
function countChanged(before: GroupFamily, after: GroupFamily): number {
  return [...after.signatures]
    .filter(([id, signature]) => before.signatures.get(id) !== signature)
    .reduce((sum, [id]) => sum + after.keysOf(id).length, 0);
}

/** One that began together with no other, and is over. */
function endLast(year: State["accuracy"]): State["accuracy"] {
  const outages = year.outages.slice();
  const last = outages.at(-1);
  if (last !== undefined) outages[outages.length - 1] = { ...last, endedAtMs: NOW_MS };
  return { ...year, outages };
}

function imagineYear(
  services: readonly { readonly slug: string }[],
  change: (outage: ToldOutage) => ToldOutage,
): State["accuracy"] {
  const outages = Array.from({ length: OUTAGES_OF_YEAR }, (_, place): ToldOutage => {
    const event = Math.floor((OUTAGES_OF_YEAR - 1 - place) / 3);
    const minutesAgo = Math.round((event * 365 * 24 * 60 * 3) / OUTAGES_OF_YEAR) + (event % 7);
    const toldAtMs = NOW_MS - minutesAgo * MINUTE_MS - (event % 53) * 1_000;
    return change({
      slug: services[(place * 31) % services.length]?.slug ?? "",
      toldAtMs,
      endedAtMs: place === OUTAGES_OF_YEAR - 1 ? null : toldAtMs + ((place * 7) % 90) * MINUTE_MS,
      runs: 3,
      checkedAtMs: null,
      isReported: place % 2 === 0,
      isSeenElsewhere: false,
      isLookedAtElsewhere: true,
      surgedAtMs: null,
      about: aboutOf(place, toldAtMs),
      isEndUnseen: false,
    });
  });
  return { ...EMPTY_STATE.accuracy, sinceMs: NOW_MS - 365 * DAY_MS, outages };
}

function aboutOf(place: number, toldAtMs: number): OutageAbout {
  return {
    code: place % 3 === 0 ? "err" : "fail",
    scope: place % 2 === 0 ? "russia" : "everywhere",
    sinceMs: toldAtMs - 5 * MINUTE_MS + ((place * 137) % 300) * 1_000,
    cause: place % 3 === 0 ? "http-server-error" : "tcp-timeout",
    failing: 1 + (place % 3),
    counted: 3,
    network: place % 5 === 0 ? "AS13335 Cloudflare" : null,
  };
}
