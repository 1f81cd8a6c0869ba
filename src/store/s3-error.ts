import { errnoOf } from "../model/errors.ts";
import type { StoreError, StoreOperation } from "../model/store.ts";
import { failedAttempt, SETTING_OF, type StoreAttempt } from "./store-error.ts";

/** `isKeyProven`: the store accepts other requests that are signed with the same key. @default false */
type S3Attempt = StoreAttempt & { readonly isKeyProven?: boolean };

export type S3Failure = NonNullable<ReturnType<typeof readFailure>>;

/** Reads an error of the SDK; undefined for any other error, which is then a defect of ours. */
export function readFailure(error: unknown) {
  if (!(error instanceof Error)) return undefined;
  /** Undefined: no response came. */
  const status = statusOf(error);
  /** Code of a system call, such as ECONNREFUSED. */
  const errno = errnoOf(error);
  const { message } = error;
  if (message === "Region is missing") return { name: "RegionMissing", message, status, errno };
  if (status === undefined && errno === undefined && !KNOWN_WITHOUT_ANSWER.test(error.name))
    return undefined;
  return { name: error.name, message, status, errno };
}

const KNOWN_WITHOUT_ANSWER =
  /^(TimeoutError|AbortError|CredentialsProviderError|TokenProviderError|NetworkingError)$/u;

function statusOf(error: Error): number | undefined {
  const status =
    readNumber(error, "$metadata", "httpStatusCode") ??
    readNumber(error, "$response", "statusCode");
  // A success that the SDK could not parse does not come from a store.
  return status !== undefined && status >= 300 ? status : undefined;
}

function readNumber(error: Error, holder: string, name: string): number | undefined {
  const number: unknown = Object(Reflect.get(error, holder))[name];
  return typeof number === "number" ? number : undefined;
}

/** A response to HEAD has no body with a code; any other 404 without a code is not of a store. */
export function isAbsent({ status, name }: S3Failure, operation: StoreOperation): boolean {
  return status === 404 && (name === "NoSuchKey" || (operation === "find" && name === "NotFound"));
}

/** Whether the store computed another signature: with another key, or in another way. */
export function isMissigned({ name }: S3Failure): boolean {
  return name === "SignatureDoesNotMatch";
}

/** Codes of a store that did nothing, whatever the status. Source: S3 error responses; lists of transient codes of the AWS SDKs. */
const BUSY = new Set([
  "BandwidthLimitExceeded",
  "OperationAborted",
  "PriorRequestNotComplete",
  // The body of a request came too slowly: 400.
  "RequestTimeout",
  "RequestTimeoutException",
  "RequestLimitExceeded",
  "RequestThrottled",
  "RequestThrottledException",
  "ServiceUnavailable",
  "SlowDown",
  "SlowDownRead",
  "SlowDownWrite",
  "Throttling",
  "ThrottlingException",
  "ThrottledException",
  "TooManyRequestsException",
]);

/** Codes of a store that failed and may have carried out the request, whatever the status. */
const BROKEN = new Set(["InternalError", "InternalServerError", "ServiceFailure"]);

/** Whether the store was busy: it did nothing, and a retry is safe. Source: S3 error responses (409 conflict, 429/503 SlowDown). */
export function isBusy({ status, name }: S3Failure): boolean {
  if (BUSY.has(name)) return true;
  return (status === 409 && !IS_FOLDER.has(name)) || status === 429 || status === 503;
}

/** Whether there was no answer in time. Free connections may be dead then, because something on the way has forgotten them. */
export function isTimeOut({ status, errno, name }: S3Failure): boolean {
  return (
    status === undefined &&
    (errno === "ETIMEDOUT" || name === "TimeoutError" || name === "AbortError")
  );
}

/** The object would be the folder of others, or be below an object. Names: MinIO; versitygw, in both orders. */
const IS_FOLDER = new Set([
  "XMinioParentIsObject",
  "ObjectParentIsFile",
  "ExistingObjectIsDirectory",
]);

/** There was no connection, so no request was sent. Codes: errno(3), getaddrinfo(3). */
const UNREACHED = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENETDOWN",
]);

/** The certificate of the endpoint is not trusted, or the endpoint does not speak TLS. Names: Node's TLS and OpenSSL. */
const UNTRUSTED = /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|EPROTO$)/u;

