import { expect, test } from "vitest";
import { FAILURE_CODES, type FailureCode } from "../../src/model/failures.ts";
import {
  isAuthenticatedServerError,
  isBlockEvidence,
  isOwnFailure,
  isUnanswered,
} from "../../src/model/outcome-rules.ts";
import { failed, ok } from "./samples.ts";

test("a 5xx over verified TLS is from the origin", () => {
  expect(isAuthenticatedServerError(failed("http-server-error"))).toBe(true);
});

test.each([false, null])("a 5xx with tlsVerified %s may be forged", (tls) => {
  expect(isAuthenticatedServerError(failed("http-server-error", { tlsVerified: tls }))).toBe(false);
});

test("a 5xx with a chain that names the national authority is from the origin", () => {
  const trace = { tlsVerified: false, isNationalIssuer: true } as const;
  expect(isAuthenticatedServerError(failed("http-server-error", trace))).toBe(true);
  expect(isAuthenticatedServerError(failed("http-block-page", trace))).toBe(false);
});

test("other failures and successes are not server errors", () => {
  expect(isAuthenticatedServerError(failed("http-unexpected-status"))).toBe(false);
  expect(isAuthenticatedServerError(ok())).toBe(false);
});

test("only a block page and a stub address are evidence of blocking over any path", () => {
  const evident = FAILURE_CODES.filter((code) => isBlockEvidence(failed(code)));
  expect(evident).toEqual(["dns-stub-address", "http-block-page"]);
});

test("a 451 is evidence of blocking only if it can be forged", () => {
  expect(isBlockEvidence(failed("http-legal-refusal", { tlsVerified: null }))).toBe(true);
  expect(isBlockEvidence(failed("http-legal-refusal", { tlsVerified: false }))).toBe(true);
  expect(isBlockEvidence(failed("http-legal-refusal", { tlsVerified: true }))).toBe(false);
});

test("a reset or a timeout is not evidence of blocking", () => {
  expect(isBlockEvidence(failed("tls-reset"))).toBe(false);
  expect(isBlockEvidence(failed("tcp-timeout"))).toBe(false);
  expect(isBlockEvidence(ok())).toBe(false);
});

test("an expired certificate, a 5xx and a notice of works are its own failures", () => {
  expect(isOwnFailure(failed("cert-expired", { tlsVerified: false }))).toBe(true);
  expect(isOwnFailure(failed("http-server-error", { tlsVerified: true }))).toBe(true);
  expect(isOwnFailure(failed("http-server-error", { tlsVerified: false }))).toBe(false);
  expect(isOwnFailure(failed("body-works", { tlsVerified: true }))).toBe(true);
  expect(isOwnFailure(failed("body-works", { tlsVerified: false }))).toBe(false);
  expect(isOwnFailure(failed("tcp-timeout"))).toBe(false);
  expect(isOwnFailure(ok())).toBe(false);
});

test("a failure without any answer is one of the connection, the handshake or silence", () => {
  const unanswered = ["tcp-timeout", "tcp-refused", "tls-reset", "tls-timeout", "http-timeout"];
  for (const code of unanswered as FailureCode[])
    expect([code, isUnanswered(failed(code))]).toEqual([code, true]);
  for (const code of ["http-server-error", "cert-expired", "body-works"] as const)
    expect([code, isUnanswered(failed(code))]).toEqual([code, false]);
  expect(isUnanswered(ok())).toBe(false);
});
