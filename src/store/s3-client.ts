import { env } from "node:process";
import { S3Client } from "@aws-sdk/client-s3";
import { NodeHttpHandler } from "@smithy/node-http-handler";
import type { TimedAnswer } from "./clock.ts";
import type { S3Location } from "./s3-url.ts";

/** How long one operation on a store may take. */
export interface S3Limits {
  /** Until a connection stands. */
  readonly connectMs: number;
  /** Until the answer to one request begins. */
  readonly requestMs: number;
  /** After this no further try begins, so an operation ends at the latest after this and one request. */
  readonly patienceMs: number;
}

export const DEFAULT_LIMITS: S3Limits = { connectMs: 3_000, requestMs: 8_000, patienceMs: 12_000 };

/**
 * A client of the SDK that asks once, within the limits. Reads neither network nor files before its first request.
 *
 * @param onAnswer called with each answer that tells the store's time.
 */
export function createClient(
  location: S3Location,
  limits: S3Limits,
  onAnswer: (answer: TimedAnswer) => void,
): S3Client {
  // It would write to standard error that next year's SDK wants a newer Node, in the midst of a log that programs read.
  env["AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED"] ??= "true";
  const client = new S3Client({
    ...regionOf(location),
    ...(location.endpoint === undefined ? {} : { endpoint: location.endpoint }),
    forcePathStyle: location.isPathStyle,
    // Checksums that were not asked for are refused by some stores.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    // Retries are ours: the SDK's would repeat a conditional write and then lose against its own first try.
    maxAttempts: 1,
    // The SDK would quietly sign with the store's time; but a clock that is so wrong would be published as `updated`.
    disableClockSkewCorrection: true,
    requestHandler: new NodeHttpHandler({
      connectionTimeout: limits.connectMs,
      requestTimeout: limits.requestMs,
      // Without this a request time-out is only warned about.
      throwOnRequestTimeout: true,
    }),
  });
  client.middlewareStack.add(
    (next) => async (args) => {
      const askedMs = Date.now();
      const result = await next(args);
      const storeMs = dateOf(result.response);
      if (!Number.isNaN(storeMs)) onAnswer({ askedMs, answeredMs: Date.now(), storeMs });
      return result;
    },
    // The last step before the answer is read; an answer that tells an error passes it as well.
    { step: "deserialize", priority: "low", name: "readClock" },
  );
  return client;
}

/** The header of an answer, in milliseconds; NaN where there is none. The SDK leaves open what its handler answers. */
function dateOf(answer: unknown): number {
  const headers: unknown = Object(answer).headers;
  return Date.parse(String(Object(headers).date));
}

/** Stores other than AWS take any region, but the SDK wants one; for AWS itself the SDK's own settings decide. */
function regionOf({ region, endpoint }: S3Location): { region?: string } {
  if (region !== undefined) return { region };
  return endpoint === undefined ? {} : { region: "us-east-1" };
}