/** Whether no request was sent. The SDK's connect timeout has no code, its request timeout has ETIMEDOUT. */
export function isUnreached({ status, errno, name }: S3Failure): boolean {
  if (status !== undefined) return false;
  return errno === undefined ? name === "TimeoutError" : UNREACHED.has(errno);
}

/** Whether the request may have been carried out although it failed. */
export function isUncertain(failure: S3Failure): boolean {
  const { status, errno, name } = failure;
  if (BUSY.has(name)) return false;
  if (BROKEN.has(name)) return true;
  // 501: the store does not support the request. 503: it was too busy to begin.
  if (status !== undefined) return status >= 500 && status !== 501 && status !== 503;
  if (isUnreached(failure) || UNTRUSTED.test(errno ?? "")) return false;
  return !/Provider|^RegionMissing$/u.test(name);
}

export interface FailedAttempt {
  readonly attempt: number;
  readonly elapsedMs: number;
  /** No retry begins later than this after the first attempt. */
  readonly patienceMs: number;
  readonly isConditional: boolean;
}

/** A service that restarts is unreachable for a second; with a wrong endpoint the error must come soon. */
const UNREACHED_TRIES = 4;

/**
 * Whether to retry. A conditional write that may have been carried out is not retried: the retry would conflict with the first
 * request, and only the caller knows which bytes are its own.
 */
export function mayRetry(failure: S3Failure, trial: FailedAttempt): boolean {
  if (trial.elapsedMs > trial.patienceMs) return false;
  if (isUnreached(failure)) return trial.attempt < UNREACHED_TRIES;
  return isBusy(failure) || (!trial.isConditional && isUncertain(failure));
}

const CLOCKS_APART =
  "the clock of this machine and that of the store are too far apart. Set the clock (NTP): what is published carries its time.";
const NO_ANSWER =
  "the store did not answer in time. Check the network, and the endpoint in {setting}.";
const NO_ROUTE =
  "no route leads to the endpoint. Check the network, and the endpoint in {setting}.";

const REMEDIES = {
  InvalidAccessKeyId:
    "the store does not know this access key. Fix AWS_ACCESS_KEY_ID (or the profile it comes from).",
  SignatureDoesNotMatch:
    "the secret key is wrong. Fix AWS_SECRET_ACCESS_KEY (or the profile it comes from).",
  // s3proxy 2.6.0 does so with conditional writes.
  SignedOtherwise:
    "the secret key is right, because the store accepts other requests that are signed with it, but it computes the signature of this kind of request in another way than S3. Choose another store, or another version of it: docs/publish/protocol.md.",
  AccessDenied:
    "these credentials do not allow that. Give them the right to list the bucket of {setting} (without it a missing object is reported as forbidden) and to read, write and delete objects in it.",
  NoSuchBucket: "the bucket does not exist. Create it, or fix {setting}.",
  RequestTimeTooSkewed: CLOCKS_APART,
  RequestExpired: CLOCKS_APART,
  TemporaryRedirect:
    "the store answers for this bucket at another address, as it does while a bucket is new. Run again in an hour, or name the endpoint of its region in {setting}.",
  PermanentRedirect: "the bucket is in another region. Fix endpoint and region in {setting}.",
  AuthorizationHeaderMalformed:
    "the bucket is in another region. Fix region in {setting} (or AWS_REGION).",
  ExpiredToken: "the credentials have expired. Renew them (AWS_SESSION_TOKEN, or the profile).",
  InvalidToken: "AWS_SESSION_TOKEN is wrong. Renew it, or remove it if these keys need none.",
  QuotaExceeded: "the quota is used up. Raise it, or free space in the bucket of {setting}.",
  IsFolder:
    "the store cannot keep an object whose name is also the folder of others. Add keys=suffixed to {setting}, before anything is published there.",
  InvalidBucketName: "the store does not allow this bucket name. Fix {setting}.",
  NotImplemented:
    "the store does not support conditional writes. Choose another store, or a newer version of it: docs/publish/protocol.md.",
  NotFound:
    "the server at the endpoint has no buckets, so it is not an S3 store. Fix the endpoint in {setting}.",
  MethodNotAllowed:
    "the server at the endpoint does not allow this request, so it is not an S3 store. Fix the endpoint in {setting}.",
  RegionMissing: "no region is set. Add region=… to {setting}, or set AWS_REGION.",
  CredentialsProviderError:
    "no credentials were found. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE.",
  TimeoutError: NO_ANSWER,
  AbortError: NO_ANSWER,
  ECONNREFUSED:
    "nothing listens at the endpoint. Start the store, or fix the endpoint in {setting}.",
  ENOTFOUND: "the host of the endpoint has no address. Fix the endpoint in {setting}.",
  EAI_AGAIN: "the DNS resolver does not answer. Check DNS on this machine.",
  EHOSTUNREACH: NO_ROUTE,
  ENETUNREACH: NO_ROUTE,
  CERT_HAS_EXPIRED: "the certificate of the endpoint has expired. Renew it there.",
  PLAIN: "the endpoint speaks no TLS. Write endpoint=http://… in {setting}, or another port.",
  UNTRUSTED:
    'no trusted TLS connection to the endpoint ("{message}"). Fix the endpoint in {setting} (http or https?), or trust its certificate authority with NODE_EXTRA_CA_CERTS.',
  ECONNRESET: "the store closed the connection. Check the network, and the endpoint in {setting}.",
};

