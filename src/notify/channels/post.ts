import type { HttpRequest } from "../../probe/network/http.ts";
import type { SendResult } from "../rules/change.ts";
import { askReceiver, type AskDependencies } from "./ask.ts";

/** The answer itself is of no interest. */
const ANSWER_BYTES = 1_024;

/** How to send, and what an answer means. */
export interface PostDependencies extends AskDependencies {
  /** Statuses after which nothing may be sent any more. */
  readonly goneStatuses: readonly number[];
}

/**
 * Sends one request to a receiver that a stranger has named, through the guards of a probe. A redirect is a failure, because a message has
 * one receiver. Never rejects.
 */
export async function post(
  url: string,
  request: HttpRequest,
  { goneStatuses, ...deps }: PostDependencies,
): Promise<SendResult> {
  const answer = await askReceiver(new URL(url), request, ANSWER_BYTES, deps);
  if (answer.kind === "failed") return answer;
  const { status, retryAfterMs } = answer;
  if (status >= 200 && status < 300) return { kind: "delivered" };
  if (goneStatuses.includes(status)) return { kind: "gone" };
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
  return { kind: "failed", reason: `status ${status}`, ...wait };
}
