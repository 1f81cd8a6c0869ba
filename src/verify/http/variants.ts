import { brotliDecompressSync, gunzipSync } from "node:zlib";
import {
  type Client,
  describeExchange,
  type Exchange,
  hasStatus,
  headerOf,
  type ReceivedAnswer,
} from "./client.ts";
import { findCorsProblems } from "./headers.ts";
import { LIST_PATH } from "../api/addresses.ts";
import { parseObject } from "../api/json-document.ts";
import type { CheckId } from "../checks.ts";
import { about, type CheckFinding, skip, toFinding, unless } from "../finding.ts";

/*
 * The same document, asked for in other ways. A publish may come between two requests, so whatever differs is tried twice.
 */

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

/** Compares HEAD with GET of the same target. */
export function checkHead(client: Client, id: CheckId, target: string): Promise<CheckFinding> {
  return tryTwice(async () => {
    const head = client.send({ method: "HEAD", target });
    return toFinding(id, findHeadProblems(await client.get(target), await head), `HEAD ${target}`);
  });
}

async function tryTwice(tryOnce: () => Promise<CheckFinding>): Promise<CheckFinding> {
  const first = await tryOnce();
  return first.result === "pass" ? first : tryOnce();
}

function findHeadProblems(got: Exchange, head: Exchange): readonly string[] {
  if (got.kind === "trouble") return [describeExchange(got)];
  if (head.kind === "trouble") return [describeExchange(head)];
  if (head.status !== got.status) return [`${describeExchange(head)}, GET is ${got.status}`];
  const length = headerOf(head, "content-length");
  return [
    ...unless(head.body.length === 0, `a body of ${head.body.length} bytes follows the headers`),
    ...REPEATED.flatMap((name) => {
      const [ofHead, ofGet] = [headerOf(head, name), headerOf(got, name)];
      const problem = `${name} is ${ofHead ?? "absent"} for HEAD, ${ofGet ?? "absent"} for GET`;
      return unless(ofHead === ofGet, problem);
    }),
    ...unless(
      length === undefined || Number(length) === got.body.length,
      `content-length is ${length}, the body of GET has ${got.body.length} bytes`,
    ),
  ];
}

/** The conditions of requests, by the header of the validator. */
const CONDITIONS = { ETag: "If-None-Match", "Last-Modified": "If-Modified-Since" };

/** Checks that an unchanged document is 304 with each validator that the server sends. */
export async function checkConditional(
  client: Client,
  id: CheckId,
  target: string,
): Promise<CheckFinding> {
  const first = await client.get(target);
  if (!hasStatus(first, 200)) return skip(id, describeExchange(first));
  const there = Object.entries(CONDITIONS).filter(([name]) =>
    first.headers.has(name.toLowerCase()),
  );
  if (there.length === 0) return toFinding(id, ["neither ETag nor Last-Modified"], "");
  const problems = await Promise.all(
    there.map(async (one) => {
      const found = await tryValidator(client, first, one);
      return found.length === 0 ? found : tryValidator(client, await client.get(target), one);
    }),
  );
  return toFinding(id, problems.flat(), `304 by ${there.map(([name]) => name).join(" and ")}`);
}

async function tryValidator(
  client: Client,
  answer: Exchange,
  [validator, condition]: readonly [validator: string, condition: string],
): Promise<readonly string[]> {
  if (!hasStatus(answer, 200)) return [describeExchange(answer)];
  const value = headerOf(answer, validator.toLowerCase());
  if (value === undefined) return [`no ${validator} in the second response`];
  const exchange = await client.get(answer.ask.target, { [condition]: value });
  return hasStatus(exchange, 304)
    ? about(`304 by ${condition}`, findCorsProblems(exchange))
    : [`${describeExchange(exchange)} with ${condition}, expected 304`];
}

const MAX_DECODED_BYTES = 16 * 1024 * 1024;

/** Checks that the list is the same with and without compression. */
export function checkEncoding(client: Client): Promise<CheckFinding> {
  return tryTwice(async () => {
    const plain = client.get(LIST_PATH, { "Accept-Encoding": "identity" });
    const packed = client.get(LIST_PATH, { "Accept-Encoding": "gzip, br" });
    return compare(await plain, await packed);
  });
}

function compare(plain: Exchange, packed: Exchange): CheckFinding {
  if (!hasStatus(plain, 200) || !hasStatus(packed, 200)) {
    const failed = [plain, packed].filter((exchange) => !hasStatus(exchange, 200));
    return toFinding("list.encoding", failed.map(describeExchange), "");
  }
  const [before, coding] = [codingOf(plain), codingOf(packed)];
  const decoded = decode(packed);
  const isNamed = /accept-encoding|\*/iu.test(headerOf(packed, "vary") ?? "");
  return toFinding(
    "list.encoding",
    [
      ...unless(
        before === "identity",
        `Content-Encoding is ${before} although only identity was accepted`,
      ),
      ...(typeof decoded === "string"
        ? [decoded]
        : unless(
            Buffer.compare(decoded, plain.body) === 0,
            "the decoded body differs from the body without compression",
          )),
    ],
    coding === "identity" ? "not compressed" : coding,
    unless(
      coding === "identity" || isNamed,
      "compressed without Vary: Accept-Encoding: a cache may send the wrong variant",
    ),
  );
}

function codingOf(answer: ReceivedAnswer): string {
  return headerOf(answer, "content-encoding")?.toLowerCase() ?? "identity";
}

/** The body decoded, or what is wrong with it. */
function decode(answer: ReceivedAnswer): Uint8Array | string {
  const coding = codingOf(answer);
  const limit = { maxOutputLength: MAX_DECODED_BYTES };
  try {
    switch (coding) {
      case "identity":
        return answer.body;
      case "gzip":
        return gunzipSync(answer.body, limit);
      case "br":
        return brotliDecompressSync(answer.body, limit);
      default:
        return `Content-Encoding ${coding} was not requested`;
    }
  } catch {
    return `the body is not valid ${coding}`;
  }
}

/** Checks that a query string, which the API does not define, is ignored. */
export async function checkQuery(client: Client): Promise<CheckFinding> {
  const target = `${LIST_PATH}?x=1&y=../..`;
  const exchange = await client.get(target);
  if (!hasStatus(exchange, 200))
    return toFinding("list.query", [`${describeExchange(exchange)}, expected 200`], "");
  const isList = "services" in (parseObject(exchange.body).data ?? {});
  return toFinding("list.query", unless(isList, `${target} is not the list`), target);
}
