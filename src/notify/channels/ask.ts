import { DAY_MS, SECOND_MS } from "../../model/time.ts";
import { textOf } from "../../probe/answer/answer-text.ts";
import type { HttpRequest } from "../../probe/network/http.ts";
import { SERVICE_LIMITS } from "../../probe/limits.ts";
import type { ProbeDependencies } from "../../probe/probe.ts";
import { onlyHop, openStream, sendRequest } from "../../probe/network/single-request.ts";
import type { SendResult } from "../rules/change.ts";

/** A receiver only has to take a message, not to act on it. */
export const TOTAL_MS: number = 10 * SECOND_MS;

/** A wish to wait longer is not followed. */
const MAX_WAIT_MS = DAY_MS;

/** Of an answer of which only the status counts. */
export const GLANCED_BYTES = 1_024;

export interface AskDependencies {
  /** With the guards of URLs and addresses that strangers may name. */
  readonly probe: ProbeDependencies;
  readonly signal: AbortSignal;
}

export type ReceiverAnswer =
  | {
      readonly kind: "answer";
      readonly status: number;
      /** Its start, as far as the limit goes. */
      readonly body: Buffer;
      readonly retryAfterMs?: number | undefined;
    }
  | { readonly kind: "failed"; readonly reason: string };

/** One request through the guards of a probe, of its URL and each address. Follows no redirect, ends within 10 seconds, never rejects. */
export async function askReceiver(
  url: URL,
  request: HttpRequest,
  bodyBytes: number,
  { probe, signal }: AskDependencies,
): Promise<ReceiverAnswer> {
  if (probe.refusalOfUrl?.(url) !== undefined) return { kind: "failed", reason: "url-refused" };
  const limits = { ...SERVICE_LIMITS, totalMs: TOTAL_MS, firstByteMs: TOTAL_MS, bodyBytes };
  const answer = await sendRequest(onlyHop(url, { ...probe, limits }, signal), request);
  if (answer.kind === "skipped") return { kind: "failed", reason: answer.reason };
  if (answer.kind === "failed") return { kind: "failed", reason: answer.code };
  const text = textOf(answer);
  return {
    kind: "answer",
    status: answer.status,
    body: text === "broken" ? Buffer.alloc(0) : text,
    retryAfterMs: waitIn(answer.headers["retry-after"]),
  };
}

/** The status of an answer, without its body. */
export type Glance =
  | Omit<Extract<ReceiverAnswer, { kind: "answer" }>, "body">
  | Extract<ReceiverAnswer, { kind: "failed" }>;

/**
 * What the answer of a receiver to a message means. A redirect is a failure, because a message has one receiver.
 *
 * @param goneStatuses after which nothing may be sent any more.
 */
export function resultOf(answer: Glance, goneStatuses: readonly number[]): SendResult {
  if (answer.kind === "failed") return answer;
  const { status, retryAfterMs } = answer;
  if (status >= 200 && status < 300) return { kind: "delivered" };
  if (goneStatuses.includes(status)) return { kind: "gone" };
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
  return { kind: "failed", reason: `status ${status}`, ...wait };
}

/** What keeps a connection to a URL from being made, guards included; undefined: it was made, and nothing was sent. Never rejects. */
export async function faultInWay(
  url: URL,
  { probe, signal }: AskDependencies,
): Promise<string | undefined> {
  const refusal = probe.refusalOfUrl?.(url);
  if (refusal !== undefined) return refusal;
  const limits = { ...probe.limits, totalMs: TOTAL_MS };
  const way = await openStream(onlyHop(url, { ...probe, limits }, signal));
  if ("kind" in way) return way.kind === "skipped" ? way.reason : way.code;
  way.stream.destroy();
  way.raw.destroy();
  return undefined;
}

/** A wish of a receiver, within bounds. */
export function boundWait(seconds: number): number {
  return Math.min(MAX_WAIT_MS, seconds * SECOND_MS);
}

/** `Retry-After` in seconds (RFC 9110), as milliseconds; undefined: there is none, or a date, which would depend on the receiver's clock. */
export function waitIn(header: string | readonly string[] | undefined): number | undefined {
  const text = String(header ?? "");
  return /^\d{1,9}$/u.test(text) ? boundWait(Number(text)) : undefined;
}
