import { classifyCheck } from "../../src/monitors/checks/host-queues.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isAuthenticatedServerError, isBlockEvidence } from "../../src/model/outcome-rules.ts";
import { createTrustRoots } from "../../src/probe/network/tls.ts";
import { BLOCK_PAGES, failureOf, openHarness, wordFor, type Harness } from "./harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.close());

const bodyRow = BLOCK_PAGES.find(({ where }) => where === "body") ?? {
  id: "",
  where: "",
  pattern: "",
};
const hostRow = BLOCK_PAGES.find(({ where }) => where === "location-host") ?? bodyRow;
const BLOCK_BODY = `<html><h1>${bodyRow.pattern}</h1></html>`;

describe("a block page", () => {
  test("without TLS is recognised by its text", async () => {
    const outcome = await harness.see({ kind: "block-page", body: BLOCK_BODY }, { scheme: "http" });
    expect(outcome).toMatchObject({ code: "http-block-page", fingerprint: bodyRow.id });
    expect(isBlockEvidence(outcome)).toBe(true);
  });

  test("is recognised by the host of an unencrypted redirect, without a visit", async () => {
    const to = `http://${hostRow.pattern}/?u=1`;
    const outcome = await harness.see({ kind: "redirect", to }, { scheme: "http" });
    expect(outcome).toMatchObject({
      code: "http-block-page",
      fingerprint: hostRow.id,
      trace: { redirects: 0, httpStatus: 302 },
    });
    expect(harness.internet.connections(hostRow.pattern)).toBe(0);
  });

  test("is recognised by that host even if a redirect is expected", async () => {
    const target = { expect: [200, 302] };
    const blocking = { kind: "redirect", to: `http://${hostRow.pattern}/?u=1` } as const;
    const outcome = await harness.see(blocking, { scheme: "http", target });
    expect(outcome).toMatchObject({ code: "http-block-page", fingerprint: hostRow.id });
    const own = { kind: "redirect", to: `http://${harness.newHost()}/login` } as const;
    expect(wordFor(await harness.see(own, { scheme: "http", target }))).toBe("ok");
    expect(wordFor(await harness.see(blocking, { target }))).toBe("ok");
  });

  test("takes precedence over its status", async () => {
    const page = { kind: "page", status: 503, body: BLOCK_BODY } as const;
    expect(wordFor(await harness.see(page, { scheme: "http" }))).toBe("http-block-page");
  });

  test("is not reported over verified TLS, by text or by redirect", async () => {
    expect(wordFor(await harness.see({ kind: "block-page", body: BLOCK_BODY }))).toBe("ok");
    const to = `https://${hostRow.pattern}/`;
    expect(wordFor(await harness.see({ kind: "redirect", to }))).toBe("ok");
  });

  test("counts behind a redirect from verified TLS to plain HTTP", async () => {
    const open = harness.newHost({ kind: "block-page", body: BLOCK_BODY });
    const outcome = await harness.see({ kind: "redirect", to: `http://${open}/` });
    expect(outcome).toMatchObject({ code: "http-block-page", trace: { redirects: 1 } });
  });

  test("counts over unverified TLS", async () => {
    const outcome = await harness.see(
      { kind: "block-page", body: BLOCK_BODY, certificate: "national" },
      { target: { trust: "national" }, deps: { roots: createTrustRoots([], []) } },
    );
    expect(wordFor(outcome)).toBe("http-block-page");
  });
});

