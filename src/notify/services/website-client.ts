import type { UnusualOperators } from "../../model/service/reports.ts";
import { OPERATORS } from "../../contract/codes/operator.ts";
import { Agent, request } from "undici";
import * as z from "zod";
import { COLOR_OF, VERDICT_CODES } from "../../contract/codes/verdict.ts";
import { PAST_OF } from "../../model/service/accuracy.ts";
import { codeOrMessageOf, parseJson } from "../../model/errors.ts";
import { SECOND_MS } from "../../model/time.ts";

/** A website or a CDN that is slower is asked again in the next cycle. */
const TIMEOUT_MS = 10 * SECOND_MS;

/** Thirty days of changes are a fifth of it. */
const MAX_BYTES = 1024 * 1024;

/** The website is asked no more often, however often a cycle comes. */
const POLL_MS = 15 * SECOND_MS;

const CHANGES_PATH = "/changes/v1.json";

/** The website cannot be read, or gives another document. Until it is right again, the notifier is silent. */
export class WebsiteError extends Error {
  override readonly name = "WebsiteError";
}

/*
 * More keys may come: a client of a public document must not stop at them. Those that it reads have to be right, and within bounds,
 * because they end up in messages.
 */
const MAX_ITEMS = 20_000;
const secondsUpTo = (most: number) =>
  z
    .int()
    .min(0)
    .max(most)
    .transform((seconds) => seconds * SECOND_MS);
const AT = secondsUpTo(8_640_000_000);
const SECONDS = secondsUpTo(10_000_000);
const SLUG = z.string().regex(/^[a-z0-9-]{1,64}$/u);
const CODE = z.enum(VERDICT_CODES);

const PAST = z
  .object({
    of: z.enum(PAST_OF),
    days: z.int().min(1).max(1_000),
    outages: z.int().min(1).max(MAX_ITEMS),
    median: SECONDS,
    longest: SECONDS,
  })
  .transform(({ of, days, outages: count, median: medianMs, longest: longestMs }) => {
    return { of, days, count, medianMs, longestMs };
  });

const PERCENT = z.int().min(0).max(100);

/** An operator that only a newer version knows is left out. */
const UNUSUAL = z
  .object({
    shares: z.array(z.object({ operator: z.string(), share: PERCENT, usual: PERCENT })).max(100),
    alone: z.boolean(),
  })
  .transform(({ shares, alone }): UnusualOperators | undefined => {
    const known = shares.flatMap(({ operator: id, share: percent, usual }) => {
      const operator = OPERATORS.find((one) => one === id);
      return operator === undefined ? [] : [{ operator, percent, usual }];
    });
    if (known.length === 0) return undefined;
    return { shares: known, isAlone: alone && known.length === shares.length };
  });

const CHANGE = z
  .object({
    seq: z.int().min(1),
    id: z.string().regex(/^[A-Za-z0-9_.-]{1,160}$/u),
    slug: SLUG,
    at: AT,
    before: CODE,
    code: CODE,
    surge: z.boolean(),
    past: PAST.optional(),
    operators: UNUSUAL.optional(),
    outage: z
      .string()
      .regex(/^[a-z0-9-]{1,64}\.\d{12}$/u)
      .optional(),
  })
  .transform(({ at: atMs, surge: isSurge, ...one }) => ({ ...one, atMs, isSurge }));

/** A change of a verdict; `isSurge`: with a surge of reports. */
export type PublicChange = Readonly<z.output<typeof CHANGE>>;

/** The log of changes; `next` is the number of the next one. */
const CHANGES = z
  .object({ next: z.int().min(1), changes: z.array(CHANGE).max(MAX_ITEMS).readonly() })
  .refine(
    ({ next, changes }) => changes.every(({ seq }, at) => seq === next - changes.length + at),
    "the numbers of its changes have gaps",
  );

