import type { Client } from "./client.ts";
import {
  type ReceivedAnswer,
  describeAsk,
  describeExchange,
  type Exchange,
  findStatusProblems,
  headerOf,
  ORIGIN,
} from "./http-exchange.ts";
import { type CheckFinding, toFinding } from "../finding.ts";
import { findCorsProblems, checkHeaders } from "./headers.ts";
import type { CheckId } from "../api/checks.ts";
import { detailPath, LIST_PATH } from "../api/specification.ts";

/**
 * Checks that other methods are refused. PUT and DELETE name a service that does not exist, so that a deployment that is writable
 * by mistake is not damaged.
 */
export async function checkRefusals(
  client: Client,
  unknown: string,
): Promise<readonly CheckFinding[]> {
  const target = detailPath(unknown);
  const exchanges = await Promise.all([
    client.send({ method: "POST", target: LIST_PATH }),
    client.send({ method: "POST", target: LIST_PATH, headers: ORIGIN }),
    client.send({ method: "PUT", target }),
    client.send({ method: "DELETE", target, headers: ORIGIN }),
  ]);
  return [
    toFinding(
      "methods.refused",
      findStatusProblems(exchanges, [405]),
      "POST, PUT, DELETE: HTTP 405",
    ),
    ...checkHeaders("refused", exchanges),
  ];
}

/** With or without a body. Browsers accept any 2xx for a preflight. Source: Fetch Standard, "CORS-preflight fetch". */
const OPTIONS_STATUSES = [200, 204];

/** Checks OPTIONS, both as a preflight of a browser and without its headers. */
export async function checkOptionsMethod(client: Client): Promise<CheckFinding> {
  const exchanges = await Promise.all([
    client.send({ method: "OPTIONS", target: LIST_PATH }),
    client.send({
      method: "OPTIONS",
      target: LIST_PATH,
      headers: { ...ORIGIN, "Access-Control-Request-Method": "GET" },
    }),
  ]);
  return toFinding(
    "methods.options",
    [
      ...findStatusProblems(exchanges, OPTIONS_STATUSES),
      ...exchanges.flatMap((exchange) =>
        exchange.kind === "answer" && OPTIONS_STATUSES.includes(exchange.status)
          ? findCorsProblems(exchange).map((line) => `${describeAsk(exchange.ask)}: ${line}`)
          : [],
      ),
    ],
    "200 or 204, readable by any origin",
  );
}

/**
 * Headers that HEAD must repeat. A server may omit headers that it determines only while it generates the body, such as its length.
 * Source: RFC 9110, section 9.3.2.
 */
const REPEATED = [
  "access-control-allow-origin",
  "cache-control",
  "content-type",
  "x-content-type-options",
  "content-security-policy",
  "etag",
  "last-modified",
] as const;

/** Compares HEAD with GET of the same target. A publish in between may change the ETag, so there are two attempts. */
export async function checkHead(
  client: Client,
  id: CheckId,
  target: string,
): Promise<CheckFinding> {
  const tryOnce = async (): Promise<readonly string[]> => {
    const [got, head] = await Promise.all([
      client.send({ method: "GET", target }),
      client.send({ method: "HEAD", target }),
    ]);
    return findHeadProblems(got, head);
  };
  const first = await tryOnce();
  return toFinding(id, first.length === 0 ? first : await tryOnce(), `HEAD ${target}`);
}

function findHeadProblems(got: Exchange, head: Exchange): readonly string[] {
  if (got.kind === "trouble") return [describeExchange(got)];
  if (head.kind === "trouble") return [describeExchange(head)];
  if (head.status !== got.status) return [`${describeExchange(head)}, GET is ${got.status}`];
  const length = headerOf(head, "content-length");
  return [
    ...(head.body.length === 0 ? [] : [`a body of ${head.body.length} bytes follows the headers`]),
    ...REPEATED.filter((name) => headerOf(head, name) !== headerOf(got, name)).map(
      (name) => `${name} is ${shown(head, name)} for HEAD, ${shown(got, name)} for GET`,
    ),
    ...(length === undefined || Number(length) === got.body.length
      ? []
      : [`content-length is ${length}, the body of GET has ${got.body.length} bytes`]),
  ];
}

function shown(answer: ReceivedAnswer, name: string): string {
  return headerOf(answer, name) ?? "absent";
}
