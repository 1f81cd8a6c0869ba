import type { Client } from "./client.ts";
import {
  type ReceivedAnswer,
  describeExchange,
  type Exchange,
  hasStatus,
  headerOf,
} from "./http-exchange.ts";
import { type CheckFinding, toFinding, skip } from "../finding.ts";
import { findCorsProblems } from "./headers.ts";
import type { CheckId } from "../api/checks.ts";

/** Checks that an unchanged document is 304 with each validator that the server sends. */
export async function checkConditional(
  client: Client,
  id: CheckId,
  target: string,
): Promise<CheckFinding> {
  const first = await client.send({ method: "GET", target });
  if (!hasStatus(first, 200)) return skip(id, describeExchange(first));
  const validators = conditionsOf(first);
  if (validators.length === 0) return toFinding(id, ["neither ETag nor Last-Modified"], "");
  const problems = await Promise.all(
    validators.map(async (name) => {
      const found = await tryValidator(client, first, name);
      if (found.length === 0) return found;
      // The document may have changed in between; a second change is unlikely.
      const again = await client.send({ method: "GET", target });
      return hasStatus(again, 200) ? tryValidator(client, again, name) : [describeExchange(again)];
    }),
  );
  return toFinding(id, problems.flat(), `304 by ${validators.join(" and ")}`);
}

type Validator = "ETag" | "Last-Modified";

const CONDITIONS: Readonly<Record<Validator, string>> = {
  ETag: "If-None-Match",
  "Last-Modified": "If-Modified-Since",
};

function conditionsOf(answer: ReceivedAnswer): readonly Validator[] {
  const validators: readonly Validator[] = ["ETag", "Last-Modified"];
  return validators.filter((name) => headerOf(answer, name.toLowerCase()) !== undefined);
}

async function tryValidator(
  client: Client,
  answer: ReceivedAnswer,
  validator: Validator,
): Promise<readonly string[]> {
  const value = headerOf(answer, validator.toLowerCase());
  if (value === undefined) return [`no ${validator} in the second response`];
  const exchange = await client.send({
    method: "GET",
    target: answer.ask.target,
    headers: { [CONDITIONS[validator]]: value },
  });
  return findProblems(exchange, CONDITIONS[validator]);
}

function findProblems(exchange: Exchange, condition: string): readonly string[] {
  if (!hasStatus(exchange, 304))
    return [`${describeExchange(exchange)} with ${condition}, expected 304`];
  return findCorsProblems(exchange).map((problem) => `304 by ${condition}: ${problem}`);
}
