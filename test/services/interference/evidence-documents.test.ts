import { describe, expect, test } from "vitest";
import type { EndpointScope } from "../../../src/model/service/interference.ts";
import type { EndpointResult } from "../../../src/model/probe-outcome.ts";
import { HOUR_MS, toUnixSeconds } from "../../../src/model/time.ts";
import { NO_VANTAGES } from "../../../src/model/service/vantage.ts";
import type { VantageView } from "../../../src/services/interference/endpoint-views.ts";
import {
  buildEvidence,
  buildRawEvidence,
  buildVantages,
  type EvidenceInput,
  signatureOfEvidence,
  standingsOf,
} from "../../../src/services/interference/evidence-documents.ts";
import { EVIDENCE_SCHEMAS } from "../../../src/contract/evidence.ts";
import type { Document } from "../../../src/model/service/snapshot.ts";
import {
  endpointScopeOf,
  failed,
  ok,
  PLACE,
  PLACE_NAMED,
  resultOf,
  serviceOf,
  T0,
} from "../../model/samples.ts";

const MAIN = "https://main.example/";
const SIDE = "https://side.example/";

const SERVICE = serviceOf("alpha", [
  { url: MAIN, what: "main site", isCritical: true, trust: "public" },
  { url: SIDE, what: "images", isCritical: false, trust: "public", refuses: ["abroad"] },
]);

function viewOf(changes: Partial<VantageView> = {}): VantageView {
  return {
    vantage: PLACE,
    result: { code: "ok", sameAddress: "works", seen: { status: 200, connectMs: 40 } },
    says: "works",
    isCutByName: false,
    isShutToBrowsers: false,
    isCalibrated: true,
    isAboutFailure: true,
    isSameServer: true,
    isConnected: true,
    ...changes,
  };
}

const FAILED: EndpointResult = {
  ...resultOf(failed("tls-reset", { address: "192.0.2.7" })),
  experiment: [
    { kind: "neutral-name", answer: "answered" },
    { kind: "seen-address", address: "192.0.2.8", answer: "cut" },
    { kind: "neighbour", address: "192.0.2.9", isConnected: true },
    { kind: "neighbour", address: "192.0.2.10", isConnected: false },
  ],
};

const halfHoursAt = (url: string) =>
  Array.from({ length: 48 }, () => (url === MAIN ? "failing" : null));

function inputOf(
  results: Readonly<Record<string, EndpointResult>>,
  changes: Partial<EvidenceInput> = {},
): EvidenceInput {
  return {
    service: SERVICE,
    code: "restricted_fail",
    unknown: null,
    checkedAtMs: T0,
    scope: {
      scope: "russia",
      endpoints: [endpointScopeOf(MAIN), endpointScopeOf(SIDE, { scope: "none" })],
    },
    resultOf: (url) => results[url],
    halfHoursOf: halfHoursAt,
    viewsOf: ({ url }) => (url === MAIN ? [viewOf()] : []),
    networkOf: (address) => `network of ${address}`,
    ...changes,
  };
}

function read({ body }: Document) {
  return EVIDENCE_SCHEMAS.Evidence.parse(JSON.parse(new TextDecoder().decode(body)));
}

