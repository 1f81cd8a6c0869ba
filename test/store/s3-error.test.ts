import { describe, expect, test } from "vitest";
import {
  isAbsent,
  isBusy,
  isUncertain,
  isUnreached,
  mayRetry,
  readFailure,
  type S3Failure,
  toS3Error,
} from "../../src/store/s3-error.ts";

const ATTEMPT = {
  storeName: "s3://bucket",
  role: "public",
  operation: "write",
  key: "api/v1/status",
} as const;

function failure(fields: Partial<S3Failure>): S3Failure {
  return { name: "UnknownError", message: "words", status: undefined, errno: undefined, ...fields };
}

const answered = (status: number, name?: string): S3Failure =>
  failure({ status, ...(name === undefined ? {} : { name }) });
const unanswered = (errno: string, name = "Error"): S3Failure => failure({ errno, name });

describe("the outcome of the request", () => {
  test.each([
    [409, { isBusy: true, isUncertain: false }],
    [429, { isBusy: true, isUncertain: false }],
    [503, { isBusy: true, isUncertain: false }],
    [500, { isBusy: false, isUncertain: true }],
    [502, { isBusy: false, isUncertain: true }],
    [504, { isBusy: false, isUncertain: true }],
    [501, { isBusy: false, isUncertain: false }],
    [400, { isBusy: false, isUncertain: false }],
    [403, { isBusy: false, isUncertain: false }],
    [404, { isBusy: false, isUncertain: false }],
  ])("HTTP %i", (status, expected) => {
    const seen = answered(status);
    expect({ isBusy: isBusy(seen), isUncertain: isUncertain(seen) }).toEqual(expected);
    expect(isUnreached(seen)).toBe(false);
  });

  test.each([
    [400, "RequestTimeout", { isBusy: true, isUncertain: false }],
    [400, "SlowDown", { isBusy: true, isUncertain: false }],
    [400, "ThrottlingException", { isBusy: true, isUncertain: false }],
    [409, "OperationAborted", { isBusy: true, isUncertain: false }],
    [400, "InternalError", { isBusy: false, isUncertain: true }],
    [503, "InternalError", { isBusy: true, isUncertain: true }],
  ])("HTTP %i %s: the code counts, whatever the status", (status, name, expected) => {
    const seen = answered(status, name);
    expect({ isBusy: isBusy(seen), isUncertain: isUncertain(seen) }).toEqual(expected);
  });

  test("a redirect of a new bucket has words of its own", () => {
    const words = (seen: S3Failure): string => toS3Error(seen, ATTEMPT, undefined).message;
    for (const seen of [answered(307, "TemporaryRedirect"), answered(307)])
      expect(words(seen)).toContain("while a bucket is new");
    expect(words(answered(301))).toContain("in another region");
  });

  test.each(["ExistingObjectIsDirectory", "ObjectParentIsFile"])(
    "%s: the store is not busy, it does not support the request",
    (name) => {
      expect(isBusy(answered(409, name))).toBe(false);
    },
  );

  test.each(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"])(
    "%s: no request was sent",
    (errno) => {
      expect(isUnreached(unanswered(errno))).toBe(true);
      expect(isUncertain(unanswered(errno))).toBe(false);
    },
  );

  test.each(["ECONNRESET", "EPIPE", "ETIMEDOUT"])("%s: the outcome is unknown", (errno) => {
    expect(isUnreached(unanswered(errno))).toBe(false);
    expect(isUncertain(unanswered(errno))).toBe(true);
  });

  test("a connect timeout sent no request, a request timeout leaves the outcome unknown", () => {
    expect(isUncertain(failure({ name: "TimeoutError" }))).toBe(false);
    expect(isUncertain(unanswered("ETIMEDOUT", "TimeoutError"))).toBe(true);
    expect(isUncertain(failure({ name: "AbortError" }))).toBe(true);
  });

  test.each(["CERT_HAS_EXPIRED", "DEPTH_ZERO_SELF_SIGNED_CERT", "EPROTO"])(
    "%s: no request was sent",
    (errno) => expect(isUncertain(unanswered(errno))).toBe(false),
  );
});

test("an object is absent only if a store says so, not if a website answers 404", () => {
  expect(isAbsent(answered(404, "NoSuchKey"), "read")).toBe(true);
  expect(isAbsent(answered(404, "NotFound"), "find")).toBe(true);
  expect(isAbsent(answered(404, "NotFound"), "read")).toBe(false);
  expect(isAbsent(answered(404, "NoSuchBucket"), "read")).toBe(false);
  expect(isAbsent(answered(403, "NoSuchKey"), "read")).toBe(false);
});