const SERVICE = z
  .object({ slug: SLUG, name: z.string().min(1).max(200), code: CODE, color: z.string() })
  .refine(({ code, color }) => color === COLOR_OF[code], {
    error: ({ input }) =>
      `${(input as { slug: string }).slug} has a color that is not that of its code`,
  })
  .transform(({ slug, name, code }) => [slug, { name, code }] as const);

/** The list of services by slug, as of the last run that counted. */
const STATUS = z
  .object({ updated: AT, services: z.array(SERVICE).max(MAX_ITEMS) })
  .transform(({ updated, services }) => ({ updatedMs: updated, services: new Map(services) }));

export interface WebsiteReading {
  readonly changes: z.output<typeof CHANGES>;
  readonly status: z.output<typeof STATUS>;
}

/** The address of a website in that of its log of changes, or its own. */
export function websiteOf(url: string): string {
  const plain = url.replace(/\/+$/u, "");
  return plain.endsWith(CHANGES_PATH) ? plain.slice(0, -CHANGES_PATH.length) : plain;
}

/**
 * A client of two documents of a website. It asks with `If-None-Match`, ten seconds and one MiB at most, and follows no redirect.
 *
 * @param url the address of the website, or of its `changes/v1.json`.
 * @param now of a monotonic clock.
 */
export function openWebsite(url: string, now: () => number, stop: AbortSignal) {
  const baseUrl = websiteOf(url);
  const ask = { dispatcher: new Agent({ maxResponseSize: MAX_BYTES }), stop };
  const readChanges = createReader(`${baseUrl}${CHANGES_PATH}`, CHANGES, ask);
  const readStatus = createReader(`${baseUrl}/api/v1/status`, STATUS, ask);
  let last: { readonly atMs: number; readonly reading: WebsiteReading } | undefined;
  return {
    /** Without a slash at its end. */
    baseUrl,
    /** The newest documents, or those of a moment ago. Throws `WebsiteError`. */
    read: async (): Promise<WebsiteReading> => {
      const atMs = now();
      if (last !== undefined && atMs - last.atMs < POLL_MS) return last.reading;
      const [changes, status] = await Promise.all([readChanges(), readStatus()]);
      last = { atMs, reading: { changes, status } };
      return last.reading;
    },
  };
}

interface Way {
  readonly dispatcher: Agent;
  readonly stop: AbortSignal;
}

/** A document that is read again only if it has changed. */
function createReader<T>(url: string, schema: z.ZodType<T>, way: Way): () => Promise<T> {
  let known: { readonly etag: string; readonly content: T } | undefined;
  return async () => {
    const headers = {
      "user-agent": "status-snapshot",
      accept: "application/json",
      ...(known === undefined ? {} : { "if-none-match": known.etag }),
    };
    const { status, etag, text } = await fetchText(url, headers, way);
    if (status === 304 && known !== undefined) return known.content;
    if (status !== 200) throw new WebsiteError(`${url} answered ${status}.`);
    const { data: content, error } = schema.safeParse(parseJson(text));
    if (error !== undefined)
      throw new WebsiteError(`${url} is not a document of this program: ${describeFault(error)}.`);
    known = typeof etag === "string" ? { etag, content } : undefined;
    return content;
  };
}

async function fetchText(
  url: string,
  headers: Readonly<Record<string, string>>,
  { dispatcher, stop }: Way,
) {
  const late = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const signal = AbortSignal.any([late, stop]);
    const answer = await request(url, { dispatcher, signal, headers });
    const text = await answer.body.text();
    return { status: answer.statusCode, etag: answer.headers["etag"], text };
  } catch (error) {
    const why = late.aborted
      ? `no answer within ${TIMEOUT_MS / SECOND_MS} s`
      : codeOrMessageOf(error);
    throw new WebsiteError(`${url} cannot be read: ${why}.`, { cause: error });
  }
}

function describeFault({ issues: [first] }: z.ZodError): string {
  if (first?.code === "custom") return first.message;
  const path = first?.path.join(".") ?? "";
  return `${path === "" ? "it" : path.slice(0, 80)} is not as expected`;
}