describe("the evidence of a service", () => {
  const { endpoints, ...head } = read(
    buildEvidence(inputOf({ [MAIN]: FAILED, [SIDE]: resultOf(ok(123.6)) })),
  );

  test("begins with its verdict and scope", () => {
    expect(head).toEqual({
      slug: "alpha",
      checkedAt: toUnixSeconds(T0),
      verdict: "restricted_fail",
      unknown: null,
      scope: "russia",
      blockedBy: null,
    });
  });

  test("has what was found of each endpoint, here and elsewhere", () => {
    expect(endpoints).toEqual([
      {
        url: MAIN,
        what: "main site",
        critical: true,
        fence: false,
        refuses: [],
        halfHours: halfHoursAt(MAIN),
        scope: "russia",
        row: 7,
        blockedBy: null,
        claim: null,
        moscow: {
          result: "failed",
          stage: "tls",
          code: "tls-reset",
          status: null,
          wall: null,
          ms: 90,
          address: "192.0.2.7",
          network: "network of 192.0.2.7",
          browser: null,
        },
        experiment: {
          cutBy: "name",
          steps: [
            { kind: "neutral-name", answer: "answered" },
            { kind: "seen-address", address: "192.0.2.8", answer: "cut" },
            { kind: "neighbour", address: "192.0.2.9", answer: "answered" },
            { kind: "neighbour", address: "192.0.2.10", answer: "unreachable" },
          ],
        },
        vantages: [
          {
            ...PLACE_NAMED,
            result: "ok",
            line: null,
            says: "works",
            calibrated: true,
            sameAddress: "works",
            cutByName: false,
            seen: { status: 200, connectMs: 40 },
            experiment: null,
          },
        ],
      },
      {
        url: SIDE,
        what: "images",
        critical: false,
        fence: true,
        refuses: ["abroad"],
        halfHours: halfHoursAt(SIDE),
        scope: "none",
        row: 7,
        blockedBy: null,
        claim: null,
        moscow: {
          result: "ok",
          stage: null,
          code: null,
          status: 200,
          wall: null,
          ms: 124,
          address: null,
          network: null,
          browser: null,
        },
        experiment: null,
        vantages: [],
      },
    ]);
  });

  test("tells what a browser got", () => {
    const result: EndpointResult = {
      ...FAILED,
      browser: { isOpen: false, stage: "tls", atMs: T0 },
    };
    const document = read(buildEvidence(inputOf({ [MAIN]: result })));
    expect(document.endpoints[0]?.moscow.browser).toEqual({ opens: false, stage: "tls" });
  });

  test("tells what a claim rests on, and is not written again for another run of it", () => {
    const claimed = (runs: number) => {
      const basis = { by: "name", networks: 1, runs, isUnicast: null } as const;
      const input = inputOf({ [MAIN]: FAILED });
      const [first, ...others] = input.scope.endpoints;
      if (first === undefined) throw new Error("no endpoint");
      const endpoints = [{ ...first, isClaimed: true, basis }, ...others];
      return { ...input, scope: { ...input.scope, endpoints } };
    };
    expect(read(buildEvidence(claimed(3))).endpoints[0]).toMatchObject({
      blockedBy: "experiment",
      claim: { by: "name", networks: 1, runs: 3, unicast: null },
    });
    expect(signatureOfEvidence(claimed(3))).toBe(signatureOfEvidence(claimed(4)));
  });

  test("never checked has no time and knows nothing of its endpoints", () => {
    const none = read(
      buildEvidence(inputOf({}, { checkedAtMs: null, scope: { scope: "unknown", endpoints: [] } })),
    );
    expect(none.checkedAt).toBeNull();
    expect(none.endpoints[0]).toMatchObject({
      scope: "unknown",
      row: null,
      experiment: null,
      moscow: { result: "unknown", stage: null, code: null, ms: null, address: null },
    });
  });

  test.each<readonly [string, Partial<EndpointResult>, string]>([
    ["a failure that places outvote", { outvotedBy: "healthy" }, "outvoted"],
    ["a failure that may be a refusal", { mayBeRefused: true }, "refused"],
    ["any other failure", {}, "failed"],
  ])("%s is called so", (_, changes, result) => {
    const { endpoints: found } = read(
      buildEvidence(inputOf({ [MAIN]: { ...FAILED, ...changes } })),
    );
    expect(found[0]?.moscow.result).toBe(result);
  });

  test.each<readonly [string, Partial<EndpointScope>, string | null]>([
    ["an experiment", { isClaimed: true, finding: "block-evidence" }, "experiment"],
    ["a page", { finding: "block-evidence" }, "page"],
    ["nothing", {}, null],
  ])("names %s as what says that it is blocked", (_, changes, by) => {
    const scope = {
      scope: "russia",
      endpoints: [endpointScopeOf(MAIN), endpointScopeOf(SIDE, changes)],
    } as const;
    const document = read(buildEvidence(inputOf({ [MAIN]: FAILED }, { scope })));
    expect([document.blockedBy, document.endpoints[0]?.blockedBy]).toEqual([by, null]);
    expect(document.endpoints[1]?.blockedBy).toBe(by);
  });
});

