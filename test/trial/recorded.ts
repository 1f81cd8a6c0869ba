import { readFileSync } from "node:fs";
import type { Endpoint, Service } from "../../src/model/service/catalogue.ts";
import type { FailureCode } from "../../src/model/failures.ts";
import type { Outcome } from "../../src/model/probe-outcome.ts";
import { BLOCKPAGES_FILE } from "../../src/probe/answer/fingerprints.ts";
import { buildProbeDependencies } from "../../src/probe/probe-config.ts";
import type { ProbeDependencies } from "../../src/probe/probe.ts";
import type { RecordedHop, RecordedProbe } from "../../src/trial/record-answers.ts";
import { failed, ok, serviceOf, traceOf } from "../model/samples.ts";

export const URL_OF_SHOP = "https://shop.example/";

/** The dependencies of a probe that never uses the network. */
export const DEPS: ProbeDependencies = buildProbeDependencies({
  allowPrivate: [],
  ownAddresses: [],
  connectTo: [],
  roots: { everywhere: [], national: [] },
  allowedPorts: [],
  fingerprints: JSON.parse(readFileSync(BLOCKPAGES_FILE, "utf8")),
});

export function shopEndpoint(changes: Partial<Endpoint> = {}): Endpoint {
  return {
    url: URL_OF_SHOP,
    what: "main site",
    isCritical: true,
    trust: "public",
    sites: ["shop.example"],
    ...changes,
  };
}

export function shop(endpoints: readonly Endpoint[], changes: Partial<Service> = {}): Service {
  return { ...serviceOf("shop", endpoints), name: "Лавка", ...changes };
}

export function hopOf(body: string, status = 200, headers = {}): RecordedHop {
  return {
    url: URL_OF_SHOP,
    tlsVerified: true,
    answer: {
      kind: "answer",
      status,
      headers,
      oddities: [],
      body: Buffer.from(body).toString("base64"),
    },
  };
}

/** An attempt that got a page, and what was made of it. */
export function got(
  body: string,
  status = 200,
  outcome: Outcome = { kind: "ok", trace: traceOf(90, { httpStatus: status }) },
): RecordedProbe {
  return { outcome, hops: [hopOf(body, status)] };
}

/** An attempt that got a page which is a failure. */
export function gotWrong(body: string, code: FailureCode, status = 200): RecordedProbe {
  return got(body, status, failed(code, { httpStatus: status }));
}

/** An attempt without an answer. */
export function gotNothing(code: FailureCode): RecordedProbe {
  const answer = { kind: "failed", code } as const;
  return { outcome: failed(code), hops: [{ url: URL_OF_SHOP, tlsVerified: null, answer }] };
}

export const SKIPPED: RecordedProbe = {
  outcome: { kind: "skipped", reason: "deadline" },
  hops: [],
};

export const FINE: RecordedProbe = { outcome: ok(), hops: [hopOf("<title>Лавка</title>")] };