describe("whether to retry", () => {
  const trial = { attempt: 1, elapsedMs: 0, patienceMs: 1_000, isConditional: false };
  const conditional = { ...trial, isConditional: true };

  test("a busy store always, an unknown outcome only without a precondition", () => {
    expect(mayRetry(answered(503), conditional)).toBe(true);
    expect(mayRetry(answered(500), trial)).toBe(true);
    expect(mayRetry(answered(500), conditional)).toBe(false);
    expect(mayRetry(unanswered("ECONNRESET"), trial)).toBe(true);
    expect(mayRetry(unanswered("ECONNRESET"), conditional)).toBe(false);
  });

  test("an unreachable store a few times", () => {
    expect(mayRetry(unanswered("ECONNREFUSED"), conditional)).toBe(true);
    expect(mayRetry(unanswered("ECONNREFUSED"), { ...conditional, attempt: 4 })).toBe(false);
  });

  test("never a refusal, and nothing after the time limit", () => {
    for (const status of [400, 403, 404, 405, 501])
      expect(mayRetry(answered(status), trial)).toBe(false);
    expect(mayRetry(answered(503), { ...trial, elapsedMs: 1_001 })).toBe(false);
    expect(mayRetry(failure({ name: "CredentialsProviderError" }), trial)).toBe(false);
  });
});

