import { StoreError, type StoreOperation } from "../model/store.ts";
import { SETTING_OF, type StoreRole } from "./settings.ts";

/** What a failing request was about. */
export interface S3Attempt {
  readonly storeName: string;
  readonly role: StoreRole;
  readonly operation: StoreOperation;
  readonly key: string;
  /** The store takes other requests that are signed with the same key. @default false */
  readonly isKeyProven?: boolean;
}

/** The parts of an error of the SDK that matter here. */
export interface S3Failure {
  readonly name: string;
  readonly message: string;
  /** Undefined: no answer came. */
  readonly status: number | undefined;
  /** Code of a system call, such as ECONNREFUSED. */
  readonly errno: string | undefined;
}

/** Reads an error of the SDK; undefined when it is none, so a defect of ours. */
export function readFailure(error: unknown): S3Failure | undefined {
  if (!(error instanceof Error)) return undefined;
  const status = statusOf(error);
  const errno = "code" in error && typeof error.code === "string" ? error.code : undefined;
  const { message } = error;
  if (message === "Region is missing") return { name: "RegionMissing", message, status, errno };
  if (status === undefined && errno === undefined && !KNOWN_WITHOUT_ANSWER.test(error.name))
    return undefined;
  return { name: error.name, message, status, errno };
}

/** Errors of the SDK that come without an HTTP answer. */
const KNOWN_WITHOUT_ANSWER =
  /^(TimeoutError|AbortError|CredentialsProviderError|TokenProviderError|NetworkingError)$/u;

function statusOf(error: Error): number | undefined {
  const status =
    readNumber(error, "$metadata", "httpStatusCode") ??
    readNumber(error, "$response", "statusCode");
  // A success that the SDK could not read is no answer of a store.
  return status !== undefined && status >= 300 ? status : undefined;
}

function readNumber(error: Error, holder: string, name: string): number | undefined {
  const value: unknown = Reflect.get(error, holder);
  if (typeof value !== "object" || value === null) return undefined;
  const number: unknown = Reflect.get(value, name);
  return typeof number === "number" ? number : undefined;
}

/** Whether the store has no such object. An answer to `find` (HEAD) has no body to say so; any other 404 without a code is of no store. */
export function isAbsent({ status, name }: S3Failure, operation: StoreOperation): boolean {
  return status === 404 && (name === "NoSuchKey" || (operation === "find" && name === "NotFound"));
}

/** Whether the store computed another signature: of another key, or in another way. */
export function isMissigned({ name }: S3Failure): boolean {
  return name === "SignatureDoesNotMatch";
}

/** Whether the store was only busy: it did nothing, and may be asked again. Source: S3 error responses (409 conflict, 429/503 SlowDown). */
export function isBusy({ status, name }: S3Failure): boolean {
  return (status === 409 && !IS_FOLDER.has(name)) || status === 429 || status === 503;
}

/** The object would be a folder of others, or lie below one. Names: MinIO; versitygw, in both orders. */
const IS_FOLDER = new Set([
  "XMinioParentIsObject",
  "ObjectParentIsFile",
  "ExistingObjectIsDirectory",
]);

/** No connection came about, so nothing was asked. Codes: errno(3), getaddrinfo(3). */
const UNREACHED = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENETDOWN",
]);

/** What is wrong with the certificate of the endpoint, or the endpoint speaks no TLS at all. Names: Node's TLS and OpenSSL. */
const UNTRUSTED = /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|EPROTO$)/u;

/** Whether nobody was there to be asked. The SDK's connect time-out has no code, its request time-out has ETIMEDOUT. */
export function isUnreached({ status, errno, name }: S3Failure): boolean {
  if (status !== undefined) return false;
  return errno === undefined ? name === "TimeoutError" : UNREACHED.has(errno);
}

/** Whether the request may have been carried out although it failed. */
export function isUncertain(failure: S3Failure): boolean {
  const { status, errno, name } = failure;
  // 501: the store does not know how, so it did not. 503: it was too busy to begin.
  if (status !== undefined) return status >= 500 && status !== 501 && status !== 503;
  if (isUnreached(failure) || UNTRUSTED.test(errno ?? "")) return false;
  return !/Provider|^RegionMissing$/u.test(name);
}

/** How far a request has come that has just failed. */
export interface Trial {
  /** From 1. */
  readonly attempt: number;
  readonly elapsedMs: number;
  /** No try begins later than this after the first. */
  readonly patienceMs: number;
  readonly isConditional: boolean;
}

/** A service that restarts is away for a second; a wrong endpoint shall not keep a person waiting. */
const UNREACHED_TRIES = 4;

/**
 * Whether to try again. A conditional write that may have happened is not repeated: the second try would lose against the
 * first, and only the caller can tell whose bytes are there now.
 */
export function mayRepeat(failure: S3Failure, trial: Trial): boolean {
  if (trial.elapsedMs > trial.patienceMs) return false;
  if (isUnreached(failure)) return trial.attempt < UNREACHED_TRIES;
  return isBusy(failure) || (!trial.isConditional && isUncertain(failure));
}