/** A map, because codes come from servers: one can be called `constructor`. */
const REMEDY_OF: ReadonlyMap<string, string> = new Map(Object.entries(REMEDIES));

/** The code for a response that has none: a response to HEAD has no body, and the server may not be a store. */
const CODE_OF_STATUS: Readonly<Record<number, string>> = {
  301: "PermanentRedirect",
  307: "TemporaryRedirect",
  403: "AccessDenied",
  405: "MethodNotAllowed",
  501: "NotImplemented",
};

/** The failure as a `StoreError` whose message says what to fix. */
export function toS3Error(failure: S3Failure, attempt: S3Attempt, cause: unknown): StoreError {
  const code =
    isMissigned(failure) && attempt.isKeyProven === true ? "SignedOtherwise" : codeOf(failure);
  const shown = GROUPED.has(code) ? (failure.errno ?? failure.name) : code;
  const status = failure.status === undefined ? "" : `, HTTP ${failure.status}`;
  const remedy = REMEDY_OF.get(code) ?? describeUnknown(failure);
  const words = remedy
    .replaceAll("{setting}", SETTING_OF[attempt.role])
    .replace("{message}", () => failure.message);
  return failedAttempt(attempt, `${shown}${status}`, words, {
    cause,
    isUnknown: isUncertain(failure),
    sharedFault: REMEDY_OF.has(code) && !OF_ONE_BUCKET.has(code) ? code : undefined,
  });
}

/** Codes of ours for which messages show the name from the system or the store. */
const GROUPED = new Set(["IsFolder", "SignedOtherwise", "UNTRUSTED", "PLAIN"]);

/** Faults that another bucket at the same endpoint need not have. */
const OF_ONE_BUCKET = new Set([
  "AccessDenied",
  "NoSuchBucket",
  "InvalidBucketName",
  "QuotaExceeded",
  "IsFolder",
  "TemporaryRedirect",
  "PermanentRedirect",
  "AuthorizationHeaderMalformed",
  "RegionMissing",
]);

/** OpenSSL's reasons when the other side does not speak TLS. */
const NO_TLS = /wrong version number|packet length too long/u;

function codeOf({ errno, name, status, message }: S3Failure): string {
  if (IS_FOLDER.has(name)) return "IsFolder";
  if (UNTRUSTED.test(errno ?? "") && NO_TLS.test(message)) return "PLAIN";
  if (errno !== undefined && REMEDY_OF.has(errno)) return errno;
  if (UNTRUSTED.test(errno ?? "")) return "UNTRUSTED";
  if (REMEDY_OF.has(name) || status === undefined) return name;
  return CODE_OF_STATUS[status] ?? name;
}

function describeUnknown(failure: S3Failure): string {
  const { status } = failure;
  // The SDK adds a hint for programmers about its error object.
  const message = failure.message.replace(/\s*Deserialization error:.*$/su, "");
  if (status === 429 || status === 503)
    return "the store stayed too busy. Run again later, or ask its operator for a higher limit.";
  if (status !== undefined && status >= 500)
    return `the store failed ("${message}"), also after retries. Check its own log, or run again later.`;
  return `the store answered "${message}". Is the endpoint in {setting} an S3 store?`;
}
