import { expect, test } from "vitest";
import {
  FAILURE_CODES,
  type FailureCode,
  FAILURES,
  isCodeOfInterference,
  isRefusal,
  mayDependOnClient,
  STAGES,
} from "../../src/model/failures.ts";
import { mayBeBlocking, mayBeInterference } from "../../src/model/outcome-rules.ts";
import { failed, ok } from "./samples.ts";

/** The codes for which something holds, by stage. */
function codesWhere(holds: (code: FailureCode) => boolean): readonly string[] {
  return STAGES.map((stage) =>
    FAILURE_CODES.filter((code) => FAILURES[code].stage === stage && holds(code)).join(" "),
  );
}

const BY_A_BOX = [
  "dns-nxdomain",
  "tcp-refused tcp-reset tcp-timeout",
  "tls-reset tls-closed tls-timeout tls-alert cert-wrong-host cert-unknown-issuer cert-self-signed",
  "http-timeout http-reset http-closed",
  "body-stall body-timeout body-reset body-closed",
];

test("the stages are in the order of a probe", () => {
  expect(STAGES).toEqual(["dns", "tcp", "tls", "http", "body"]);
});

test("our own guard refuses a URL, an address and a redirect", () => {
  expect(FAILURE_CODES.filter(isRefusal)).toEqual([
    "url-refused",
    "dns-special-address",
    "redirect-refused",
  ]);
});

test("a box can cause what a resolver, a connection, a certificate or silence shows", () => {
  const resolver = "dns-servfail dns-refused dns-no-answer dns-timeout dns-malformed";
  const all = [`dns-nxdomain ${resolver}`, ...BY_A_BOX.slice(1)];
  expect(codesWhere(isCodeOfInterference)).toEqual(all);
  expect(codesWhere((code) => mayBeInterference(failed(code)))).toEqual(all);
  expect(mayBeInterference(ok())).toBe(false);
});

test("blocking is claimed of these, but of a resolver only if it denies the name", () => {
  expect(codesWhere((code) => mayBeBlocking(failed(code)))).toEqual(BY_A_BOX);
  expect(mayBeBlocking(ok())).toBe(false);
});

test("another client may get an answer where one was cut after its ClientHello", () => {
  expect(codesWhere(mayDependOnClient)).toEqual([
    "",
    "",
    "tls-reset tls-closed tls-timeout tls-alert",
    ...BY_A_BOX.slice(3),
  ]);
});
