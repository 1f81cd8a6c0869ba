import { describe, expect, test } from "vitest";
import {
  auditCatalogue,
  type AuditFinding,
} from "../../../src/services/history/audit-endpoints.ts";
import type { Endpoint } from "../../../src/model/service/catalogue.ts";
import { EMPTY_HISTORY } from "../../../src/model/service/history.ts";
import type { Outcome } from "../../../src/model/probe-outcome.ts";
import { EMPTY_STATE } from "../../../src/model/state.ts";
import { DAY_MS } from "../../../src/model/time.ts";
import {
  catalogueOf,
  endpointOf,
  failed,
  minutes,
  resultOf,
  runMark,
  serviceOf,
  T0,
  traceOf,
} from "../../model/samples.ts";

const URL_A = "https://www.a.ru/";
const RUNS = 300;
const NOW = T0 + minutes(5 * (RUNS - 1));

/** The findings on one endpoint with these samples of a day and this last outcome. */
function audit(
  samples: string,
  outcome: Outcome,
  changes: Partial<Endpoint> = {},
): readonly AuditFinding[] {
  const catalogue = catalogueOf([serviceOf("a", [{ ...endpointOf(URL_A, true), ...changes }])]);
  const answered = /[A-Za-z0-9]/u.test(samples);
  const state = {
    ...EMPTY_STATE,
    history: {
      ...EMPTY_HISTORY,
      runs: Array.from({ length: RUNS }, (_, at) => runMark({ atMs: T0 + minutes(5 * at) })),
      endpoints: new Map([[URL_A, samples.padStart(RUNS, samples.charAt(0))]]),
      proven: new Set(answered ? [URL_A] : []),
    },
    evidence: new Map([
      ["a", { runAtMs: NOW, endpoints: [{ url: URL_A, result: resultOf(outcome) }] }],
    ]),
  };
  const found = auditCatalogue(catalogue, state, () => "network", NOW);
  if (found.kind !== "audited") throw new Error("there is a day of runs");
  expect(found.findings).toMatchSnapshot();
  return found.findings;
}

function answer(changes: Parameters<typeof traceOf>[1]): Outcome {
  return { kind: "ok", trace: traceOf(100, { url: URL_A, httpStatus: 200, ...changes }) };
}

test("a healthy endpoint gives no finding", () => {
  expect(audit("a", answer({}))).toEqual([]);
});

test.each<readonly [string, Outcome, Partial<Endpoint>, readonly string[]]>([
  ["an unknown issuer", failed("cert-unknown-issuer"), {}, ["trust: national"]],
  [
    "an unknown issuer, already national",
    failed("cert-unknown-issuer"),
    { trust: "national" },
    [`# replace or remove ${URL_A}`],
  ],
  ["a loop of redirects", failed("redirect-loop"), {}, ["redirects: answer"]],
  [
    "a status that is not expected",
    failed("http-unexpected-status", { httpStatus: 403 }),
    { expect: [200, 204] },
    ["expect: [200, 204, 403]"],
  ],
  ["a legal refusal", failed("http-legal-refusal"), {}, ["denied: { status: 451 }"]],
  ["silence", failed("tcp-timeout"), {}, [`# replace or remove ${URL_A}`]],
])(
  "an endpoint that only ever answered with %s gets a proposal",
  (_, outcome, changes, proposal) => {
    expect(audit("!", outcome, changes)).toMatchObject([{ kind: "unproven", proposal }]);
  },
);

test("an endpoint that answered once and has failed since is chronic", () => {
  expect(audit("!a", failed("tcp-timeout"))).toMatchObject([
    { kind: "chronic", what: "failed in 100 % of 300 runs; last: tcp-timeout" },
  ]);
  expect(audit("aaa!", failed("tcp-timeout"))).toEqual([]);
});

test("an endpoint whose last run did not decide is told so, and gets no proposal", () => {
  expect(audit("!", { kind: "skipped", reason: "deadline" })).toMatchObject([
    { what: "never healthy in 300 runs; the last run did not decide", proposal: [] },
  ]);
});

