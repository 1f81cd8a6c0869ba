import type { KeyStyle } from "./key.ts";

/** A parsed `s3://` URL. */
export interface S3Location {
  readonly bucket: string;
  /** Without leading and trailing slashes; empty for the whole bucket. */
  readonly prefix: string;
  /** Undefined: AWS itself. */
  readonly endpoint: string | undefined;
  readonly region: string | undefined;
  readonly isPathStyle: boolean;
  /** `suffixed`: `api/v1/status.json`, for stores where an object cannot also be a folder. */
  readonly keyStyle: KeyStyle;
  /** How the store expects the tag in `If-Match`. `auto`: quoted (RFC 9110), and unquoted once that proves wrong. */
  readonly etagStyle: "auto" | "quoted" | "unquoted";
}

export type ParsedS3Url =
  | { readonly kind: "ok"; readonly location: S3Location }
  | { readonly kind: "invalid"; readonly problem: string };

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/u;
/** The names that most stores allow. Source: Amazon S3 User Guide, "General purpose bucket naming rules". */
const BUCKET_RULE =
  "it has 3 to 63 lowercase Latin letters, digits, dots and hyphens, with a letter or digit at both ends.";
const PARAMETERS = ["endpoint", "region", "pathStyle", "keys", "etag"] as const;

/** Parses `s3://BUCKET/PREFIX?endpoint=…&region=…&pathStyle=true&keys=suffixed&etag=unquoted`. Never throws. */
export function parseS3Url(url: string): ParsedS3Url {
  const [head = "", ...rest] = url.slice("s3://".length).split("?");
  const query = rest.join("?");
  const [bucket = "", ...segments] = head.split("/");
  const parameters = new URLSearchParams(query);
  const problems = findProblems(bucket, segments, parameters);
  if (problems.length > 0)
    return { kind: "invalid", problem: `"${hidePassword(url)}": ${problems.join(" ")}` };
  const endpoint = parameters.get("endpoint") ?? undefined;
  return {
    kind: "ok",
    location: {
      bucket,
      prefix: segments.filter((segment) => segment !== "").join("/"),
      endpoint,
      region: parameters.get("region") ?? undefined,
      // Stores other than AWS seldom have a host name for each bucket.
      isPathStyle: (parameters.get("pathStyle") ?? String(endpoint !== undefined)) === "true",
      keyStyle: parameters.get("keys") === "suffixed" ? "suffixed" : "exact",
      etagStyle: readEtagStyle(parameters.get("etag")),
    },
  };
}

function readEtagStyle(value: string | null): S3Location["etagStyle"] {
  return value === "quoted" || value === "unquoted" ? value : "auto";
}

const VALUES: Readonly<Record<string, readonly string[]>> = {
  pathStyle: ["true", "false"],
  keys: ["exact", "suffixed"],
  etag: ["auto", "quoted", "unquoted"],
};

/** All problems at once. */
function findProblems(
  bucket: string,
  segments: readonly string[],
  parameters: URLSearchParams,
): readonly string[] {
  const names = [...new Set(parameters.keys())];
  return [
    ...(BUCKET.test(bucket)
      ? []
      : [`"${bucket}" is not a bucket name: ${BUCKET_RULE} Write s3://BUCKET/PREFIX?….`]),
    ...findPrefixProblems(segments),
    ...names.flatMap((name) => findParameterProblems(name, parameters)),
  ];
}

function findParameterProblems(name: string, parameters: URLSearchParams): readonly string[] {
  const [value = "", ...more] = parameters.getAll(name);
  if (!PARAMETERS.some((known) => known === name))
    return [`there is no parameter "${name}". Use ${PARAMETERS.join(", ")}.`];
  if (more.length > 0) return [`there is more than one "${name}". Keep one.`];
  const values = VALUES[name];
  if (values !== undefined && !values.includes(value))
    return [`${name}=${value}: use ${values.join(" or ")}.`];
  if (name === "region" && value === "") return ["region= is empty. Name one, or leave it out."];
  if (name !== "endpoint" || isEndpoint(value)) return [];
  return [
    `endpoint=${hidePassword(value)}: give a URL such as https://storage.yandexcloud.net, and keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`,
  ];
}

function isEndpoint(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/u.test(protocol) && `${username}${password}${search}${hash}` === "";
}

function hidePassword(text: string): string {
  return text.replace(/\/\/[^/@]*@/u, "//…@");
}

/** Characters and segments that an HTTP client or a proxy would normalize or decode. */
function findPrefixProblems(segments: readonly string[]): readonly string[] {
  return segments
    .filter((one) => one === "." || one === ".." || /[%#\\\p{Cc}\p{Cs}]/u.test(one))
    .map((odd) => `the prefix cannot contain "${odd}". Use letters and digits.`);
}
