import type { Client } from "./client.ts";
import { type Answer, describeExchange, type Exchange, hasStatus, headerOf } from "./exchange.ts";
import { type Finding, judge, skip } from "./finding.ts";
import { findCorsProblems } from "./headers.ts";
import type { PointId } from "./points.ts";

/** Judges that what has not changed is 304 by each validator that the server gives. */
export async function judgeConditional(
  client: Client,
  id: PointId,
  target: string,
): Promise<Finding> {
  const first = await client.send({ method: "GET", target });
  if (!hasStatus(first, 200)) return skip(id, describeExchange(first));
  const validators = conditionsOf(first);
  if (validators.length === 0) return judge(id, ["neither ETag nor Last-Modified"], "");
  const problems = await Promise.all(
    validators.map(async (name) => {
      const found = await tryValidator(client, first, name);
      if (found.length === 0) return found;
      // It may have changed in between; not twice.
      const again = await client.send({ method: "GET", target });
      return hasStatus(again, 200) ? tryValidator(client, again, name) : [describeExchange(again)];
    }),
  );
  return judge(id, problems.flat(), `304 by ${validators.join(" and ")}`);
}

type Validator = "ETag" | "Last-Modified";

const CONDITIONS: Readonly<Record<Validator, string>> = {
  ETag: "If-None-Match",
  "Last-Modified": "If-Modified-Since",
};

function conditionsOf(answer: Answer): readonly Validator[] {
  const validators: readonly Validator[] = ["ETag", "Last-Modified"];
  return validators.filter((name) => headerOf(answer, name.toLowerCase()) !== undefined);
}

async function tryValidator(
  client: Client,
  answer: Answer,
  validator: Validator,
): Promise<readonly string[]> {
  const value = headerOf(answer, validator.toLowerCase());
  if (value === undefined) return [`no ${validator} any more`];
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