describe("its signature", () => {
  const usual = inputOf({ [MAIN]: FAILED });
  const signature = signatureOfEvidence(usual);

  test("stays with another time, address and duration", () => {
    const later = resultOf(failed("tls-reset", { address: "192.0.2.99", timings: { totalMs: 1 } }));
    const same = inputOf(
      { [MAIN]: { ...FAILED, outcome: later.outcome } },
      { checkedAtMs: T0 + 1 },
    );
    expect(signatureOfEvidence(same)).toBe(signature);
  });

  test.each<readonly [string, EvidenceInput]>([
    ["the outcome", inputOf({ [MAIN]: resultOf(failed("tls-closed")) })],
    ["the verdict", { ...usual, code: "fail" }],
    ["why nothing is known", { ...usual, unknown: "never-reached" }],
    ["the scope", { ...usual, scope: { ...usual.scope, scope: "everywhere" } }],
    ["a half hour", { ...usual, halfHoursOf: () => halfHoursAt(SIDE) }],
    ["what a place says", { ...usual, viewsOf: () => [viewOf({ isCalibrated: false })] }],
  ])("changes with %s", (_, changed) => {
    expect(signatureOfEvidence(changed)).not.toBe(signature);
  });
});

describe("the places", () => {
  const heard = {
    askId: "new",
    heardAtMs: T0 + 1_234,
    connectivity: "fine",
    isWhiteList: false,
    results: new Map(),
  } as const;
  const asks = [{ id: "new", atMs: T0, urls: "", failing: new Map() }];
  const standing = (changes: object) =>
    standingsOf({ ...NO_VANTAGES, vantages: [PLACE], asks, ...changes })[0];

  test("are heard by the hour while they answer, exactly once they do not", () => {
    expect(standing({ heard: new Map([["ams", heard]]) })).toEqual({
      vantage: PLACE,
      isHeard: true,
      heardAtMs: heard.heardAtMs - (heard.heardAtMs % HOUR_MS),
      connectivity: "fine",
      isWhiteList: false,
    });
    expect(standing({ heard: new Map([["ams", { ...heard, askId: "old" }]]) })).toMatchObject({
      isHeard: false,
      heardAtMs: heard.heardAtMs,
    });
    expect(standing({})).toEqual({
      vantage: PLACE,
      isHeard: false,
      heardAtMs: null,
      connectivity: null,
      isWhiteList: null,
    });
  });

  test("have a document with their keys and when each was heard", () => {
    const known = { ...NO_VANTAGES, vantages: [PLACE], asks, heard: new Map([["ams", heard]]) };
    const { key, body } = buildVantages(standingsOf(known));
    expect(key).toBe("evidence/v1/vantages.json");
    expect(JSON.parse(new TextDecoder().decode(body))).toEqual({
      vantages: [
        {
          ...PLACE_NAMED,
          publicKey: "key",
          answers: true,
          heardAt: toUnixSeconds(heard.heardAtMs - (heard.heardAtMs % HOUR_MS)),
          connectivity: "fine",
          whiteList: false,
        },
      ],
    });
  });

  test("have their answers as they were signed", () => {
    const signed = { payload: "p", protected: "h", signature: "s" };
    const { key, body } = buildRawEvidence("ams", { askId: "a", atMs: T0, urls: [MAIN], signed });
    expect(key).toBe("evidence/v1/raw/ams.json");
    expect(JSON.parse(new TextDecoder().decode(body))).toEqual({
      ask: "a",
      heardAt: toUnixSeconds(T0),
      urls: [MAIN],
      jws: signed,
    });
  });
});
