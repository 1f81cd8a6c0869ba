import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ProbeDependencies } from "../../src/probe/probe.ts";
import { createTrustRoots } from "../../src/probe/network/tls.ts";
import type { Behaviour, CertificateKind } from "../simulated-internet/behaviour.ts";
import { isAuthenticatedServerError } from "../../src/model/outcome-rules.ts";
import type { Outcome } from "../../src/model/probe-outcome.ts";
import {
  BLOCK_PAGES,
  failureOf,
  openHarness,
  shortFor,
  traceOf,
  wordFor,
  type Harness,
} from "./harness.ts";

let harness: Harness;
let withExtraCa: Pick<ProbeDependencies, "roots">;
let withoutRoots: Pick<ProbeDependencies, "roots">;
beforeAll(async () => {
  harness = await openHarness();
  const root = readFileSync(harness.internet.rootCaFile, "utf8");
  const national = readFileSync(harness.internet.nationalCaFile, "utf8");
  withExtraCa = { roots: createTrustRoots([root], [national]) };
  withoutRoots = { roots: createTrustRoots([], []) };
});
afterAll(() => harness.close());

const NATIONAL = { trust: "national" } as const;

describe("the handshake", () => {
  test.for<[Behaviour, string]>([
    [{ kind: "tls-reset" }, "tls-reset"],
    [{ kind: "tls-close" }, "tls-closed"],
    [{ kind: "tls-silence" }, "tls-timeout"],
    [{ kind: "tls-alert", alert: "unrecognized_name" }, "tls-alert"],
    [{ kind: "tls-alert", alert: "handshake_failure" }, "tls-alert"],
    [{ kind: "tls-plain-http" }, "tls-malformed"],
    [{ kind: "tls-garbage" }, "tls-malformed"],
    [{ kind: "page", wire: { kind: "cut", afterRawBytes: 100, ending: "silence" } }, "tls-timeout"],
    [{ kind: "page", wire: { kind: "cut", afterRawBytes: 100, ending: "reset" } }, "tls-reset"],
    [{ kind: "page", wire: { kind: "cut", afterRawBytes: 100, ending: "close" } }, "tls-closed"],
  ])("%j", async ([behaviour, code]) => {
    const outcome = failureOf(await harness.see(behaviour));
    expect(outcome).toMatchObject({ stage: "tls", code, trace: { tlsVerified: null } });
    expect(outcome.trace.timings.firstByteMs).toBeUndefined();
  });

  test("bytes received before a failure are counted", async () => {
    const wire = { kind: "cut", afterRawBytes: 100, ending: "silence" } as const;
    expect(traceOf(await harness.see({ kind: "page", wire })).rawBytes).toBe(100);
  });

  test("a trickling server ends in a time-out", async () => {
    const wire = { kind: "throttle", bytesPerSecond: 500 } as const;
    const deps = { limits: shortFor("tlsMs") };
    expect(wordFor(await harness.see({ kind: "page", wire }, { deps }))).toBe("tls-timeout");
  });

  test("a session is never resumed", async () => {
    const host = harness.newHost();
    for (let count = 0; count < 3; count += 1) {
      const outcome = await harness.probe(`https://${host}/`);
      expect(traceOf(outcome).certExpiresAtMs).toBeGreaterThan(Date.now());
    }
    expect(harness.internet.connections(host)).toBe(3);
  });
});

describe("the certificate", () => {
  test.for<[CertificateKind, string, boolean]>([
    ["public", "ok", true],
    ["with-intermediate", "ok", true],
    ["no-intermediate", "cert-unknown-issuer", false],
    ["unknown-issuer", "cert-unknown-issuer", false],
    ["national", "cert-unknown-issuer", false],
    ["self-signed", "cert-self-signed", false],
    ["expired", "cert-expired", false],
    ["not-yet-valid", "cert-not-yet-valid", false],
    ["wrong-host", "cert-wrong-host", false],
  ])("that is %s: %s", async ([certificate, word, tlsVerified]) => {
    const outcome = await harness.see({ kind: "page", certificate });
    expect(wordFor(outcome)).toBe(word);
    expect(outcome).toMatchObject({ trace: { tlsVerified } });
  });

  test("the expiry date is recorded, even in the past", async () => {
    const dayMs = 86_400_000;
    const good = traceOf(await harness.see({ kind: "page" }));
    const expired = traceOf(await harness.see({ kind: "page", certificate: "expired" }));
    expect(Number(good.certExpiresAtMs) / dayMs).toBeCloseTo(Date.now() / dayMs + 90, 1);
    expect(Number(expired.certExpiresAtMs) / dayMs).toBeCloseTo(Date.now() / dayMs - 1, 1);
  });

  test("a failing certificate prevents the request", async () => {
    const host = harness.newHost({ kind: "page", certificate: "expired" });
    await harness.probe(`https://${host}/`);
    expect(harness.internet.stats(host).requests).toEqual([]);
  });
});

