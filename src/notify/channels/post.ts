import type { HttpRequest } from "../../probe/http.ts";
import { SERVICE_LIMITS } from "../../probe/limits.ts";
import type { ProbeDependencies } from "../../probe/probe.ts";
import { sendRequest, startNotes } from "../../probe/single-request.ts";
import { DAY_MS, SECOND_MS } from "../../model/time.ts";
import type { SendResult } from "../rules/change.ts";

/** A receiver only has to take the message, not to act on it. */
const TOTAL_MS = 10 * SECOND_MS;

/** The answer itself is of no interest. */
const ANSWER_BYTES = 1_024;

/** A wish to wait longer is not followed. */
const LONGEST_WAIT_MS = DAY_MS;

/** How to send, and what an answer means. */
export interface PostDependencies {
  readonly probe: ProbeDependencies;
  readonly signal: AbortSignal;
  /** Statuses after which nothing may be sent any more. */
  readonly goneStatuses: readonly number[];
}

/**
 * Sends one request to a receiver that a stranger has named, through the guards of a probe: its URL, and each address before a
 * connection to it. A redirect is a failure, because a message has one receiver. Never rejects.
 */
export async function post(
  url: string,
  request: HttpRequest,
  { probe, signal, goneStatuses }: PostDependencies,
): Promise<SendResult> {
  const target = new URL(url);
  if (probe.refusalOfUrl?.(target) !== undefined) return failed("url-refused");
  const limits = {
    ...SERVICE_LIMITS,
    totalMs: TOTAL_MS,
    firstByteMs: TOTAL_MS,
    bodyBytes: ANSWER_BYTES,
  };
  const budget = { attempt: 0, deadlineMs: performance.now() + TOTAL_MS, signal };
  const deps = { ...probe, limits };
  const answer = await sendRequest(target, "public", deps, budget, startNotes(), request);
  if (answer.kind === "skipped") return failed(answer.reason);
  if (answer.kind === "failed") return failed(answer.code);
  if (answer.status >= 200 && answer.status < 300) return { kind: "delivered" };
  if (goneStatuses.includes(answer.status)) return { kind: "gone" };
  const retryAfterMs = waitIn(answer.headers["retry-after"]);
  return {
    kind: "failed",
    reason: `status ${answer.status}`,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

function failed(reason: string): SendResult {
  return { kind: "failed", reason };
}

/** `Retry-After` in seconds (RFC 9110); a date would depend on the receiver's clock. */
function waitIn(header: string | string[] | undefined): number | undefined {
  const text = String(header ?? "");
  return /^\d{1,9}$/u.test(text) ? Math.min(LONGEST_WAIT_MS, Number(text) * SECOND_MS) : undefined;
}
