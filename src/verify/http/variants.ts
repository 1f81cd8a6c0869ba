import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { Client } from "./client.ts";
import {
  type ReceivedAnswer,
  describeExchange,
  type Exchange,
  hasStatus,
  headerOf,
} from "./http-exchange.ts";
import { type CheckFinding, toFinding } from "../finding.ts";
import { parseObject } from "../api/parse-json.ts";
import { LIST_PATH } from "../api/specification.ts";

const MAX_DECODED_BYTES = 16 * 1024 * 1024;

/** Checks that the list is the same with and without compression. A publish may come in between, so there are two attempts. */
export async function checkEncoding(client: Client): Promise<CheckFinding> {
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
  return toFinding("list.encoding", problems, seen, warnings);
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
        : [`Content-Encoding is ${codingOf(plain)} although only identity was accepted`]),
      ...(typeof decoded === "string" ? [decoded] : findDifference(decoded, plain.body)),
    ],
    seen: coding === "identity" ? "not compressed" : coding,
    warnings:
      coding !== "identity" && !/accept-encoding|\*/iu.test(headerOf(packed, "vary") ?? "")
        ? ["compressed without Vary: Accept-Encoding: a cache may send the wrong variant"]
        : [],
  };
}

function codingOf(answer: ReceivedAnswer): string {
  return headerOf(answer, "content-encoding")?.toLowerCase() ?? "identity";
}

function findDifference(decoded: Uint8Array, plain: Uint8Array): readonly string[] {
  return Buffer.compare(decoded, plain) === 0
    ? []
    : ["the decoded body differs from the body without compression"];
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
  const exchange = await client.send({ method: "GET", target });
  if (!hasStatus(exchange, 200)) {
    return toFinding("list.query", [`${describeExchange(exchange)}, expected 200`], "");
  }
  const document = parseObject(exchange.body);
  const isList = document.kind === "object" && "services" in document.value;
  return toFinding("list.query", isList ? [] : [`${target} is not the list`], target);
}
