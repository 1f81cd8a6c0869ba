import type { Catalogue, Endpoint } from "../model/service/catalogue.ts";
import { tooSmallBody } from "../model/service/freeze.ts";
import type { ProbeDependencies } from "../probe/probe.ts";
import { createPool } from "../probe/pool.ts";
import {
  type Proposal,
  propose,
  isReached,
  sortAnswer,
  wordsOf,
  type AnswerKind,
} from "./propose.ts";
import { type RecordedProbe, judgeRecorded, recordProbe } from "./record-answers.ts";
import { gunzipSync, gzipSync } from "node:zlib";
import * as z from "zod";
import { stringify } from "yaml";
import { registrableDomainOf } from "../model/registrable-domain.ts";

/** The answers of all rounds, by URL. */
export type Answers = ReadonlyMap<string, readonly RecordedProbe[]>;

export interface TrialOptions extends Readonly<Parameters<typeof createPool>[0]> {
  readonly rounds: number;
  /** Between two rounds, so that a wall that comes and goes is seen. */
  readonly pauseMs: number;
  /** Ends the trial; what is not probed by then is not tried. */
  readonly signal: AbortSignal;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly onRound: (round: number) => void;
}

/** Probes every endpoint of the catalogue in each round, once. */
export async function recordAnswers(
  { services }: Catalogue,
  deps: ProbeDependencies,
  options: TrialOptions,
): Promise<Answers> {
  const { rounds, pauseMs, signal, sleep, onRound } = options;
  const endpoints = services.flatMap((service) => service.endpoints);
  const pool = createPool(options);
  const answers = new Map<string, RecordedProbe[]>(endpoints.map(({ url }) => [url, []]));
  for (let round = 1; round <= rounds && !signal.aborted; round += 1) {
    onRound(round);
    if (round > 1) await sleep(pauseMs, signal);
    await Promise.all(
      endpoints.map(async (endpoint) => {
        const { host } = new URL(endpoint.url);
        const attempt = await pool(host, () => recordProbe(endpoint, deps, signal));
        // What the end broke off would be judged as silence.
        if (!signal.aborted) answers.get(endpoint.url)?.push(attempt);
      }),
    );
  }
  return answers;
}

/** Answers that were kept, judged by the catalogue as it is now. Those that it cannot judge are as they were. */
export async function judgeAgain(
  { services }: Catalogue,
  kept: Answers,
  deps: ProbeDependencies,
): Promise<Answers> {
  const judged = services
    .flatMap((service) => service.endpoints)
    .map(async (endpoint) => {
      const attempts = (kept.get(endpoint.url) ?? []).map(async ({ outcome, hops }) => ({
        outcome: (await judgeRecorded(endpoint, hops, deps)) ?? outcome,
        hops,
      }));
      return [endpoint.url, await Promise.all(attempts)] as const;
    });
  return new Map(await Promise.all(judged));
}

/** The proved proposals, by URL. */
export async function proposeAll(
  { services }: Catalogue,
  answers: Answers,
  deps: ProbeDependencies,
): Promise<Proposals> {
  const proposals = new Map<string, Proposal>();
  for (const service of services)
    for (const endpoint of service.endpoints) {
      const attempts = answers.get(endpoint.url) ?? [];
      const proposal = attempts.length > 0 && (await propose(service, endpoint, attempts, deps));
      if (proposal) proposals.set(endpoint.url, proposal);
    }
  return withoutEmptied(services, proposals);
}

/** An overlay cannot take out every endpoint of a service. */
function withoutEmptied(services: Catalogue["services"], proposals: Proposals): Proposals {
  const emptied = services
    .map(({ endpoints }) => endpoints.map(({ url }) => url))
    .filter((urls) => urls.every((url) => proposals.get(url)?.endpoint === null));
  const isEmptied = new Set(emptied.flat());
  return new Map([...proposals].filter(([url]) => !isEmptied.has(url)));
}

/** 64 KiB of body for some hundreds of endpoints, twice. */
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;

const ANSWERS_FORMAT = "status-snapshot/answers";

const ANSWERS_FILE = z.object({
  format: z.literal(ANSWERS_FORMAT),
  answers: z.array(
    z.tuple([
      z.string(),
      z.array(
        z.object({
          outcome: z.looseObject({ kind: z.enum(["ok", "denied", "failed", "skipped"]) }),
          hops: z.array(
            z.looseObject({
              url: z.string(),
              tlsVerified: z.boolean().nullable(),
              answer: z.looseObject({ kind: z.enum(["answer", "failed", "skipped"]) }),
            }),
          ),
        }),
      ),
    ]),
  ),
});

/** Recorded answers as a file: gzip over JSON. */
export function encodeAnswers(answers: Answers): Uint8Array {
  return gzipSync(JSON.stringify({ format: ANSWERS_FORMAT, answers: [...answers] }));
}