test("redirects to another site and walls are findings although healthy", () => {
  const elsewhere = answer({ url: "https://parking.example/", redirects: 1 });
  expect(audit("a", elsewhere)).toMatchObject([
    { kind: "redirects-elsewhere", what: "leads to another site: https://parking.example/" },
  ]);
  expect(audit("a", answer({ url: "https://m.a.ru/", redirects: 1 }))).toEqual([]);
  expect(audit("a", answer({ httpStatus: 403 }))).toMatchObject([
    { kind: "wall", proposal: ["expect: [200, 403]", expect.stringContaining("denied")] },
  ]);
  expect(audit("a", answer({ httpStatus: 403 }), { expect: [403] })).toEqual([]);
  expect(audit("a", answer({ httpStatus: 403 }), { redirects: "answer" })).toMatchObject([
    { kind: "wall", isCritical: true },
  ]);
  expect(audit("a", answer({ httpStatus: 503, wall: "qrator" }), { expect: [503] })).toMatchObject([
    { kind: "wall", what: expect.stringContaining("(qrator)") },
  ]);
});

test("a certificate that ends within two weeks or cannot be verified is a finding", () => {
  expect(audit("a", answer({ certExpiresAtMs: NOW + 13.5 * DAY_MS }))).toMatchObject([
    { kind: "certificate-ends", what: "the certificate ends in 13 days" },
  ]);
  expect(audit("a", answer({ certExpiresAtMs: NOW + 15 * DAY_MS }))).toEqual([]);
  const national = answer({ isNationalIssuer: true, tlsVerified: false });
  expect(audit("a", national, { trust: "national" })).toMatchObject([
    { kind: "national-certificate" },
  ]);
});

describe("a service abroad whose answers are too small to show a freeze", () => {
  const URL_B = "https://cdn.a.ru/";
  const FULL = 64 * 1024;

  /** What is told of two endpoints, after a last run with these outcomes. */
  function told(
    first: Outcome,
    second: Outcome,
    { isAbroad = true, proven = [URL_A, URL_B] } = {},
  ): readonly AuditFinding[] {
    const endpoints = [endpointOf(URL_A, true), endpointOf(URL_B, false)];
    const state = {
      ...EMPTY_STATE,
      history: {
        ...EMPTY_HISTORY,
        runs: [runMark({ atMs: T0 }), runMark({ atMs: NOW })],
        proven: new Set(proven),
      },
      evidence: new Map([
        [
          "a",
          {
            runAtMs: NOW,
            endpoints: [
              { url: URL_A, result: resultOf(first) },
              { url: URL_B, result: resultOf(second) },
            ],
          },
        ],
      ]),
    };
    const catalogue = catalogueOf([{ ...serviceOf("a", endpoints), isAbroad }]);
    const found = auditCatalogue(catalogue, state, () => "network", NOW);
    if (found.kind !== "audited") throw new Error("there are two runs");
    return found.findings.filter(({ kind }) => kind === "small-answers");
  }

  const sends = (bodyBytes: number): Outcome => answer({ bodyBytes });
  const denies: Outcome = { kind: "denied", trace: traceOf(100, { bodyBytes: 900 }) };

  test("is told with the endpoint that sends most", () => {
    expect(told(sends(14_000), sends(FULL - 1))).toMatchObject([
      {
        url: URL_B,
        isCritical: false,
        what:
          "sends 65535 bytes, the most of its service: " +
          "a freeze after some kilobytes would not show",
        proposal: ["# add an endpoint that sends 65536 bytes or more without cookies"],
      },
    ]);
    expect(told(denies, sends(5))).toMatchObject([{ url: URL_A, isCritical: true }]);
  });

  test("is not told if one is large enough, or the service is in Russia", () => {
    expect(told(sends(14_000), sends(FULL))).toEqual([]);
    expect(told(sends(14_000), sends(1), { isAbroad: false })).toEqual([]);
  });

  test("is not told while one that usually answers does not: it may send more", () => {
    const silent = failed("body-stall", { bodyBytes: 15_000 });
    expect(told(sends(14_000), silent)).toEqual([]);
    expect(told(sends(14_000), silent, { proven: [URL_A] })).toHaveLength(1);
    expect(told(silent, silent, { proven: [] })).toEqual([]);
  });
});

test("a network that carries three services is reported", () => {
  const slugs = ["a", "b", "c"];
  const catalogue = catalogueOf(
    slugs.map((slug) => serviceOf(slug, [endpointOf(`https://${slug}.ru/`, true)])),
  );
  const runs = [runMark(), runMark({ atMs: T0 + DAY_MS })];
  const evidence = new Map(
    slugs.map((slug, index) => {
      const outcome = answer({ address: index < 2 ? "192.0.2.1" : "192.0.2.3" });
      return [
        slug,
        { runAtMs: NOW, endpoints: [{ url: `https://${slug}.ru/`, result: resultOf(outcome) }] },
      ];
    }),
  );
  const state = { ...EMPTY_STATE, history: { ...EMPTY_HISTORY, runs }, evidence };
  const found = auditCatalogue(catalogue, state, (address) => address.slice(0, 7), NOW);
  expect(found).toMatchObject({
    kind: "audited",
    networks: [{ network: "192.0.2", slugs }],
  });
});

