import { stringify } from "yaml";
import type { Catalogue, Endpoint } from "../model/service/catalogue.ts";
import { registrableDomainOf } from "../model/registrable-domain.ts";
import type { Proposal } from "./propose.ts";
import type { AnswerKind, TrialReport, TrialRow } from "../model/service/trial.ts";
import type { Answers } from "./run-trial.ts";
import { isReached, sortAnswer, wordsOf } from "./sort-answers.ts";

/** The first line of an overlay of a trial: a file without it belongs to the operator. */
export const OVERLAY_HEAD: string =
  "# Proposed by `status-snapshot catalogue trial`, each line judged by recorded answers.\n";

/** Proposals by the URL of the endpoint as it is in the catalogue. */
export type Proposals = ReadonlyMap<string, Proposal>;

/** The services with the proposals applied, in the order of the catalogue, without those that stay as they are. */
export function changedServices({ services }: Catalogue, proposals: Proposals) {
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

/** What a trial found about every endpoint. */
export function buildReport(
  catalogue: Catalogue,
  answers: Answers,
  proposals: Proposals,
): TrialReport {
  const kindsOf = (url: string): readonly AnswerKind[] => (answers.get(url) ?? []).map(sortAnswer);
  return {
    rows: catalogue.services.flatMap(({ slug, endpoints }) =>
      endpoints.map((endpoint): TrialRow => {
        const { url, what, isCritical } = endpoint;
        const attempts = answers.get(url) ?? [];
        const last = attempts.findLast(({ hops }) => hops.length > 0);
        return {
          slug,
          url,
          what,
          isCritical,
          kinds: kindsOf(url),
          outcomes: attempts.map(({ outcome }) => outcome),
          ...(last === undefined ? { title: "", begins: "" } : wordsOf(last)),
          expects: expectsOf(endpoint),
          proposal: proposals.get(url)?.lines ?? [],
        };
      }),
    ),
    unreached: catalogue.services
      .filter((service) => !isReached(service, kindsOf))
      .map(({ slug }) => slug),
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