const REMEDIES: Readonly<Record<string, string>> = {
  InvalidAccessKeyId:
    "the store does not know this access key. Mend AWS_ACCESS_KEY_ID (or the profile it comes from).",
  SignatureDoesNotMatch:
    "the secret key is wrong. Mend AWS_SECRET_ACCESS_KEY (or the profile it comes from).",
  // s3proxy 2.6.0 does so with conditional writes.
  SignedOtherwise:
    "the secret key is right, for the store takes other requests that are signed with it; but it computes the signature of this kind of request in another way than S3 does. Choose another store, or another version of it: docs/publishing.md.",
  AccessDenied:
    "these credentials may not do that. Give them the right to list the bucket of {setting} (without it an absent object looks forbidden) and to read, write and delete objects in it.",
  NoSuchBucket: "there is no such bucket. Make it, or mend {setting}.",
  RequestTimeTooSkewed:
    "the clock of this machine and that of the store are more than 15 minutes apart. Set the clock (NTP): what is published carries its time.",
  RequestExpired:
    "the clock of this machine and that of the store are too far apart. Set the clock (NTP): what is published carries its time.",
  PermanentRedirect: "the bucket is in another region. Mend endpoint and region in {setting}.",
  AuthorizationHeaderMalformed:
    "the bucket is in another region. Mend region in {setting} (or AWS_REGION).",
  ExpiredToken: "the credentials have expired. Renew them (AWS_SESSION_TOKEN, or the profile).",
  InvalidToken: "AWS_SESSION_TOKEN is wrong. Renew it, or remove it if these keys need none.",
  QuotaExceeded: "the quota is used up. Raise it, or clear space in the bucket of {setting}.",
  IsFolder:
    "the store cannot keep an object beside others below it. Add keys=suffixed to {setting}, before anything is published there.",
  InvalidBucketName: "the store takes no bucket of this name. Mend {setting}.",
  NotImplemented:
    "the store does not know conditional writes. Choose another store, or a newer version of it: docs/publishing.md.",
  NotFound:
    "what answers there knows no buckets, so it is no S3 store. Mend the endpoint in {setting}.",
  MethodNotAllowed:
    "what answers there takes no such request, so it is no S3 store. Mend the endpoint in {setting}.",
  RegionMissing: "no region is set. Add region=… to {setting}, or set AWS_REGION.",
  CredentialsProviderError:
    "no credentials were found. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE.",
  TimeoutError:
    "the store did not answer in time. Check the network, and the endpoint in {setting}.",
  AbortError: "the store did not answer in time. Check the network, and the endpoint in {setting}.",
  ECONNREFUSED:
    "nothing listens at the endpoint. Start the store, or mend the endpoint in {setting}.",
  ENOTFOUND: "the host of the endpoint has no address. Mend the endpoint in {setting}.",
  EAI_AGAIN: "the name service does not answer. Check DNS on this machine.",
  EHOSTUNREACH:
    "there is no way to the endpoint. Check the network, and the endpoint in {setting}.",
  ENETUNREACH: "there is no way to the endpoint. Check the network, and the endpoint in {setting}.",
  UNTRUSTED:
    'no trusted TLS connection to the endpoint ("{message}"). Mend the endpoint in {setting} (http or https?), or trust its authority by NODE_EXTRA_CA_CERTS.',
  ECONNRESET: "the store cut the connection. Check the network, and the endpoint in {setting}.",
};

/** What an answer means that has no error code in it, as those to HEAD (which have no body) and those of no store at all. */
const CODE_OF_STATUS: Readonly<Record<number, string>> = {
  301: "PermanentRedirect",
  307: "PermanentRedirect",
  403: "AccessDenied",
  405: "MethodNotAllowed",
  501: "NotImplemented",
};

/** The failure as a `StoreError` whose message says what to mend. */
export function toS3Error(failure: S3Failure, attempt: S3Attempt, cause: unknown): StoreError {
  const { storeName, operation, key, role } = attempt;
  const code =
    isMissigned(failure) && attempt.isKeyProven === true ? "SignedOtherwise" : codeOf(failure);
  const shown =
    code === "UNTRUSTED" ? (failure.errno ?? code) : GROUPED.has(code) ? failure.name : code;
  const status = failure.status === undefined ? "" : `, HTTP ${failure.status}`;
  const remedy = REMEDIES[code] ?? describeUnknown(failure);
  const words = remedy
    .replaceAll("{setting}", SETTING_OF[role])
    .replace("{message}", () => failure.message);
  return new StoreError(
    operation,
    key,
    `${storeName}: cannot ${operation} ${key} (${shown}${status}): ${words}`,
    { cause, isUnknown: isUncertain(failure) },
  );
}

/** Codes of ours that stand for names of the store. */
const GROUPED = new Set(["IsFolder", "SignedOtherwise"]);

function codeOf({ errno, name, status }: S3Failure): string {
  if (IS_FOLDER.has(name)) return "IsFolder";
  if (errno !== undefined && errno in REMEDIES) return errno;
  if (UNTRUSTED.test(errno ?? "")) return "UNTRUSTED";
  if (name in REMEDIES || status === undefined) return name;
  return CODE_OF_STATUS[status] ?? name;
}

function describeUnknown(failure: S3Failure): string {
  const { status } = failure;
  // What the SDK adds for programmers, who would find more in an object of theirs.
  const message = failure.message.replace(/\s*Deserialization error:.*$/su, "");
  if (status === 429 || status === 503)
    return "the store is too busy, and stayed so. Run again later, or ask its operator for a higher limit.";
  if (status !== undefined && status >= 500)
    return `the store failed ("${message}"), and went on failing. Look at its own log, or run again later.`;
  return `the store answered "${message}". Is the endpoint in {setting} an S3 store?`;
}
