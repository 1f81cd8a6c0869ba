import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isAuthenticatedServerError, isBlockEvidence } from "../../src/model/outcome.ts";
import { createTrustRoots } from "../../src/probe/tls.ts";
import { BLOCK_PAGES, failureOf, openLab, wordFor, type Lab } from "./lab.ts";

let lab: Lab;
beforeAll(async () => {
  lab = await openLab();
});
afterAll(() => lab.close());

const bodyRow = BLOCK_PAGES.find(({ where }) => where === "body") ?? {
  id: "",
  where: "",
  pattern: "",
};
const hostRow = BLOCK_PAGES.find(({ where }) => where === "location-host") ?? bodyRow;
const BLOCK_BODY = `<html><h1>${bodyRow.pattern}</h1></html>`;

describe("a block page", () => {
  test("in clear is known by its text", async () => {
    const outcome = await lab.see({ kind: "block-page", body: BLOCK_BODY }, { scheme: "http" });
    expect(outcome).toMatchObject({ code: "http-block-page", fingerprint: bodyRow.id });
    expect(isBlockEvidence(outcome)).toBe(true);
  });

  test("is known by the host that a redirect in clear leads to, which is not visited", async () => {
    const to = `http://${hostRow.pattern}/?u=1`;
    const outcome = await lab.see({ kind: "redirect", to }, { scheme: "http" });
    expect(outcome).toMatchObject({
      code: "http-block-page",
      fingerprint: hostRow.id,
      trace: { redirects: 0, httpStatus: 302 },
    });
    expect(lab.world.connections(hostRow.pattern)).toBe(0);
  });

  test("is known by that host too where a redirect is the expected answer", async () => {
    const target = { expect: [200, 302] };
    const blocking = { kind: "redirect", to: `http://${hostRow.pattern}/?u=1` } as const;
    const outcome = await lab.see(blocking, { scheme: "http", target });
    expect(outcome).toMatchObject({ code: "http-block-page", fingerprint: hostRow.id });
    const own = { kind: "redirect", to: `http://${lab.newHost()}/login` } as const;
    expect(wordFor(await lab.see(own, { scheme: "http", target }))).toBe("ok");
    expect(wordFor(await lab.see(blocking, { target }))).toBe("ok");
  });

  test("goes before the status it came with", async () => {
    const page = { kind: "page", status: 503, body: BLOCK_BODY } as const;
    expect(wordFor(await lab.see(page, { scheme: "http" }))).toBe("http-block-page");
  });

  test("over verified TLS is the service's own page, by text and by redirect", async () => {
    expect(wordFor(await lab.see({ kind: "block-page", body: BLOCK_BODY }))).toBe("ok");
    const to = `https://${hostRow.pattern}/`;
    expect(wordFor(await lab.see({ kind: "redirect", to }))).toBe("ok");
  });

  test("behind a redirect from verified TLS to an open page counts", async () => {
    const open = lab.newHost({ kind: "block-page", body: BLOCK_BODY });
    const outcome = await lab.see({ kind: "redirect", to: `http://${open}/` });
    expect(outcome).toMatchObject({ code: "http-block-page", trace: { redirects: 1 } });
  });

  test("over TLS that nobody could verify counts", async () => {
    const outcome = await lab.see(
      { kind: "block-page", body: BLOCK_BODY, certificate: "national" },
      { target: { trust: "national" }, deps: { roots: createTrustRoots([], []) } },
    );
    expect(wordFor(outcome)).toBe("http-block-page");
  });
});

describe("the service's own denial", () => {
  const denied = { status: 403, body: "unsupported_country" } as const;

  test("is known by status and text together", async () => {
    const outcome = await lab.see({ kind: "denial" }, { target: { denied } });
    expect(outcome).toMatchObject({
      kind: "denied",
      trace: { httpStatus: 403, tlsVerified: true },
    });
    const otherStatus = await lab.see({ kind: "denial", status: 401 }, { target: { denied } });
    expect(wordFor(otherStatus)).toBe("ok");
    const otherText = await lab.see({ kind: "denial", marker: "rate" }, { target: { denied } });
    expect(wordFor(otherText)).toBe("ok");
  });

  test("is known by where it sends, which is not visited", async () => {
    const next = lab.newHost();
    const target = { denied: { location: "/not-available" } };
    const behaviour = { kind: "denial", location: `https://${next}/not-available-here` } as const;
    expect(wordFor(await lab.see(behaviour, { target }))).toBe("denied");
    expect(lab.world.connections(next)).toBe(0);
  });

  test("goes before a status that was not expected, a 451 and a 5xx included", async () => {
    for (const status of [404, 451, 503]) {
      const target = { expect: [200], denied: { status, body: "unsupported_country" } };
      expect(wordFor(await lab.see({ kind: "denial", status }, { target }))).toBe("denied");
    }
  });

  test("does not count when anybody in between may have written it", async () => {
    const open = await lab.see({ kind: "denial" }, { scheme: "http", target: { denied } });
    expect(wordFor(open)).toBe("ok");
    const unverified = await lab.see(
      { kind: "denial", certificate: "national" },
      { target: { denied, trust: "national" }, deps: { roots: createTrustRoots([], []) } },
    );
    expect(wordFor(unverified)).toBe("ok");
  });

  test("by an open redirect is a redirect like any other", async () => {
    const next = lab.newHost({ kind: "page", status: 500 });
    const outcome = await lab.see(
      { kind: "denial", location: `https://${next}/not-available` },
      { scheme: "http", target: { denied: { location: "/not-available" } } },
    );
    expect(failureOf(outcome)).toMatchObject({
      code: "http-server-error",
      trace: { redirects: 1 },
    });
  });

  test("behind an open redirect does not count either", async () => {
    const next = lab.newHost({ kind: "denial" });
    const to = `https://${next}/`;
    const outcome = await lab.see({ kind: "redirect", to }, { scheme: "http", target: { denied } });
    expect(outcome).toMatchObject({ kind: "ok", trace: { redirects: 1, tlsVerified: false } });
  });
});

describe("what the verdicts rest on", () => {
  test("a 5xx over verified TLS is the origin's own, one in clear is not", async () => {
    const page = { kind: "page", status: 500 } as const;
    expect(isAuthenticatedServerError(await lab.see(page))).toBe(true);
    expect(isAuthenticatedServerError(await lab.see(page, { scheme: "http" }))).toBe(false);
  });

  test("a 451 in clear is evidence of blocking, one over verified TLS is not", async () => {
    expect(isBlockEvidence(await lab.see({ kind: "legal-refusal" }, { scheme: "http" }))).toBe(
      true,
    );
    expect(isBlockEvidence(await lab.see({ kind: "legal-refusal" }))).toBe(false);
  });

  test("a reset is no evidence of blocking", async () => {
    expect(isBlockEvidence(await lab.see({ kind: "tls-reset" }))).toBe(false);
  });
});
