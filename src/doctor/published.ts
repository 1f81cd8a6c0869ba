import * as z from "zod";
import { describeCongestion, isOftenCongested } from "../cli/output/runner-text.ts";
import { parseJson } from "../model/errors.ts";
import type { Catalogue } from "../model/service/catalogue.ts";
import type { State } from "../model/state.ts";
import type { ObjectStore } from "../model/store.ts";
import { FRESH_MS, MINUTE_MS, SECOND_MS } from "../model/time.ts";
import { placeSite, type SitePlace } from "../pipeline/pages/site-address.ts";
import { countCongested } from "../services/history/response-baseline.ts";
import { findLeftOut, whyUnknown } from "../services/history/views.ts";
import { LIST_KEY } from "../services/snapshot/api-documents.ts";
import { needsAddress } from "../setup/stores.ts";
import { loadState } from "../state/state-file.ts";
import type { Stores } from "./content.ts";
import { attempt, type Check, type CheckFinding, ok, warn } from "./check.ts";

/** Endpoints that the runs so far leave out, with the verdicts that rest on them, and how often the runner itself was slow. */
export async function checkLeftOut(
  catalogue: Catalogue,
  stateStore: ObjectStore,
): Promise<readonly Check[]> {
  const name = "endpoints that count";
  const loaded = await attempt(() => loadState(stateStore));
  if (loaded instanceof Error) return [{ name, ...warn(`unknown: ${loaded.message}`) }];
  return [
    { name, ...judgeEndpoints(catalogue, loaded.state) },
    { name: "own speed", ...judgeSpeed(loaded.state) },
  ];
}

function judgeEndpoints(catalogue: Catalogue, { history }: State): CheckFinding {
  if (history.runs.length === 0) return ok("no run yet");
  const leftOut = findLeftOut(catalogue, history);
  const unknown = catalogue.services.flatMap((service) => {
    const why = whyUnknown(service, history);
    return why === null ? [] : [`${service.slug} (${why})`];
  });
  if (leftOut.length + unknown.length === 0) return ok("all of them");
  const urls = leftOut.map(({ slug, url, why }) => `${url} of ${slug} (${why})`).join(", ");
  const parts = [
    ...(leftOut.length === 0 ? [] : [`not counted: ${urls}`]),
    ...(unknown.length === 0 ? [] : [`so nothing is known of ${unknown.join(", ")}`]),
  ];
  return warn(`${parts.join("; ")}. Run catalogue audit: it says what to change.`);
}

function judgeSpeed({ history }: State): CheckFinding {
  const congestion = countCongested(history.runs);
  const { congested, of } = congestion;
  return isOftenCongested(congestion)
    ? warn(describeCongestion(congestion))
    : ok(`this machine was slow in ${congested} of ${of} runs of the last day`);
}

const LIST = z.object({ updated: z.number(), services: z.array(z.object({ code: z.string() })) });

/**
 * Whether the verdicts become `none` when runs stop. A timer with `run` alone does not publish that: if its machine is gone, the last
 * documents stay. It can be seen only after the runs have stopped for a while.
 */
export async function checkFreshness(publicStore: ObjectStore, nowMs: number): Promise<Check> {
  const found = await attempt(() => publicStore.read(LIST_KEY));
  const finding =
    found instanceof Error
      ? warn(`unknown: ${found.message}`)
      : // Undefined: it is not ours.
        judgeFreshness(found && readList(found.body), nowMs);
  return { name: "none without a runner", ...finding };
}

function readList(body: Uint8Array): z.infer<typeof LIST> | undefined {
  return LIST.safeParse(parseJson(Buffer.from(body).toString())).data;
}

function judgeFreshness(list: z.infer<typeof LIST> | undefined, nowMs: number): CheckFinding {
  if (list === undefined) return ok("nothing is published yet");
  const ageMs = nowMs - list.updated * SECOND_MS;
  const age = `the last valid run is ${Math.max(0, Math.floor(ageMs / MINUTE_MS))} min old`;
  if (ageMs <= FRESH_MS)
    return ok(
      `${age}. If runs stop, a second timer with refresh, watch or an intake has to publish that: docs/operations.md, "When the runner is gone".`,
    );
  return list.services.every(({ code }) => code === "none")
    ? ok(`${age}, and that is published`)
    : warn(
        `${age}, and so are the published verdicts, because only run publishes here. Start the runs again. Add a second timer with refresh, watch or an intake.`,
      );
}

const CURE = "Give --base-url (STATUS_SNAPSHOT_BASE_URL), such as https://status.example.";

/**
 * The address that the next publish would write into pages, feeds and snippets.
 *
 * @param url of the public store.
 * @param given by `--base-url`.
 */
export async function checkWebsite(
  url: string,
  given: string | undefined,
  { publicStore, stateStore }: Stores,
): Promise<Check> {
  const name = "website";
  const loaded = await attempt(() => loadState(stateStore));
  if (loaded instanceof Error)
    return given === undefined
      ? { name, ...warn(`its address is unknown: ${loaded.message}`) }
      : { name, ...ok(`served at ${given}`) };
  const { state } = loaded;
  const place = placeSite(state, {
    baseUrl: given,
    needsAddress: needsAddress(url),
    publicStore,
  });
  return { name, ...judgePlace(place, given, state) };
}

function judgePlace(place: SitePlace, given: string | undefined, { baseUrl }: State): CheckFinding {
  switch (place.kind) {
    case "known": {
      const isChange = given !== undefined && baseUrl !== null && given !== baseUrl;
      const before = isChange ? `, until now at ${baseUrl}` : "";
      const stored = baseUrl === null ? ", where `serve` answers" : ", as stored in the state";
      return ok(`served at ${place.baseUrl}${given === undefined ? stored : ""}${before}`);
    }
    case "assumed":
      return warn(`its pages name ${place.baseUrl}, because no address is given. ${CURE}`);
    case "nowhere":
      return warn(
        `left out, because no address is given; the API is published without it. ${CURE}`,
      );
  }
}
