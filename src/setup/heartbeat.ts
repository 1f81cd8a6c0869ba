import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { codeOrMessageOf } from "../model/errors.ts";

/** The result of a heartbeat. A failed one is a warning and does not change the exit code, because the run succeeded. */
export type HeartbeatResult =
  | { readonly kind: "sent" }
  /** A sentence for the log. Names the server but not the path, which is a secret. */
  | { readonly kind: "failed"; readonly message: string };

const TIMEOUT_MS = 10_000;

/**
 * Reports a good run to a dead man's switch: one GET, any 2xx is success. Follows no redirect, because a login page would look like
 * success; ignores proxies in the environment, as the probes do; reads none of the body. Ends within
 * `timeoutMs` and never rejects. Source: docs/operations.md, "Heartbeat".
 */
export async function sendHeartbeat(url: string, timeoutMs = TIMEOUT_MS): Promise<HeartbeatResult> {
  return ask(url, isSuccess, timeoutMs);
}

/** Whether the host of a heartbeat answers at all; the request is not a heartbeat. */
export function reachHeartbeat(url: string): Promise<HeartbeatResult> {
  return ask(new URL(url).origin, () => true, TIMEOUT_MS);
}

function isSuccess(statusCode: number): boolean {
  return statusCode >= 200 && statusCode <= 299;
}

async function ask(
  url: string,
  isGood: (statusCode: number) => boolean,
  timeoutMs: number,
): Promise<HeartbeatResult> {
  const origin = URL.canParse(url) ? new URL(url).origin : "its address";
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const { request } = await (url.startsWith("http:")
      ? import("node:http")
      : import("node:https"));
    const headers = { "user-agent": "status-snapshot" };
    const sent = request(url, { agent: false, signal: timeout, headers }).end();
    const [{ statusCode = 0 }] = (await once(sent, "response")) as [IncomingMessage];
    // Destroying it may be an error of the request, which has its answer.
    sent.on("error", () => undefined).destroy();
    if (isGood(statusCode)) return { kind: "sent" };
    return failed(origin, `it answered ${statusCode}${adviceFor(statusCode)}`);
  } catch (error) {
    return failed(
      origin,
      timeout.aborted ? `no answer within ${timeoutMs / 1_000} s.` : `${codeOrMessageOf(error)}.`,
    );
  }
}

function failed(origin: string, why: string): HeartbeatResult {
  return { kind: "failed", message: `The heartbeat to ${origin} failed: ${why}` };
}

function adviceFor(statusCode: number): string {
  if (statusCode >= 300 && statusCode <= 399)
    return ", and redirects are not followed. Give heartbeatUrl the final address.";
  return statusCode >= 400 && statusCode <= 499
    ? ". Compare heartbeatUrl with what the monitoring service shows."
    : ".";
}
