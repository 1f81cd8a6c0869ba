import type { Hono } from "hono";
import type { RequestEnv } from "../http-server/admit-sender.ts";
import {
  answerUnread,
  type ApiResponse,
  type Asked,
  createJsonApi,
  describeProblem,
  sha256Of,
  type JsonApi,
  newKey,
  type ProblemDetails,
} from "../http-server/json-api.ts";
import type { RateLimiter } from "../http-server/rate-limit.ts";
import { KEY_SOURCE } from "../model/ids.ts";
import { type VisitorProblem, VISITOR_PROBLEMS } from "../model/monitor/problems.ts";
import { VISITOR_KEPT_MS } from "../model/monitor/visitor.ts";
import { SECOND_MS, toUnixSeconds } from "../model/time.ts";
import type { VisitorEdit, VisitorEditResult } from "./apply-edit.ts";
import { readServices, readSubscription, type VisitorRules } from "./read-request.ts";

/** A store that does not answer is asked again after so long. */
const RETRY_AFTER_MS = 30 * SECOND_MS;

export interface VisitorApiDependencies extends Omit<
  JsonApi<VisitorProblem>,
  "actionsAt" | "pause" | "answerProblem"
> {
  readonly rules: VisitorRules;
  readonly isOn: boolean;
  /** Resolves when the edit is durable, or cannot be made so. Never rejects. */
  readonly persist: (edit: VisitorEdit) => Promise<VisitorEditResult | "refused">;
  readonly limitSubscriptions: RateLimiter;
  /** Of the subscriptions of the block around it. */
  readonly limitBlock: RateLimiter;
  readonly onKept: (kind: VisitorEdit["kind"]) => void;
}

type VisitorResponse = ApiResponse<VisitorProblem>;

const PUSH_URL = new RegExp(`^[a-z]+://[^/?#]*/push(?:/(${KEY_SOURCE}))?(?:[?#]|$)`, "u");

/** The operations of visitors, `/push…`. */
export function createVisitorApi(deps: VisitorApiDependencies): Hono<RequestEnv> {
  return createJsonApi({
    ...deps,
    answerProblem,
    pause: async () => (deps.isOn ? undefined : answerProblem("off")),
    actionsAt: (url) => {
      const found = PUSH_URL.exec(url);
      if (found === null) return undefined;
      const [, id] = found;
      if (id === undefined) return { POST: (asked) => subscribe(asked, deps) };
      return {
        PUT: (asked) => changeServices(id, asked, deps),
        DELETE: (asked) =>
          withKnown(id, asked, (known) =>
            persist({ kind: "unsubscribe", ...known }, { status: 204 }, deps),
          ),
      };
    },
  });
}

function answerProblem(code: VisitorProblem, details: ProblemDetails = {}): VisitorResponse {
  return describeProblem(code, VISITOR_PROBLEMS[code], details);
}

/** `POST /push`. The address of the sender is only hashed for the limits, which are in memory. */
async function subscribe(
  { sender, withText }: Asked<VisitorProblem>,
  deps: VisitorApiDependencies,
): Promise<VisitorResponse> {
  const renewedAtMs = deps.nowMs();
  const retryAfterMs =
    deps.limitSubscriptions(sender.network, renewedAtMs) ??
    deps.limitBlock(sender.block, renewedAtMs);
  if (retryAfterMs !== undefined) return answerProblem("limit-network", { retryAfterMs });
  return withText(async (text) => {
    const read = readSubscription(text, deps.rules);
    if (read.kind !== "ok") return answerUnread(read, answerProblem);
    const { receiver, services, language } = read.wanted;
    const [id, token] = [sha256Of(receiver.endpoint), newKey()];
    const tokenHash = sha256Of(token);
    const visitor = { id, ...receiver, tokenHash, language, services, renewedAtMs };
    const kept = {
      status: 201,
      headers: { Location: `/push/${id}` },
      body: { id, token, services, until: untilOf(renewedAtMs) },
    };
    return persist({ kind: "subscribe", visitor }, kept, deps);
  });
}

/** With what names a subscription, if the request has a token. */
async function withKnown(
  id: string,
  { bearerKey }: Asked<VisitorProblem>,
  act: (known: { readonly id: string; readonly tokenHash: string }) => Promise<VisitorResponse>,
): Promise<VisitorResponse> {
  if (bearerKey === undefined) return answerProblem("unknown");
  return act({ id, tokenHash: sha256Of(bearerKey) });
}

/** `PUT /push/<id>`. */
function changeServices(
  id: string,
  asked: Asked<VisitorProblem>,
  deps: VisitorApiDependencies,
): Promise<VisitorResponse> {
  return withKnown(id, asked, (known) =>
    asked.withText(async (text) => {
      const read = readServices(text, deps.rules);
      if (read.kind !== "ok") return answerUnread(read, answerProblem);
      const { services } = read.wanted;
      const atMs = deps.nowMs();
      const kept = { status: 200, body: { id, services, until: untilOf(atMs) } };
      return persist({ kind: "services", ...known, services, atMs }, kept, deps);
    }),
  );
}

function untilOf(renewedAtMs: number): number {
  return toUnixSeconds(renewedAtMs + VISITOR_KEPT_MS);
}

/** Makes an edit durable. @param kept the answer then. */
async function persist(
  edit: VisitorEdit,
  kept: VisitorResponse,
  deps: VisitorApiDependencies,
): Promise<VisitorResponse> {
  const result = await deps.persist(edit);
  if (result === "refused") return answerProblem("unavailable", { retryAfterMs: RETRY_AFTER_MS });
  if (result !== "kept") return answerProblem(result);
  deps.onKept(edit.kind);
  return kept;
}
