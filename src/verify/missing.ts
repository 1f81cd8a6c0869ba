import type { Client } from "./client.ts";
import { describeAsk, type Exchange, findStatusProblems, hasStatus, ORIGIN } from "./exchange.ts";
import { type Finding, judge, skip } from "./finding.ts";
import { judgeHeaders } from "./headers.ts";
import { BADGE_NAMES, badgePath, detailPath } from "./specification.ts";

/** A page of the store or of the front, rather than an answer of the API, is larger. */
const SMALL_BYTES = 1_024;

/** Answers to a service that does not exist. */
export function readMissing(client: Client, unknown: string): Promise<readonly Exchange[]> {
  const target = detailPath(unknown);
  return Promise.all([
    client.send({ method: "GET", target }),
    client.send({ method: "GET", target, headers: ORIGIN }),
  ]);
}

/** Judges them, and asks for the badges of a monitor that does not exist. */
export async function judgeMissing(
  client: Client,
  exchanges: readonly Exchange[],
  unknown: string,
): Promise<readonly Finding[]> {
  const badges = await Promise.all(
    BADGE_NAMES.map((name) => client.send({ method: "GET", target: badgePath(unknown, name) })),
  );
  return [
    judge("missing.status", findStatusProblems(exchanges, [404]), "HTTP 404"),
    judgeBody([...exchanges, ...badges]),
    ...judgeHeaders("missing", [...exchanges, ...badges]),
    judge("missing.badge", findStatusProblems(badges, [404]), "HTTP 404"),
  ];
}

function judgeBody(exchanges: readonly Exchange[]): Finding {
  const answers = exchanges.filter((exchange) => hasStatus(exchange, 404));
  const [first] = answers;
  if (first === undefined) return skip("missing.body", "no answer was HTTP 404");
  const problems = answers.flatMap(({ ask, body }) => {
    if (body.length > SMALL_BYTES) return [`${describeAsk(ask)}: ${body.length} bytes`];
    return isJson(body) ? [] : [`${describeAsk(ask)}: no JSON`];
  });
  return judge("missing.body", problems, `${first.body.length} bytes of JSON`);
}

function isJson(body: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    return true;
  } catch {
    return false;
  }
}