describe("the message", () => {
  test.each([
    [answered(403, "InvalidAccessKeyId"), "Fix AWS_ACCESS_KEY_ID"],
    [answered(403, "SignatureDoesNotMatch"), "Fix AWS_SECRET_ACCESS_KEY"],
    [answered(403, "AccessDenied"), "bucket of --store"],
    [answered(403, "403"), "AccessDenied, HTTP 403"],
    [answered(404, "NoSuchBucket"), "fix --store"],
    [answered(403, "RequestTimeTooSkewed"), "Set the clock (NTP)"],
    [answered(301), "region in --store"],
    [answered(405), "not an S3 store"],
    [answered(404, "NotFound"), "not an S3 store"],
    [answered(501), "conditional writes"],
    [answered(503, "SlowDown"), "too busy"],
    [answered(429), "too busy"],
    [answered(500, "InternalError"), "also after retries"],
    [answered(418), 'answered "words"'],
    [answered(400, "constructor"), '(constructor, HTTP 400): the store answered "words"'],
    [
      answered(409, "ExistingObjectIsDirectory"),
      "(ExistingObjectIsDirectory, HTTP 409): the store",
    ],
    [answered(409, "ObjectParentIsFile"), "Add keys=suffixed to --store"],
    [answered(400, "XMinioParentIsObject"), "Add keys=suffixed to --store"],
    [unanswered("ECONNREFUSED"), "nothing listens"],
    [unanswered("ENOTFOUND"), "has no address"],
    [unanswered("ETIMEDOUT", "TimeoutError"), "did not answer in time"],
    [unanswered("DEPTH_ZERO_SELF_SIGNED_CERT"), "NODE_EXTRA_CA_CERTS"],
    [unanswered("CERT_HAS_EXPIRED"), "has expired. Renew it there."],
    [
      { ...unanswered("EPROTO"), message: "routines:ssl3_get_record:wrong version number" },
      "speaks no TLS. Write endpoint=http://… in --store",
    ],
    [failure({ name: "RegionMissing" }), "region=… to --store"],
    [failure({ name: "CredentialsProviderError" }), "Set AWS_ACCESS_KEY_ID"],
  ])("of %o says %s", (seen, words) => {
    const error = toS3Error(seen, ATTEMPT, undefined);
    expect(error.message).toMatch(/^s3:\/\/bucket: cannot write api\/v1\/status \(/u);
    expect(error.message).toContain(words);
    expect(error.message).not.toMatch(/[{}]|undefined/u);
  });

  test("does not call a key wrong that other requests were accepted with", () => {
    const seen = answered(403, "SignatureDoesNotMatch");
    const { message } = toS3Error(seen, { ...ATTEMPT, isKeyProven: true }, undefined);
    expect(message).toContain("(SignatureDoesNotMatch, HTTP 403): the secret key is right");
    expect(message).not.toContain("Fix AWS_SECRET_ACCESS_KEY");
    const unproven = toS3Error(seen, ATTEMPT, undefined).message;
    expect(unproven).toContain("the secret key is wrong");
  });

  test("omits the hints of the SDK for programmers", () => {
    const message =
      "char 'N' is not expected.:1:1\n  Deserialization error: to see the raw response, inspect the hidden field {error}.$response on this object.";
    const said = toS3Error(failure({ status: 418, message }), ATTEMPT, undefined).message;
    expect(said).toContain("char 'N' is not expected.:1:1\".");
    expect(said).not.toMatch(/Deserialization|hidden field/u);
  });

  test("names the option of the private store if that failed", () => {
    const { message } = toS3Error(
      answered(404, "NoSuchBucket"),
      { ...ATTEMPT, role: "private" },
      undefined,
    );
    expect(message).toContain("--state");
    expect(message).not.toContain("--store");
  });

  test("keeps the cause, and whether the outcome is unknown", () => {
    const cause = new Error("below");
    expect(toS3Error(answered(500), ATTEMPT, cause)).toMatchObject({ cause, isUnknown: true });
    expect(toS3Error(answered(403), ATTEMPT, cause)).toMatchObject({ cause, isUnknown: false });
  });
});

test.each([
  [unanswered("CERT_UNTRUSTED"), "(CERT_UNTRUSTED)"],
  [{ ...unanswered("EPROTO"), message: "wrong version number" }, "(EPROTO)"],
  [answered(409, "ObjectParentIsFile"), "(ObjectParentIsFile, HTTP 409)"],
  [answered(403, "403"), "(AccessDenied, HTTP 403)"],
])("the message of %o shows %s", (seen, shown) => {
  const { message } = toS3Error(seen, ATTEMPT, undefined);
  expect(message).toContain(`cannot write api/v1/status ${shown}: `);
});

test.each([
  ["InvalidAccessKeyId", "InvalidAccessKeyId"],
  ["SignatureDoesNotMatch", "SignatureDoesNotMatch"],
  ["AccessDenied", undefined],
  ["NoSuchBucket", undefined],
  ["InvalidBucketName", undefined],
  ["QuotaExceeded", undefined],
  ["ObjectParentIsFile", undefined],
  ["TemporaryRedirect", undefined],
  ["PermanentRedirect", undefined],
  ["AuthorizationHeaderMalformed", undefined],
  ["RegionMissing", undefined],
  ["SomethingElse", undefined],
])("%s is a fault of the whole endpoint: %s", (name, sharedFault) => {
  expect(toS3Error(answered(400, name), ATTEMPT, undefined).sharedFault).toBe(sharedFault);
});

describe("an error of the SDK", () => {
  test("is read from its response", () => {
    const error = Object.assign(new Error("no"), {
      name: "NoSuchKey",
      $metadata: { httpStatusCode: 404 },
    });
    expect(readFailure(error)).toEqual(failure({ name: "NoSuchKey", message: "no", status: 404 }));
  });

  test("is read from a response that could not be parsed", () => {
    const error = Object.assign(new SyntaxError("no XML"), { $response: { statusCode: 404 } });
    expect(readFailure(error)).toMatchObject({ name: "SyntaxError", status: 404 });
  });

  test("is read from a client without a region, which sends nothing", () => {
    const message = "Region is missing";
    expect(readFailure(new Error(message))).toEqual(failure({ name: "RegionMissing", message }));
    expect(readFailure(new Error(`${message}!`))).toBeUndefined();
  });

  test("is read from the system call that failed", () => {
    const error = Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
    expect(readFailure(error)).toMatchObject({ errno: "ECONNREFUSED", status: undefined });
  });

  test.each([[new TypeError("defect")], ["text"], [undefined]])(
    "is not read from a defect: %o",
    (thrown) => {
      expect(readFailure(thrown)).toBeUndefined();
    },
  );
});

/** Codes of stores with the status that they come with, and codes without an answer. */
const ANSWERED: readonly (readonly [number, string | undefined])[] = [
  [403, "InvalidAccessKeyId"],
  [403, "SignatureDoesNotMatch"],
  [403, "AccessDenied"],
  [404, "NoSuchBucket"],
  [403, "RequestTimeTooSkewed"],
  [403, "RequestExpired"],
  [307, "TemporaryRedirect"],
  [301, "PermanentRedirect"],
  [400, "AuthorizationHeaderMalformed"],
  [400, "ExpiredToken"],
  [400, "InvalidToken"],
  [403, "QuotaExceeded"],
  [409, "XMinioParentIsObject"],
  [400, "InvalidBucketName"],
  [501, "NotImplemented"],
  [404, "NotFound"],
  [405, "MethodNotAllowed"],
  ...[301, 307, 403, 405, 429, 500, 501, 503, 418].map((status) => [status, undefined] as const),
];
const UNANSWERED =
  "ECONNREFUSED ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH CERT_HAS_EXPIRED EPROTO DEPTH_ZERO_SELF_SIGNED_CERT ECONNRESET";

test("each message says what it said", async () => {
  const failures = [
    ...ANSWERED.map(([status, name]) => answered(status, name)),
    ...UNANSWERED.split(" ").map((errno) => unanswered(errno)),
    failure({ errno: "EPROTO", message: "wrong version number" }),
    ...["RegionMissing", "CredentialsProviderError", "TimeoutError", "AbortError"].map((name) =>
      failure({ name }),
    ),
  ];
  const messages = failures.map((one) => toS3Error(one, ATTEMPT, undefined).message);
  const proven = { ...ATTEMPT, isKeyProven: true };
  messages.push(toS3Error(answered(403, "SignatureDoesNotMatch"), proven, undefined).message);
  await expect(`${messages.join("\n")}\n`).toMatchFileSnapshot("golden/s3-errors.txt");
});

test("a missing region is read by its words, as the SDK gives it no name", () => {
  const message = "Region is missing";
  expect(readFailure(new Error(message))).toEqual(failure({ name: "RegionMissing", message }));
  expect(readFailure(new Error("Region is there"))).toBeUndefined();
  expect(readFailure(message)).toBeUndefined();
});
