import { Agent, request } from "undici";
import type { Parsed } from "./settings.ts";

/** What became of a heartbeat. A failed one is worth a warning, never an exit code: the run itself was good. */
export type HeartbeatResult =
  | { readonly kind: "sent" }
  /** A sentence for the log. It names the server but not the path, which is as good as a password. */
  | { readonly kind: "failed"; readonly message: string };

const TIMEOUT_MS = 10_000;

/** An address that heartbeats can go to, or what is wrong with it. It is not repeated: it may be a secret. */
export function parseHeartbeatUrl(text: string): Parsed<string> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/u.test(url.protocol)) {
    return {
      problem: "--heartbeat-url: give a complete address that begins with https:// or http://.",
    };
  }
  if (url.username !== "" || url.password !== "") {
    return {
      problem: "--heartbeat-url: user and password in the address are not sent. Leave them out.",
    };
  }
  return { value: url.href };
}

/**
 * Tells a dead man's switch that a run went well: one GET, any 2xx is success. Follows no redirect, for a login page would
 * otherwise look like success; ignores proxies in the environment, as the probes do; reads none of the body. Ends within
 * `timeoutMs` (10 s) and never rejects. Source: docs/operating.md, "Heartbeat".
 */
export async function sendHeartbeat(url: string, timeoutMs = TIMEOUT_MS): Promise<HeartbeatResult> {
  const parsed = parseHeartbeatUrl(url);
  if ("problem" in parsed) return { kind: "failed", message: parsed.problem };
  const { origin } = new URL(parsed.value);
  const agent = new Agent();
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const { statusCode, body } = await request(parsed.value, {
      dispatcher: agent,
      signal: timeout,
      headers: { "user-agent": "status-snapshot" },
    });
    // Destroying the connection below is an error of the body, which nobody waits for.
    body.on("error", () => undefined);
    if (statusCode >= 200 && statusCode <= 299) return { kind: "sent" };
    return failed(origin, `it answered ${statusCode}${adviceFor(statusCode)}`);
  } catch (error) {
    return failed(
      origin,
      timeout.aborted ? `no answer within ${timeoutMs / 1_000} s.` : `${describe(error)}.`,
    );
  } finally {
    await agent.destroy();
  }
}

function failed(origin: string, why: string): HeartbeatResult {
  return { kind: "failed", message: `The heartbeat to ${origin} failed: ${why}` };
}

function adviceFor(statusCode: number): string {
  if (statusCode >= 300 && statusCode <= 399)
    return ", and redirects are not followed. Give --heartbeat-url the final address.";
  return statusCode >= 400 && statusCode <= 499
    ? ". Compare --heartbeat-url with what the monitoring service shows."
    : ".";
}

/** The code of a system call or of TLS says more than undici's sentence; an AggregateError has no sentence at all. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}