describe("the service's own denial", () => {
  const denied = { status: 403, body: "unsupported_country" } as const;

  test("is recognised by status and text together", async () => {
    const outcome = await harness.see({ kind: "denial" }, { target: { denied } });
    expect(outcome).toMatchObject({
      kind: "denied",
      trace: { httpStatus: 403, tlsVerified: true },
    });
    const otherStatus = await harness.see({ kind: "denial", status: 401 }, { target: { denied } });
    expect(wordFor(otherStatus)).toBe("ok");
    const otherText = await harness.see({ kind: "denial", marker: "rate" }, { target: { denied } });
    expect(wordFor(otherText)).toBe("ok");
  });

  test("is recognised by its redirect target, without a visit", async () => {
    const next = harness.newHost();
    const target = { denied: { location: "/not-available" } };
    const behaviour = { kind: "denial", location: `https://${next}/not-available-here` } as const;
    expect(wordFor(await harness.see(behaviour, { target }))).toBe("denied");
    expect(harness.internet.connections(next)).toBe(0);
  });

  test("takes precedence over an unexpected status, including 451 and 5xx", async () => {
    for (const status of [404, 451, 503]) {
      const target = { expect: [200], denied: { status, body: "unsupported_country" } };
      expect(wordFor(await harness.see({ kind: "denial", status }, { target }))).toBe("denied");
    }
  });

  test("does not count if a third party may have written it", async () => {
    const open = await harness.see({ kind: "denial" }, { scheme: "http", target: { denied } });
    expect(wordFor(open)).toBe("ok");
    const unverified = await harness.see(
      { kind: "denial", certificate: "national" },
      { target: { denied, trust: "national" }, deps: { roots: createTrustRoots([], []) } },
    );
    expect(wordFor(unverified)).toBe("ok");
  });

  test("by an unencrypted redirect is an ordinary redirect", async () => {
    const next = harness.newHost({ kind: "page", status: 500 });
    const outcome = await harness.see(
      { kind: "denial", location: `https://${next}/not-available` },
      { scheme: "http", target: { denied: { location: "/not-available" } } },
    );
    expect(failureOf(outcome)).toMatchObject({
      code: "http-server-error",
      trace: { redirects: 1 },
    });
  });

  test("does not count behind an unencrypted redirect", async () => {
    const next = harness.newHost({ kind: "denial" });
    const to = `https://${next}/`;
    const outcome = await harness.see(
      { kind: "redirect", to },
      { scheme: "http", target: { denied } },
    );
    expect(outcome).toMatchObject({ kind: "ok", trace: { redirects: 1, tlsVerified: false } });
  });
});

describe("the evidence for verdicts", () => {
  test("a 5xx is the origin's own only over verified TLS", async () => {
    const page = { kind: "page", status: 500 } as const;
    expect(isAuthenticatedServerError(await harness.see(page))).toBe(true);
    expect(isAuthenticatedServerError(await harness.see(page, { scheme: "http" }))).toBe(false);
  });

  test("a 451 is evidence of blocking only without verified TLS", async () => {
    expect(isBlockEvidence(await harness.see({ kind: "legal-refusal" }, { scheme: "http" }))).toBe(
      true,
    );
    expect(isBlockEvidence(await harness.see({ kind: "legal-refusal" }))).toBe(false);
  });

  test("a reset is not evidence of blocking", async () => {
    expect(isBlockEvidence(await harness.see({ kind: "tls-reset" }))).toBe(false);
  });
});

describe("a wall against robots", () => {
  const headers = { "CF-Mitigated": "challenge" };

  test("is neither the service nor its failure", async () => {
    const outcome = await harness.see({ kind: "page", status: 503, headers });
    expect(outcome).toMatchObject({ kind: "ok", trace: { wall: "cloudflare", httpStatus: 503 } });
  });

  test("is recognised before the text that the page should have", async () => {
    const options = { target: { body: "a text of the service" } };
    const outcome = await harness.see({ kind: "page", status: 200, headers }, options);
    expect(outcome).toMatchObject({ kind: "ok", trace: { wall: "cloudflare" } });
  });

  test("is not believed where a third party can have written it", async () => {
    const options = { scheme: "http" } as const;
    const outcome = await harness.see({ kind: "page", status: 503, headers }, options);
    expect(outcome).toMatchObject({ kind: "failed", code: "http-server-error" });
  });

  test("leaves a monitor undecided, with a hint for its owner", async () => {
    const outcome = await harness.see({ kind: "page", status: 403, headers });
    expect(classifyCheck(outcome)).toEqual({ kind: "skipped", isWalled: true });
  });
});