describe("national trust", () => {
  const see = async (
    certificate: CertificateKind,
    deps: Pick<ProbeDependencies, "roots">,
    trust: "public" | "national" = "national",
  ): Promise<unknown> => {
    const outcome = await harness.see({ kind: "page", certificate }, { target: { trust }, deps });
    return [wordFor(outcome), traceOf(outcome).tlsVerified];
  };

  test("with the extra root the chain is verified only for national endpoints", async () => {
    expect(await see("national", withExtraCa)).toEqual(["ok", true]);
    expect(await see("national-with-intermediate", withExtraCa)).toEqual(["ok", true]);
    expect(await see("national", withExtraCa, "public")).toEqual(["cert-unknown-issuer", false]);
  });

  test("with the extra root only public and national certificates verify", async () => {
    expect(await see("public", withExtraCa)).toEqual(["ok", true]);
    expect(await see("unknown-issuer", withExtraCa)).toEqual(["cert-unknown-issuer", false]);
    expect(await see("self-signed", withExtraCa)).toEqual(["cert-self-signed", false]);
  });

  test("without the extra root the endpoint counts by its response, unverified", async () => {
    expect(await see("national", withoutRoots)).toEqual(["ok", false]);
    const outcome = await harness.see(
      { kind: "page", status: 503, certificate: "national" },
      { target: NATIONAL, deps: withoutRoots },
    );
    expect(outcome).toMatchObject({ code: "http-server-error", trace: { tlsVerified: false } });
  });

  test.for<[CertificateKind, true | undefined]>([
    ["national", true],
    ["national-with-intermediate", true],
    ["with-intermediate", undefined],
    ["unknown-issuer", undefined],
    ["self-signed", undefined],
    ["public", undefined],
  ])("without the extra root a chain that is %s names the national authority: %s", async (row) => {
    const [certificate, isNationalIssuer] = row;
    const behaviour = { kind: "page", status: 502, certificate } as const;
    const outcome = await harness.see(behaviour, { target: NATIONAL, deps: withoutRoots });
    expect(traceOf(outcome)).toMatchObject({ tlsVerified: false });
    expect(traceOf(outcome).isNationalIssuer).toBe(isNationalIssuer);
    expect(isAuthenticatedServerError(outcome)).toBe(isNationalIssuer === true);
  });

  test("with the extra root the verified chain has no isNationalIssuer", async () => {
    const behaviour = { kind: "page", status: 502, certificate: "national" } as const;
    const outcome = await harness.see(behaviour, { target: NATIONAL, deps: withExtraCa });
    expect(traceOf(outcome)).not.toHaveProperty("isNationalIssuer");
    expect(isAuthenticatedServerError(outcome)).toBe(true);
  });

  test("a block page behind a national chain is reported with any status", async () => {
    const body = BLOCK_PAGES.find(({ where }) => where === "body")?.pattern ?? "";
    const behaviour = { kind: "page", status: 503, body, certificate: "national" } as const;
    const outcome = await harness.see(behaviour, { target: NATIONAL, deps: withoutRoots });
    expect(outcome).toMatchObject({ code: "http-block-page", trace: { isNationalIssuer: true } });
    expect(isAuthenticatedServerError(outcome)).toBe(false);
  });

  test("an issuer's name proves nothing behind an unencrypted redirect", async () => {
    const certificate = "national";
    const to = harness.newHost({ kind: "page", status: 502, certificate });
    const see = (scheme: "http" | "https"): Promise<Outcome> =>
      harness.see(
        { kind: "redirect", to: `https://${to}/`, certificate },
        { scheme, target: NATIONAL, deps: withoutRoots },
      );
    expect(isAuthenticatedServerError(await see("https"))).toBe(true);
    expect(isAuthenticatedServerError(await see("http"))).toBe(false);
  });

  test("without the extra root everything but the issuer is still checked", async () => {
    expect(await see("expired", withoutRoots)).toEqual(["cert-expired", false]);
    expect(await see("not-yet-valid", withoutRoots)).toEqual(["cert-not-yet-valid", false]);
    expect(await see("wrong-host", withoutRoots)).toEqual(["cert-wrong-host", false]);
  });

  test("without the extra root a public endpoint with a national chain fails", async () => {
    expect(await see("national", withoutRoots, "public")).toEqual(["cert-unknown-issuer", false]);
  });
});
