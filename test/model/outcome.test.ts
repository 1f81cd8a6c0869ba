import { expect, test } from "vitest";
import {
  FAILURES,
  type FailureCode,
  isAuthenticatedServerError,
  isBlockEvidence,
} from "../../src/model/outcome.ts";
import { failed, ok } from "./samples.ts";

test("a 5xx over verified TLS comes from the origin itself", () => {
  expect(isAuthenticatedServerError(failed("http-server-error"))).toBe(true);
});

test.each([false, null])("a 5xx with tlsVerified %s may come from somebody in between", (tls) => {
  expect(isAuthenticatedServerError(failed("http-server-error", { tlsVerified: tls }))).toBe(false);
});

test("a 5xx of a chain that names the national authority comes from the origin", () => {
  const trace = { tlsVerified: false, isNationalIssuer: true } as const;
  expect(isAuthenticatedServerError(failed("http-server-error", trace))).toBe(true);
  expect(isAuthenticatedServerError(failed("http-block-page", trace))).toBe(false);
});

test("no other failure and no success is a server error", () => {
  expect(isAuthenticatedServerError(failed("http-unexpected-status"))).toBe(false);
  expect(isAuthenticatedServerError(ok())).toBe(false);
});

test("only a block page and a stub address are evidence of blocking whatever the path", () => {
  const codes = Object.keys(FAILURES) as FailureCode[]; // its own keys
  const evident = codes.filter((code) => isBlockEvidence(failed(code)));
  expect(evident).toEqual(["dns-stub-address", "http-block-page"]);
});

test("a 451 is evidence of blocking only over a path that others can write to", () => {
  expect(isBlockEvidence(failed("http-legal-refusal", { tlsVerified: null }))).toBe(true);
  expect(isBlockEvidence(failed("http-legal-refusal", { tlsVerified: false }))).toBe(true);
  expect(isBlockEvidence(failed("http-legal-refusal", { tlsVerified: true }))).toBe(false);
});

test("a reset or a time-out is an anomaly and no evidence of blocking", () => {
  expect(isBlockEvidence(failed("tls-reset"))).toBe(false);
  expect(isBlockEvidence(failed("tcp-timeout"))).toBe(false);
});