/** Throws RangeError if the bytes are not of `encodeAnswers`. */
export function decodeAnswers(bytes: Uint8Array): Answers {
  try {
    const text = gunzipSync(bytes, { maxOutputLength: MAX_UNPACKED_BYTES }).toString("utf8");
    const { answers } = ANSWERS_FILE.parse(JSON.parse(text));
    // Written by `encodeAnswers` on this machine; the shape is checked as far as it is read.
    return new Map(answers) as unknown as Answers;
  } catch (error) {
    throw new RangeError("not a file that `catalogue trial --answers` has written.", {
      cause: error,
    });
  }
}

/** The first line of an overlay of a trial: a file without it belongs to the operator. */
export const OVERLAY_HEAD: string =
  "# Proposed by `status-snapshot catalogue trial`, each line judged by recorded answers.\n";

/** Proposals by the URL of the endpoint as it is in the catalogue. */
export type Proposals = ReadonlyMap<string, Proposal>;

/** The services with the proposals applied, in the order of the catalogue, without those that stay as they are. */
function changedServices({ services }: Catalogue, proposals: Proposals) {
  return services
    .filter(({ endpoints }) => endpoints.some(({ url }) => proposals.has(url)))
    .map(({ slug, endpoints }) => ({
      slug,
      endpoints: endpoints.flatMap((endpoint) => {
        const proposal = proposals.get(endpoint.url);
        return proposal === undefined ? [endpoint] : (proposal.endpoint ?? []);
      }),
    }));
}

/** An overlay of the catalogue with the proposals: all endpoints of each service that changes, because an overlay replaces a list. */
export function writeOverlay(catalogue: Catalogue, proposals: Proposals): string {
  const services = changedServices(catalogue, proposals).map(({ slug, endpoints }) => ({
    slug,
    endpoints: endpoints.map(toWritten),
  }));
  return OVERLAY_HEAD + stringify({ services }, { lineWidth: 0 });
}

/** An endpoint as it stands in a file: without what follows by itself. */
function toWritten({ sites, isCritical, trust, ...rest }: Endpoint) {
  const own = registrableDomainOf(new URL(rest.url).hostname);
  const leadsTo = (sites ?? []).filter((site) => site !== own);
  return {
    ...rest,
    ...(isCritical ? { critical: true } : {}),
    ...(trust === "public" ? {} : { trust }),
    ...(leadsTo.length === 0 ? {} : { leadsTo }),
  };
}

export type TrialReport = ReturnType<typeof buildReport>;
export type TrialRow = TrialReport["rows"][number];

/** What a trial found about every endpoint. */
export function buildReport(catalogue: Catalogue, answers: Answers, proposals: Proposals) {
  const kindsOf = (url: string): readonly AnswerKind[] => (answers.get(url) ?? []).map(sortAnswer);
  const { services } = catalogue;
  const rows = services.flatMap(({ slug, endpoints }) =>
    endpoints.map((endpoint) => {
      const { url, what, isCritical } = endpoint;
      const attempts = answers.get(url) ?? [];
      const last = attempts.findLast(({ hops }) => hops.length > 0);
      return {
        slug,
        url,
        what,
        isCritical,
        /** What answered in each round. */
        kinds: kindsOf(url),
        outcomes: attempts.map(({ outcome }) => outcome),
        ...(last === undefined ? { title: "", begins: "" } : wordsOf(last)),
        /** What the catalogue expects, in English. */
        expects: expectsOf(endpoint),
        /** Lines for its entry; empty: none is proposed. */
        proposal: proposals.get(url)?.lines ?? [],
      };
    }),
  );
  return {
    /** In the order of the catalogue. */
    rows,
    /** Slugs of the services of which nothing would be known. */
    unreached: services.filter((service) => !isReached(service, kindsOf)).map(({ slug }) => slug),
    /** Services abroad of which a freeze would not show: no answer is large enough. */
    small: services.flatMap((service) => {
      const outcomes = service.endpoints.flatMap(({ url }) =>
        (answers.get(url) ?? []).map(({ outcome }) => [url, outcome] as const),
      );
      const body = tooSmallBody(service, outcomes);
      return body === undefined ? [] : [{ slug: service.slug, ...body }];
    }),
    /** Services that the overlay changes. */
    changed: changedServices(catalogue, proposals).length,
  };
}

function expectsOf({ expect, body, location, redirects, sites = [] }: Endpoint): string {
  const parts = [
    ...(expect === undefined ? [] : [`status ${expect.join(" or ")}`]),
    ...(body === undefined ? [] : [`the text ${JSON.stringify(body)}`]),
    ...(location === undefined ? [] : [`a redirect to ${location}`]),
    ...(redirects === undefined ? [] : [`any redirect within ${sites.join(", ")}`]),
  ];
  return parts.length === 0 ? "any answer below 500" : parts.join(", ");
}
