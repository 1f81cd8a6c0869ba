import type { Language } from "../../contract/codes/language.ts";
import { SLUG_SOURCE } from "../../model/ids.ts";
import { type Context, Hono } from "hono";
import type { Report, ReportCounts } from "../../model/service/reports.ts";
import {
  type IntakeResponse,
  answerOptions,
  answerRefusal,
  REPORT_INTERNAL_ERROR,
  type RefusalReason,
  toResponse,
  UNAVAILABLE_RETRY_MS,
} from "./responses.ts";
import { BODY_TIMEOUT_MS, readBody } from "../../http-server/read-body.ts";
import { admitSender, type RequestEnv, type SenderRules } from "../../http-server/admit-sender.ts";
import type { PersistResult } from "./report-writer.ts";
import { originOf, type OriginRules, type OriginClass } from "../../http-server/cors-origin.ts";
import { type Content, isForm, readSymptom } from "./parse-symptom.ts";

/** Enough for a symptom and unknown fields. Source: docs/reports/intake.md, Requests. */
const MAX_BODY_BYTES = 1_024;

/** What is kept of the sender of a report. */
export type SenderKey = Pick<Report, "network" | "block" | "operator">;

export interface IntakeDependencies extends OriginRules, SenderRules<SenderKey> {
  readonly hasService: (slug: string) => boolean;
  /** Resolves when the report is durable or refused. */
  readonly persist: (report: Report) => Promise<PersistResult>;
  /** Counts including all accepted reports. Called after `persist`. */
  readonly countsOf: (slug: string) => Pick<ReportCounts, "hour" | "day">;
  readonly nowMs: () => number;
  readonly onRefused: (reason: RefusalReason) => void;
  /** Path of the website: empty by default, or without a trailing slash. */
  readonly root?: string;
  readonly bodyTimeoutMs?: number;
}

interface Refusal {
  readonly reason: RefusalReason;
  readonly retryAfterMs?: number;
}

/**
 * The intake of reports: only `POST /report/<slug>`. Its `fetch` needs no Node server; mount it before a route that matches every
 * path. An error thrown by a dependency is a defect and gives a 500.
 */
export function createIntake(dependencies: IntakeDependencies): Hono<RequestEnv> {
  const app = new Hono<RequestEnv>();
  app.all("/report/*", async (context) => {
    const origin = originOf(context.req.raw.headers, dependencies);
    const corsOrigin = origin === "cors" ? context.req.header("Origin") : undefined;
    return toResponse(await answerRequest(context, origin, dependencies), corsOrigin);
  });
  app.notFound(() => toResponse(answerRefusal("unknown-service")));
  app.onError(() => toResponse(REPORT_INTERNAL_ERROR));
  return app;
}

async function answerRequest(
  context: Context<RequestEnv>,
  origin: OriginClass,
  dependencies: IntakeDependencies,
): Promise<IntakeResponse> {
  const refuse = ({ reason, retryAfterMs }: Refusal): IntakeResponse => {
    dependencies.onRefused(reason);
    return answerRefusal(reason, retryAfterMs);
  };
  // From the raw URL: a slug never needs percent-encoding.
  const slug = REPORT_URL.exec(context.req.raw.url)?.[1];
  if (slug === undefined || !dependencies.hasService(slug))
    return refuse({ reason: "unknown-service" });
  if (context.req.method === "OPTIONS") return answerOptions();
  if (context.req.method !== "POST") return refuse({ reason: "wrong-method" });
  if (origin === "foreign") return refuse({ reason: "foreign-origin" });
  const atMs = dependencies.nowMs();
  const sender = admitSender(context, atMs, dependencies);
  if ("reason" in sender) return refuse(sender);
  const content = await readContent(context, dependencies.bodyTimeoutMs ?? BODY_TIMEOUT_MS);
  if ("reason" in content) return refuse(content);
  const kept = await dependencies.persist({ slug, atMs, ...sender, ...content.stored });
  if (kept === "refused")
    return refuse({ reason: "unavailable", retryAfterMs: UNAVAILABLE_RETRY_MS });
  return answerAccepted(context, slug, content.language, dependencies);
}

const REPORT_URL = new RegExp(`^[a-z]+://[^/?#]*/report/(${SLUG_SOURCE})(?:[?#]|$)`, "u");

async function readContent(
  { req }: Context<RequestEnv>,
  timeoutMs: number,
): Promise<Refusal | Content> {
  // Compressed bodies are refused.
  if (req.header("Content-Encoding") !== undefined) return { reason: "unknown-media-type" };
  const body = await readBody(req.raw, timeoutMs, MAX_BODY_BYTES);
  if (body.kind !== "body") return { reason: body.kind };
  return readSymptom(body.bytes, req.header("Content-Type"));
}

/** 202 with the new counts; a plain HTML form, without a script, is redirected to the page. */
function answerAccepted(
  { req }: Context<RequestEnv>,
  slug: string,
  language: Language,
  { countsOf, root = "" }: IntakeDependencies,
): IntakeResponse {
  const wantsPage = (req.header("Accept") ?? "").toLowerCase().includes("text/html");
  if (wantsPage && isForm(req.header("Content-Type"))) {
    const path = `${language === "en" ? "/en" : ""}/status/${slug}`;
    // The fragment shows the thanks without a script.
    return { status: 303, headers: { Location: `${root}${path}#reported` } };
  }
  const { hour, day } = countsOf(slug);
  return { status: 202, body: { slug, reportsHour: hour, reportsDay: day } };
}
