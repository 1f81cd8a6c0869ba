import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { S3Client } from "@aws-sdk/client-s3";
import { NodeHttpHandler } from "@smithy/node-http-handler";
import { SECOND_MS } from "../model/time.ts";
import type { TimedResponse } from "./store-clock.ts";
import type { S3Location } from "./location.ts";

/** How long one operation on a store may take. */
export const DEFAULT_LIMITS = {
  /** Until a connection is established. */
  connectMs: 3_000,
  /** Until the response to one request begins. */
  requestMs: 8_000,
  /** No retry begins after this, so an operation ends at the latest after this and one request. */
  patienceMs: 12_000,
};

export type S3Limits = Readonly<typeof DEFAULT_LIMITS>;

/** A free connection lives no longer: routers forget it without a word, and the next request then waits in vain. */
const FREE_MS = 15 * SECOND_MS;

/**
 * A client that accesses neither network nor files before its first request, and what closes the connections that no request uses.
 *
 * @param onResponse called with each response that has a `Date` header.
 */
export function createS3Client(
  location: S3Location,
  limits: S3Limits,
  onResponse: (response: TimedResponse) => void,
): { readonly client: S3Client; readonly closeFree: () => void } {
  const options = { keepAlive: true, timeout: FREE_MS };
  const [httpAgent, httpsAgent] = [new HttpAgent(options), new HttpsAgent(options)];
  const client = new S3Client({
    ...regionOf(location),
    ...(location.endpoint === undefined ? {} : { endpoint: location.endpoint }),
    forcePathStyle: location.isPathStyle,
    // Some stores refuse checksums that they did not ask for.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    // The SDK would retry a conditional write, and lose against its own first request.
    maxAttempts: 1,
    // The SDK would silently sign with the store's time, but a clock that is so wrong would be published as `updated`.
    disableClockSkewCorrection: true,
    requestHandler: new NodeHttpHandler({
      connectionTimeout: limits.connectMs,
      requestTimeout: limits.requestMs,
      // Without this a request timeout is only logged.
      throwOnRequestTimeout: true,
      httpAgent,
      httpsAgent,
    }),
  });
  client.middlewareStack.add(
    (next) => async (args) => {
      const sentMs = Date.now();
      const result = await next(args);
      const storeMs = dateOf(result.response);
      if (!Number.isNaN(storeMs)) onResponse({ sentMs, receivedMs: Date.now(), storeMs });
      return result;
    },
    // The last step before the response is parsed; error responses pass it as well.
    { step: "deserialize", priority: "low", name: "readClock" },
  );
  const closeFree = (): void => {
    for (const { freeSockets } of [httpAgent, httpsAgent])
      for (const sockets of Object.values(freeSockets))
        for (const socket of sockets ?? []) socket.destroy();
  };
  return { client, closeFree };
}

/** The `Date` header in milliseconds; NaN without one. The SDK types the response of its handler as unknown. */
function dateOf(response: unknown): number {
  const headers: unknown = Object(response).headers;
  return Date.parse(String(Object(headers).date));
}

/** Stores other than AWS accept any region, but the SDK needs one; for AWS itself the SDK's own settings decide. */
function regionOf({ region, endpoint }: S3Location): { region?: string } {
  if (region !== undefined) return { region };
  return endpoint === undefined ? {} : { region: "us-east-1" };
}
