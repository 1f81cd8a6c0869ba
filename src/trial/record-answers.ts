import type { Endpoint } from "../model/service/catalogue.ts";
import { FAILURES, type FailureCode } from "../model/failures.ts";
import type { Outcome, Trace } from "../model/probe-outcome.ts";
import type { HttpResponse } from "../probe/network/http.ts";
import { type ProbeDependencies, createProbe } from "../probe/probe.ts";
import {
  type RequestTrace,
  sendRequest,
  type SendRequest,
} from "../probe/network/single-request.ts";

/** What one request of a probe got, without what only a live connection has. */
export interface RecordedHop extends Seen, Pick<Trace, "url"> {
  readonly answer: RecordedAnswer | RecordedFailure;
}

type Seen = Pick<Trace, "tlsVerified" | "isNationalIssuer" | "address" | "certExpiresAtMs">;

/** `body` in Base64. */
type RecordedAnswer = Omit<HttpResponse, "body" | "firstByteMs" | "bodyMs"> & {
  readonly body: string;
};

interface RecordedFailure {
  readonly kind: "failed" | "skipped";
  readonly code: FailureCode | null;
  readonly fingerprint?: string;
}

/** One probe of an endpoint: what came, and what the catalogue makes of it. */
export interface RecordedProbe {
  readonly outcome: Outcome;
  readonly hops: readonly RecordedHop[];
}

/** Probes an endpoint as a run does, and keeps what came. */
export async function recordProbe(
  endpoint: Endpoint,
  deps: ProbeDependencies,
  signal: AbortSignal,
): Promise<RecordedProbe> {
  const hops: RecordedHop[] = [];
  const send: SendRequest = async (hop, request) => {
    const result = await sendRequest(hop, request);
    hops.push({ url: hop.url.href, ...seenIn(hop.notes), answer: toRecorded(result) });
    return result;
  };
  return { outcome: await createProbe({ ...deps, send })(endpoint, 0, signal), hops };
}

type Sent = Awaited<ReturnType<SendRequest>>;

function seenIn({ tlsVerified, isNationalIssuer, address, certExpiresAtMs }: Seen): Seen {
  return {
    tlsVerified,
    ...(isNationalIssuer && { isNationalIssuer }),
    ...(address !== undefined && { address }),
    ...(certExpiresAtMs !== undefined && { certExpiresAtMs }),
  };
}

function toRecorded(result: Sent): RecordedHop["answer"] {
  switch (result.kind) {
    case "answer": {
      const { firstByteMs: _, bodyMs: _ms, body, ...head } = result;
      return { ...head, body: body.toString("base64") };
    }
    case "failed": {
      const { kind, code, fingerprint } = result;
      return { kind, code, ...(fingerprint === undefined ? {} : { fingerprint }) };
    }
    case "skipped":
      return { kind: "skipped", code: null };
  }
}

/** The answer of a recorded hop, as a probe would get it. Undefined: nothing answered. */
export function answerOf(hop: RecordedHop | undefined): HttpResponse | undefined {
  const answer = hop?.answer;
  if (answer?.kind !== "answer") return undefined;
  return { ...answer, body: Buffer.from(answer.body, "base64"), firstByteMs: 0, bodyMs: 0 };
}

/** A hop that was not recorded is needed, so it is not known what would have come. */
class UnknownHop extends Error {}

/** What an entry of the catalogue makes of recorded answers; undefined: it would have asked for something that was not. Nothing is sent. */
export async function judgeRecorded(
  endpoint: Endpoint,
  hops: readonly RecordedHop[],
  deps: ProbeDependencies,
): Promise<Outcome | undefined> {
  const left = [...hops];
  const send: SendRequest = async ({ url, notes }) => {
    const hop = left.shift();
    if (hop === undefined || hop.url !== url.href) throw new UnknownHop(url.href);
    return replay(hop, endpoint, notes);
  };
  const probe = createProbe({ ...deps, send });
  try {
    return await probe(endpoint, 0, new AbortController().signal);
  } catch (error) {
    if (error instanceof UnknownHop) return undefined;
    throw error;
  }
}

/** With `trust: national` a chain of the national authority is taken without having been verified, as when its root is not given. */
function replay(hop: RecordedHop, { trust }: Endpoint, trace: RequestTrace): Sent {
  const { isNationalIssuer, answer } = hop;
  Object.assign(trace, seenIn(hop));
  const isTakenNow = answer.kind === "failed" && isNationalIssuer === true && trust === "national";
  if (isTakenNow) throw new UnknownHop(hop.url);
  if (answer.kind === "skipped") return { kind: "skipped", reason: "runner-exhausted" };
  if (answer.kind === "failed") {
    const { code, fingerprint } = answer;
    if (code === null || !(code in FAILURES)) throw new UnknownHop(hop.url);
    return { kind: "failed", code, ...(fingerprint === undefined ? {} : { fingerprint }) };
  }
  const response = answerOf(hop);
  if (response === undefined) throw new UnknownHop(hop.url);
  trace.httpStatus = response.status;
  trace.bodyBytes = response.body.length;
  return response;
}
