import type { BlockList } from "node:net";
import { type Context, Hono } from "hono";
import type { Report, ReportCounts } from "../model/reports.ts";
import {
  type Answer,
  answerOptions,
  answerRefusal,
  answerSeeOther,
  INTERNAL_ERROR,
  type RefusalReason,
  toResponse,
} from "./answers.ts";
import { type BodyResult, readBody } from "./body.ts";
import { clientAddressOf } from "./client-address.ts";
import type { FloodGuard } from "./flood.ts";
import type { KeepResult } from "./keeper.ts";
import type { NetworkKey, ToNetworkKey } from "./network-key.ts";
import { type PageLanguage, type PageOf, pagesBelow } from "./page.ts";
import { judgeOrigin, type OriginRules, type OriginVerdict } from "./origin.ts";
import { isForm, readSymptom } from "./symptom.ts";

/** A body of 1 KiB takes no honest client longer. */
const BODY_TIMEOUT_MS = 10_000;

/** What a client waits that came while nothing could be kept. */
const UNAVAILABLE_RETRY_MS = 5_000;

/** What is known of a request beside itself. Node's adapter gives `incoming`, a cloud function what its platform says. */
export interface IntakeBindings {
  readonly incoming?: { readonly socket?: { readonly remoteAddress?: string | undefined } };
  /** The address that the connection came from, where there is no socket. */
  readonly remoteAddress?: string;
}

export interface IntakeEnv {
  Bindings: IntakeBindings;
}

export interface IntakeDependencies extends OriginRules {
  readonly hasService: (slug: string) => boolean;
  /** Resolves when the report is durable, or when it cannot be made so. */
  readonly keep: (report: Report) => Promise<KeepResult>;
  /** Counts with everything that was accepted so far in them. Asked after `keep`. */
  readonly countsOf: (slug: string) => Pick<ReportCounts, "hour" | "day">;
  readonly toNetworkKey: ToNetworkKey;
  readonly mayPost: FloodGuard;
  readonly proxies: BlockList;
  readonly nowMs: () => number;
  readonly onRefused: (reason: RefusalReason) => void;
  /** @default `pagesBelow("")` */
  readonly pageOf?: PageOf;
  /** @default 10_000 */
  readonly bodyTimeoutMs?: number;
}

interface Refusal {
  readonly reason: RefusalReason;
  readonly retryAfterMs?: number;
}

/**
 * The intake of reports: `POST /report/<slug>`, and nothing else. Its `fetch` needs no Node server; beside other routes it
 * has to be mounted before one that answers every path. A throw of a dependency is a defect, and a 500.
 */
export function createIntake(dependencies: IntakeDependencies): Hono<IntakeEnv> {
  const app = new Hono<IntakeEnv>();
  app.all("/report/*", async (context) => {
    const origin = originOf(context, dependencies);
    const corsOrigin = origin === "cors" ? context.req.header("Origin") : undefined;
    return toResponse(await answerRequest(context, origin, dependencies), corsOrigin);
  });
  app.notFound(() => toResponse(answerRefusal("unknown-service")));
  app.onError(() => toResponse(INTERNAL_ERROR));
  return app;
}

async function answerRequest(
  context: Context<IntakeEnv>,
  origin: OriginVerdict,
  dependencies: IntakeDependencies,
): Promise<Answer> {
  const refuse = ({ reason, retryAfterMs }: Refusal): Answer => {
    dependencies.onRefused(reason);
    return answerRefusal(reason, retryAfterMs);
  };
  const slug = slugOf(context.req.raw.url);
  if (slug === undefined || !dependencies.hasService(slug))
    return refuse({ reason: "unknown-service" });
  if (context.req.method === "OPTIONS") return answerOptions(origin === "cors");
  if (context.req.method !== "POST") return refuse({ reason: "wrong-method" });
  if (origin === "foreign") return refuse({ reason: "foreign-origin" });
  const atMs = dependencies.nowMs();
  const sender = admitSender(context, atMs, dependencies);
  if ("reason" in sender) return refuse(sender);
  const content = await readContent(context, dependencies.bodyTimeoutMs ?? BODY_TIMEOUT_MS);
  if ("reason" in content) return refuse(content);
  const kept = await dependencies.keep({ slug, atMs, ...sender, ...content.said });
  if (kept === "refused")
    return refuse({ reason: "unavailable", retryAfterMs: UNAVAILABLE_RETRY_MS });
  return answerAccepted(context, slug, content.language, dependencies);
}

/** Cut out of the URL as it came: no slug needs a percent sign, so what has one is no slug. */
function slugOf(url: string): string | undefined {
  return /^[a-z]+:\/\/[^/?#]*\/report\/([a-z0-9]+(?:-[a-z0-9]+)*)(?:[?#]|$)/u.exec(url)?.[1];
}

function originOf({ req }: Context<IntakeEnv>, rules: OriginRules): OriginVerdict {
  const headers = {
    origin: req.header("Origin"),
    fetchSite: req.header("Sec-Fetch-Site"),
    host: req.header("Host"),
  };
  return judgeOrigin(headers, rules);
}

/** The networks of the sender, unless nothing is known of it or it has sent too much. */
function admitSender(
  context: Context<IntakeEnv>,
  nowMs: number,
  { proxies, toNetworkKey, mayPost }: IntakeDependencies,
): NetworkKey | Refusal {
  // `env` is undefined, whatever its type says, when the app is called with a bare Request.
  const bindings: IntakeBindings | undefined = context.env;
  const socketAddress = bindings?.remoteAddress ?? bindings?.incoming?.socket?.remoteAddress;
  const address = clientAddressOf(socketAddress, context.req.header("X-Forwarded-For"), proxies);
  if (address === undefined) return { reason: "no-address" };
  const key = toNetworkKey(address, nowMs);
  const retryAfterMs = mayPost(key.network, nowMs);
  return retryAfterMs === undefined ? key : { reason: "flood", retryAfterMs };
}

const BODY_REFUSALS: Readonly<Record<Exclude<BodyResult["kind"], "body">, RefusalReason>> = {
  "too-large": "too-large",
  "too-slow": "too-slow",
  broken: "malformed",
};

/** What the body says: what is kept of it, and where its sender is led back to. */
interface Content {
  readonly said: Pick<Report, "symptom">;
  readonly language: PageLanguage;
}

async function readContent(
  { req }: Context<IntakeEnv>,
  timeoutMs: number,
): Promise<Content | Refusal> {
  // A body that is packed is none that we take, whatever its type.
  if (req.header("Content-Encoding") !== undefined) return { reason: "unknown-media-type" };
  const body = await readBody(req.raw, timeoutMs);
  if (body.kind !== "body") return { reason: BODY_REFUSALS[body.kind] };
  const read = await readSymptom(body.bytes, req.header("Content-Type"));
  if (read.kind !== "ok") return { reason: read.kind };
  const { symptom, language } = read;
  return { said: symptom === undefined ? {} : { symptom }, language };
}

/** 202 with the new counts; a plain HTML form is led back to the page, which a script would not want. */
function answerAccepted(
  { req }: Context<IntakeEnv>,
  slug: string,
  language: PageLanguage,
  { countsOf, pageOf = pagesBelow("") }: IntakeDependencies,
): Answer {
  const wantsPage = (req.header("Accept") ?? "").toLowerCase().includes("text/html");
  if (wantsPage && isForm(req.header("Content-Type"))) {
    return answerSeeOther(pageOf(slug, language));
  }
  const { hour, day } = countsOf(slug);
  return { status: 202, body: { slug, reportsHour: hour, reportsDay: day } };
}
