import { StoreError, type StoreOperation } from "../model/store.ts";
import { SETTING_OF, type StoreRole } from "./settings.ts";

/** What a failing request was about. */
export interface S3Attempt {
  readonly storeName: string;
  readonly role: StoreRole;
  readonly operation: StoreOperation;
  readonly key: string;
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
  if (status === undefined && errno === undefined && !KNOWN_WITHOUT_ANSWER.test(error.name))
    return undefined;
  return { name: error.name, message: error.message, status, errno };
}

/** Errors of the SDK that come without an HTTP answer. */
const KNOWN_WITHOUT_ANSWER =
  /^(TimeoutError|AbortError|CredentialsProviderError|TokenProviderError|NetworkingError)$/u;

function statusOf(error: Error): number | undefined {
  if (!("$metadata" in error)) return undefined;
  const metadata = error.$metadata;
  if (typeof metadata !== "object" || metadata === null || !("httpStatusCode" in metadata))
    return undefined;
  return typeof metadata.httpStatusCode === "number" ? metadata.httpStatusCode : undefined;
}

/** Whether the store was only busy: it did nothing, and may be asked again. Source: S3 error responses (409 conflict, 429/503 SlowDown). */
export function isBusy({ status }: S3Failure): boolean {
  return status === 409 || status === 429 || status === 503;
}

/** Whether the request may have been carried out although it failed. */
export function isUncertain({ status, errno, name }: S3Failure): boolean {
  if (status !== undefined) return status >= 500 && status !== 503;
  return errno !== "ECONNREFUSED" && errno !== "ENOTFOUND" && !/Provider/u.test(name);
}

const REMEDIES: Readonly<Record<string, string>> = {
  InvalidAccessKeyId:
    "the store does not know this access key. Mend AWS_ACCESS_KEY_ID (or the profile it comes from).",
  SignatureDoesNotMatch:
    "the secret key is wrong. Mend AWS_SECRET_ACCESS_KEY (or the profile it comes from).",
  AccessDenied:
    "these credentials may not do that. Give them the right to list the bucket of {setting} (without it an absent object looks forbidden) and to read, write and delete objects in it.",
  NoSuchBucket: "there is no such bucket. Make it, or mend {setting}.",
  RequestTimeTooSkewed: "the clock of this machine is off by more than 15 minutes. Set it (NTP).",
  PermanentRedirect: "the bucket is in another region. Mend endpoint and region in {setting}.",
  CredentialsProviderError:
    "no credentials were found. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE.",
  TimeoutError:
    "the store did not answer in time. Check the network, and the endpoint in {setting}.",
  AbortError: "the store did not answer in time. Check the network, and the endpoint in {setting}.",
  ECONNREFUSED:
    "nothing listens at the endpoint. Start the store, or mend the endpoint in {setting}.",
  ENOTFOUND: "the host of the endpoint has no address. Mend the endpoint in {setting}.",
  ECONNRESET: "the store cut the connection. Check the network, and the endpoint in {setting}.",
};

/** The failure as a `StoreError` whose message says what to mend. */
export function toS3Error(failure: S3Failure, attempt: S3Attempt, cause: unknown): StoreError {
  const { storeName, operation, key, role } = attempt;
  const code =
    failure.errno !== undefined && failure.errno in REMEDIES ? failure.errno : failure.name;
  const status = failure.status === undefined ? "" : `, HTTP ${failure.status}`;
  const remedy = REMEDIES[code] ?? `the store answered "${failure.message}".`;
  return new StoreError(
    operation,
    key,
    `${storeName}: cannot ${operation} ${key} (${code}${status}): ${remedy.replace("{setting}", SETTING_OF[role])}`,
    { cause, isUnknown: isUncertain(failure) },
  );
}
