import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { codeOrMessageOf } from "../model/errors.ts";

const TIMEOUT_MS = 10_000;

/**
 * Reports a good run to a dead man's switch: one GET, any 2xx is success. Follows no redirect, because a login page would look like
 * success; ignores proxies in the environment, as the probes do; reads none of the body. Ends within `timeoutMs` and never rejects.
 * Source: docs/operations.md, "Heartbeat".
 *
 * @returns why it failed, as a sentence that names the server but not the path, which is a secret; undefined: it was sent. A failure is a
 * warning and does not change the exit code, because the run succeeded.
 */
export async function sendHeartbeat(url: string, timeoutMs = TIMEOUT_MS) {
  const why = await ask(url, (statusCode) => statusCode >= 200 && statusCode <= 299, timeoutMs);
  const origin = URL.canParse(url) ? new URL(url).origin : "its address";
  return why && `The heartbeat to ${origin} failed: ${why}`;
}

/** Why the host of a heartbeat does not answer at all; undefined: it does. The request is not a heartbeat. Never rejects. */
export async function reachHeartbeat(url: string): Promise<string | undefined> {
  const { origin } = new URL(url);
  const why = await ask(origin, () => true, TIMEOUT_MS);
  return why && `${origin} was not reached: ${why}`;
}

async function ask(url: string, isGood: (statusCode: number) => boolean, timeoutMs: number) {
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
    if (isGood(statusCode)) return undefined;
    return `it answered ${statusCode}${adviceFor(statusCode)}`;
  } catch (error) {
    if (timeout.aborted) return `no answer within ${timeoutMs / 1_000} s.`;
    return `${codeOrMessageOf(error)}.`;
  }
}

function adviceFor(statusCode: number): string {
  if (statusCode >= 300 && statusCode <= 399)
    return ", and redirects are not followed. Give heartbeatUrl the final address.";
  return statusCode >= 400 && statusCode <= 499
    ? ". Compare heartbeatUrl with what the monitoring service shows."
    : ".";
}
