import type { Client } from "../http/client.ts";
import {
  describeAsk,
  type Exchange,
  findStatusProblems,
  hasStatus,
  ORIGIN,
} from "../http/http-exchange.ts";
import { type CheckFinding, toFinding, skip } from "../finding.ts";
import { checkHeaders } from "../http/headers.ts";
import { BADGE_NAMES, badgePath, detailPath } from "./specification.ts";

/** Error pages of stores and fronts are usually larger. */
const SMALL_BYTES = 1_024;

/** Requests a service that does not exist, without and with `Origin`. */
export function readMissing(client: Client, unknown: string): Promise<readonly Exchange[]> {
  const target = detailPath(unknown);
  return Promise.all([
    client.send({ method: "GET", target }),
    client.send({ method: "GET", target, headers: ORIGIN }),
  ]);
}

/** Checks these responses, and requests and checks the badges of a monitor that does not exist. */
export async function checkMissing(
  client: Client,
  exchanges: readonly Exchange[],
  unknown: string,
): Promise<readonly CheckFinding[]> {
  const badges = await Promise.all(
    BADGE_NAMES.map((name) => client.send({ method: "GET", target: badgePath(unknown, name) })),
  );
  return [
    toFinding("missing.status", findStatusProblems(exchanges, [404]), "HTTP 404"),
    checkMissingBody([...exchanges, ...badges]),
    ...checkHeaders("missing", [...exchanges, ...badges]),
    toFinding("missing.badge", findStatusProblems(badges, [404]), "HTTP 404"),
  ];
}

function checkMissingBody(exchanges: readonly Exchange[]): CheckFinding {
  const answers = exchanges.filter((exchange) => hasStatus(exchange, 404));
  const [first] = answers;
  if (first === undefined) return skip("missing.body", "no response was HTTP 404");
  const problems = answers.flatMap(({ ask, body }) => {
    if (body.length > SMALL_BYTES) return [`${describeAsk(ask)}: ${body.length} bytes`];
    return isJson(body) ? [] : [`${describeAsk(ask)}: not JSON`];
  });
  return toFinding("missing.body", problems, `${first.body.length} bytes of JSON`);
}

function isJson(body: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    return true;
  } catch {
    return false;
  }
}
