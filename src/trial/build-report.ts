import type { Catalogue, Endpoint } from "../model/service/catalogue.ts";
import type { AnswerKind, TrialReport, TrialRow } from "../model/service/trial.ts";
import type { Answers } from "./run-trial.ts";
import { isReached, sortAnswer, wordsOf } from "./sort-answers.ts";
import { changedServices, type Proposals } from "./write-overlay.ts";

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
