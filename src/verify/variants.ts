import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { Client } from "./client.ts";
import { type Answer, describeExchange, type Exchange, hasStatus, headerOf } from "./exchange.ts";
import { type Finding, judge } from "./finding.ts";
import { parseObject } from "./parse.ts";
import { LIST_PATH } from "./specification.ts";

const MAX_DECODED_BYTES = 16 * 1024 * 1024;

/** Judges that the list is the same whatever compression is asked for; a publish may fall in between, so there are two tries. */
export async function judgeEncoding(client: Client): Promise<Finding> {
  const tryOnce = async (): Promise<Comparison> => {
    const [plain, packed] = await Promise.all(
      ["identity", "gzip, br"].map((accepted) =>
        client.send({
          method: "GET",
          target: LIST_PATH,
          headers: { "Accept-Encoding": accepted },
        }),
      ),
    );
    return compare(plain, packed);
  };
  const first = await tryOnce();
  const { problems, seen, warnings } = first.problems.length === 0 ? first : await tryOnce();
  return judge("list.encoding", problems, seen, warnings);
}

interface Comparison {
  readonly problems: readonly string[];
  readonly seen: string;
  readonly warnings: readonly string[];
}

function compare(plain: Exchange | undefined, packed: Exchange | undefined): Comparison {
  const failed = [plain, packed].filter((exchange) => !hasStatus(exchange, 200));
  if (!hasStatus(plain, 200) || !hasStatus(packed, 200)) {
    const lines = failed.flatMap((one) => (one === undefined ? [] : [describeExchange(one)]));
    return { problems: lines, seen: "", warnings: [] };
  }
  const coding = codingOf(packed);
  const decoded = decode(packed);
  return {
    problems: [
      ...(codingOf(plain) === "identity"
        ? []
        : [`Content-Encoding is ${codingOf(plain)} although only identity is accepted`]),
      ...(typeof decoded === "string" ? [decoded] : findDifference(decoded, plain.body)),
    ],
    seen: coding === "identity" ? "not compressed" : coding,
    warnings:
      coding !== "identity" && !/accept-encoding|\*/iu.test(headerOf(packed, "vary") ?? "")
        ? ["compressed without Vary: Accept-Encoding: a cache may mix the variants up"]
        : [],
  };
}

function codingOf(answer: Answer): string {
  return headerOf(answer, "content-encoding")?.toLowerCase() ?? "identity";
}

function findDifference(decoded: Uint8Array, plain: Uint8Array): readonly string[] {
  return Buffer.compare(decoded, plain) === 0
    ? []
    : ["what is decoded differs from what is sent without compression"];
}

/** The body decoded, or what is wrong with it. */
function decode(answer: Answer): Uint8Array | string {
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
        return `Content-Encoding ${coding} was not asked for`;
    }
  } catch {
    return `the body is no ${coding}`;
  }
}

/** Judges that a query string, which the interface does not define, is ignored. */
export async function judgeQuery(client: Client): Promise<Finding> {
  const target = `${LIST_PATH}?x=1&y=../..`;
  const exchange = await client.send({ method: "GET", target });
  if (!hasStatus(exchange, 200)) {
    return judge("list.query", [`${describeExchange(exchange)}, expected 200`], "");
  }
  const document = parseObject(exchange.body);
  const isList = document.kind === "object" && "services" in document.value;
  return judge("list.query", isList ? [] : [`${target} is not the list`], target);
}