test("one run is too early; two tell what cannot pass by itself, and a day the rest", () => {
  const catalogue = catalogueOf([serviceOf("a", [endpointOf(URL_A, true)])]);
  const after = (runs: number, outcome: Outcome) =>
    auditCatalogue(
      catalogue,
      {
        ...EMPTY_STATE,
        history: {
          ...EMPTY_HISTORY,
          runs: Array.from({ length: runs }, (_, at) => runMark({ atMs: T0 + minutes(5 * at) })),
          endpoints: new Map([[URL_A, "!".repeat(runs)]]),
        },
        evidence: new Map([
          ["a", { runAtMs: NOW, endpoints: [{ url: URL_A, result: resultOf(outcome) }] }],
        ]),
      },
      () => "",
      T0,
    );
  expect(after(1, failed("dns-nxdomain"))).toMatchObject({ kind: "too-early" });
  expect(after(2, failed("dns-nxdomain"))).toMatchObject({
    unreached: 1,
    findings: [{ kind: "unproven", isCritical: true }],
  });
  expect(after(2, failed("tcp-timeout"))).toMatchObject({ unreached: 1, findings: [] });
});

test("networks are in the order of the services that they carry, most first", () => {
  const addressOf = new Map([
    ...["a", "b"].map((slug) => [slug, "198.51.100.1"] as const),
    ...["c", "d", "e"].map((slug) => [slug, "192.0.2.1"] as const),
    ...["f", "g", "h", "i"].map((slug) => [slug, "203.0.113.1"] as const),
  ]);
  const slugs = [...addressOf.keys()];
  const urlOf = (slug: string): string => `https://${slug}.ru/`;
  const evidence = new Map(
    slugs.map((slug) => {
      const result = resultOf(answer({ address: addressOf.get(slug) ?? "" }));
      return [slug, { runAtMs: NOW, endpoints: [{ url: urlOf(slug), result }] }];
    }),
  );
  const runs = [runMark(), runMark({ atMs: T0 + DAY_MS })];
  const state = { ...EMPTY_STATE, history: { ...EMPTY_HISTORY, runs }, evidence };
  const catalogue = catalogueOf(
    slugs.map((slug) => serviceOf(slug, [endpointOf(urlOf(slug), true)])),
  );
  expect(auditCatalogue(catalogue, state, (address) => address, NOW)).toMatchObject({
    networks: [
      { network: "203.0.113.1", slugs: ["f", "g", "h", "i"] },
      { network: "192.0.2.1", slugs: ["c", "d", "e"] },
    ],
  });
});

test("critical endpoints come first, and then each kind of finding in its order", () => {
  const [dead, wall, side] = ["dead", "wall", "side"].map((name) => `https://${name}.ru/`);
  const outcomes = new Map([
    [side ?? "", failed("tcp-timeout")],
    [wall ?? "", answer({ url: wall ?? "", httpStatus: 403 })],
    [dead ?? "", failed("tcp-timeout")],
  ]);
  const urls = [...outcomes.keys()];
  const services = [
    serviceOf(
      "a",
      urls.map((url) => endpointOf(url, url !== side)),
    ),
  ];
  const endpoints = [...outcomes].map(([url, outcome]) => ({ url, result: resultOf(outcome) }));
  const state = {
    ...EMPTY_STATE,
    history: {
      ...EMPTY_HISTORY,
      runs: [runMark(), runMark({ atMs: T0 + DAY_MS })],
      endpoints: new Map(urls.map((url) => [url, url === wall ? "aa" : "!!"])),
      proven: new Set(urls.filter((url) => url === wall)),
    },
    evidence: new Map([["a", { runAtMs: NOW, endpoints }]]),
  };
  const found = auditCatalogue(catalogueOf(services), state, () => "", NOW);
  if (found.kind !== "audited") throw new Error("there are two runs");
  expect(found.findings.map(({ kind, url }) => [kind, url])).toEqual([
    ["unproven", dead],
    ["wall", wall],
    ["unproven", side],
  ]);
});
