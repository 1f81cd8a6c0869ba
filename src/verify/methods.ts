import type { Client } from "./client.ts";
import {
  type Answer,
  describeAsk,
  describeExchange,
  type Exchange,
  findStatusProblems,
  headerOf,
  ORIGIN,
} from "./exchange.ts";
import { type Finding, judge } from "./finding.ts";
import { findCorsProblems, judgeHeaders } from "./headers.ts";
import type { PointId } from "./points.ts";
import { detailPath, LIST_PATH } from "./specification.ts";

/**
 * Judges what is refused. A deployment that is open to writing must survive the check, so PUT and DELETE name a service that
 * does not exist.
 */
export async function judgeRefusals(client: Client, unknown: string): Promise<readonly Finding[]> {
  const target = detailPath(unknown);
  const exchanges = await Promise.all([
    client.send({ method: "POST", target: LIST_PATH }),
    client.send({ method: "POST", target: LIST_PATH, headers: ORIGIN }),
    client.send({ method: "PUT", target }),
    client.send({ method: "DELETE", target, headers: ORIGIN }),
  ]);
  return [
    judge("methods.refused", findStatusProblems(exchanges, [405]), "POST, PUT, DELETE: HTTP 405"),
    ...judgeHeaders("refused", exchanges),
  ];
}

/** With or without a body; browsers want any 2xx of a preflight. Source: Fetch Standard, "CORS-preflight fetch". */
const OPTIONS_STATUSES = [200, 204];

/** Judges OPTIONS, as a browser asks before an unusual request and as anybody else does. */
export async function judgeOptions(client: Client): Promise<Finding> {
  const exchanges = await Promise.all([
    client.send({ method: "OPTIONS", target: LIST_PATH }),
    client.send({
      method: "OPTIONS",
      target: LIST_PATH,
      headers: { ...ORIGIN, "Access-Control-Request-Method": "GET" },
    }),
  ]);
  return judge(
    "methods.options",
    [
      ...findStatusProblems(exchanges, OPTIONS_STATUSES),
      ...exchanges.flatMap((exchange) =>
        exchange.kind === "answer" && OPTIONS_STATUSES.includes(exchange.status)
          ? findCorsProblems(exchange).map((line) => `${describeAsk(exchange.ask)}: ${line}`)
          : [],
      ),
    ],
    "answered, readable by any origin",
  );
}

/** Those that a HEAD repeats. What a server computes for a body alone (its length) it may leave out (RFC 9110, section 9.3.2). */
const REPEATED = [
  "access-control-allow-origin",
  "cache-control",
  "content-type",
  "x-content-type-options",
  "content-security-policy",
  "etag",
  "last-modified",
] as const;

/** Judges HEAD against a GET of the same target; a publish in between may change the ETag, so there are two tries. */
export async function judgeHead(client: Client, id: PointId, target: string): Promise<Finding> {
  const tryOnce = async (): Promise<readonly string[]> => {
    const [got, head] = await Promise.all([
      client.send({ method: "GET", target }),
      client.send({ method: "HEAD", target }),
    ]);
    return findHeadProblems(got, head);
  };
  const first = await tryOnce();
  return judge(id, first.length === 0 ? first : await tryOnce(), `HEAD ${target}`);
}

function findHeadProblems(got: Exchange, head: Exchange): readonly string[] {
  if (got.kind === "trouble") return [describeExchange(got)];
  if (head.kind === "trouble") return [describeExchange(head)];
  if (head.status !== got.status) return [`${describeExchange(head)}, GET is ${got.status}`];
  const length = headerOf(head, "content-length");
  return [
    ...(head.body.length === 0 ? [] : [`a body of ${head.body.length} bytes follows`]),
    ...REPEATED.filter((name) => headerOf(head, name) !== headerOf(got, name)).map(
      (name) => `${name} is ${shown(head, name)} for HEAD, ${shown(got, name)} for GET`,
    ),
    ...(length === undefined || Number(length) === got.body.length
      ? []
      : [`content-length is ${length}, the body of GET has ${got.body.length} bytes`]),
  ];
}

function shown(answer: Answer, name: string): string {
  return headerOf(answer, name) ?? "absent";
}
