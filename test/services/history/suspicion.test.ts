import { describe, expect, test } from "vitest";
import { FINE } from "../../../src/model/service/connectivity.ts";
import type { RunRecord } from "../../../src/model/service/history.ts";
import type { EndpointResult, Outcome } from "../../../src/model/probe-outcome.ts";
import {
  canBePathFault,
  canPass,
  groupSizes,
  groupsOf,
  isConnected,
  isNetworkUnreachable,
} from "../../../src/services/history/suspicion.ts";
import {
  catalogueOf,
  endpointOf,
  failed,
  minutes,
  ok,
  runMark,
  serviceOf,
  T0,
  traceOf,
} from "../../model/samples.ts";

const after = (...attempts: readonly Outcome[]): EndpointResult => {
  return { outcome: attempts.at(-1) ?? ok(), isFlaky: false, attempts };
};
const UNVERIFIED = { tlsVerified: null };

test.each<[string, EndpointResult | undefined, boolean]>([
  ["nothing probed", undefined, true],
  ["an answer", after(ok()), true],
  ["silence", after(failed("tcp-timeout")), true],
  ["no response over verified TLS", after(failed("http-timeout")), true],
  [
    "a status over verified TLS",
    after(failed("http-unexpected-status", { httpStatus: 404 })),
    false,
  ],
  [
    "a status over no verified TLS",
    after(failed("http-unexpected-status", { httpStatus: 404, ...UNVERIFIED })),
    true,
  ],
  ["a 5xx without its number", after(failed("http-server-error")), false],
  ["a page of works", after(failed("body-works")), false],
  ["a page of works over no verified TLS", after(failed("body-works", UNVERIFIED)), true],
  ["a page with other words", after(failed("body-unexpected")), false],
  ["a body that ended early", after(failed("body-stall", { httpStatus: 200 })), true],
  ["a block page", after(failed("http-block-page", UNVERIFIED)), false],
  [
    "a block page, and then silence",
    after(failed("http-block-page"), failed("tcp-timeout")),
    false,
  ],
])("whether the path can explain %s", (_, result, expected) => {
  expect(canBePathFault(result)).toBe(expected);
});

test.each<[string, EndpointResult | undefined, boolean]>([
  ["nothing probed", undefined, true],
  ["an answer", after(ok()), true],
  ["silence", after(failed("tcp-timeout")), true],
  ["a 5xx", after(failed("http-server-error")), true],
  ["an ended certificate", after(failed("cert-expired")), false],
  ["the certificate of a stranger", after(failed("cert-wrong-host")), false],
  ["a page of works", after(failed("body-works")), false],
  ["a page with other words", after(failed("body-unexpected")), true],
  ["a block page in an attempt", after(failed("http-block-page"), failed("tcp-timeout")), false],
])("whether %s can be over in minutes", (_, result, expected) => {
  expect(canPass(result)).toBe(expected);
});

test.each<[string, EndpointResult | undefined, boolean]>([
  ["nothing probed", undefined, false],
  ["an answer", after(ok()), false],
  ["a denial", after({ kind: "denied", trace: traceOf(9) }), false],
  ["no name", after(failed("dns-nxdomain")), false],
  ["no connection", after(failed("tcp-refused")), false],
  ["no handshake", after(failed("tls-reset")), true],
  ["no response", after(failed("http-timeout")), true],
  ["no whole body", after(failed("body-reset")), true],
  ["one connection of two", after(failed("tcp-timeout"), failed("tls-reset")), false],
  ["two connections", after(failed("body-stall"), failed("tls-reset")), true],
  ["an answer before", after(ok(), failed("tls-reset")), false],
])("whether %s proves a route", (_, result, expected) => {
  expect(isConnected(result)).toBe(expected);
});

const [MAIN, API, MINOR] = ["https://bank.ru/", "https://api.bank.com/", "https://img.bank.su/"];
const BANK = serviceOf("bank", [
  endpointOf(MAIN, true),
  endpointOf(API, true),
  endpointOf(MINOR, false),
]);

describe("the groups of a service", () => {
  const path = {
    networks: new Map([
      [MAIN, "Selectel"],
      [API, "Beeline"],
      [MINOR, "Rostelecom"],
    ]),
    connectivity: { ...FINE, failingZones: ["ru", "su"] },
  };
  const abroad = { ...BANK, isAbroad: true };

  test("are those of its critical endpoints: failing zones, networks, abroad", () => {
    expect(groupsOf(BANK, path)).toEqual([".ru", "Selectel", "Beeline"]);
    expect(groupsOf(abroad, path)).toEqual([".ru", "Selectel", "Beeline", "abroad"]);
  });

  test("are those of its failing endpoints where these are given", () => {
    expect(groupsOf(BANK, path, [API, MINOR])).toEqual(["Beeline"]);
    expect(groupsOf(BANK, path, [])).toEqual([]);
  });

  test("count a service once for a network of two endpoints", () => {
    const networks = new Map([
      [MAIN, "Selectel"],
      [API, "Selectel"],
    ]);
    const sizes = groupSizes([BANK, abroad], { networks, connectivity: FINE });
    expect([...sizes]).toEqual([
      ["Selectel", 2],
      ["abroad", 1],
    ]);
  });
});

describe("a network is unreachable", () => {
  const OTHER = "https://shop.ru/";
  const THIRD = "https://mail.ru/";
  const catalogue = catalogueOf([
    BANK,
    serviceOf("shop", [endpointOf(OTHER, true)]),
    serviceOf("mail", [endpointOf(THIRD, true)]),
  ]);
  const runs = [0, 5].map((at) => runMark({ atMs: T0 + minutes(at) }));
  const allIn = (network: string): RunRecord["networks"] =>
    new Map([MAIN, API, OTHER, THIRD].map((url) => [url, network]));

  /** Whether it is, by the samples of two runs of the other services. */
  const isLost = (shop: string, mail: string, networks = allIn("Selectel")): boolean =>
    isNetworkUnreachable(BANK, [MAIN], {
      catalogue,
      run: { networks },
      runs,
      endpoints: new Map([
        [MAIN, "a!"],
        [API, "aa"],
        [OTHER, shop],
        [THIRD, mail],
      ]),
    });

  test.each([
    ["all others there begin to fail", "a!", "a!", true],
    ["one of them answers", "a!", "aa", false],
    ["one of them failed before", "a!", "!!", true],
    ["all of them failed before", "!!", "!!", false],
    ["one of them was not probed now", "a!", "a.", true],
    ["one of them may have been refused now", "a!", "a*", true],
    ["no other was probed now", "a.", "a?", false],
  ])("if %s: %s and %s, %s", (_, shop, mail, expected) => {
    expect(isLost(shop, mail)).toBe(expected);
  });

  test("only by services in it", () => {
    expect(isLost("a!", "aa", new Map([...allIn("Selectel"), [THIRD, "Beeline"]]))).toBe(true);
    expect(isLost("a!", "a!", new Map([[MAIN, "Selectel"]]))).toBe(false);
    expect(isLost("a!", "a!", new Map())).toBe(false);
  });
});
