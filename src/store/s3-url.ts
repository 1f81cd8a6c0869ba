/** What an `s3://` URL says. */
export interface S3Location {
  readonly bucket: string;
  /** Without slashes at its ends; empty for the whole bucket. */
  readonly prefix: string;
  /** Undefined: AWS itself. */
  readonly endpoint: string | undefined;
  readonly region: string | undefined;
  readonly isPathStyle: boolean;
  /** `suffixed`: `api/v1/status.json`, for stores where an object cannot also be a folder. */
  readonly keyStyle: "exact" | "suffixed";
  /** How the store wants the tag in `If-Match`. `auto`: quoted as RFC 9110 has it, unquoted once that proves wrong. */
  readonly etagStyle: "auto" | "quoted" | "unquoted";
}

export type ParsedS3Url =
  | { readonly kind: "ok"; readonly location: S3Location }
  | { readonly kind: "invalid"; readonly problem: string };

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/u;
const PARAMETERS = ["endpoint", "region", "pathStyle", "keys", "etag"] as const;

/** Reads `s3://BUCKET/PREFIX?endpoint=…&region=…&pathStyle=true&keys=suffixed&etag=unquoted`. Never throws. */
export function parseS3Url(url: string): ParsedS3Url {
  const [head = "", ...rest] = url.slice("s3://".length).split("?");
  const query = rest.join("?");
  const [bucket = "", ...segments] = head.split("/");
  const parameters = new URLSearchParams(query);
  const problem = findProblem(bucket, parameters) ?? findPrefixProblem(segments);
  if (problem !== undefined)
    return { kind: "invalid", problem: `"${hidePassword(url)}": ${problem}` };
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

function findProblem(bucket: string, parameters: URLSearchParams): string | undefined {
  if (!BUCKET.test(bucket))
    return `"${bucket}" is no name of a bucket. Write s3://BUCKET/PREFIX?….`;
  for (const [name, value] of parameters) {
    if (!PARAMETERS.some((known) => known === name)) {
      return `there is no parameter "${name}". Use ${PARAMETERS.join(", ")}.`;
    }
    if (parameters.getAll(name).length > 1) return `there is more than one "${name}". Keep one.`;
    const values = VALUES[name];
    if (values !== undefined && !values.includes(value))
      return `${name}=${value}: use ${values.join(" or ")}.`;
  }
  if (parameters.get("region") === "") return "region= is empty. Name one, or leave it out.";
  const endpoint = parameters.get("endpoint");
  return endpoint === null || isEndpoint(endpoint)
    ? undefined
    : `endpoint=${hidePassword(endpoint)}: give a URL such as https://storage.yandexcloud.net, and keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`;
}

function isEndpoint(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/u.test(protocol) && `${username}${password}${search}${hash}` === "";
}

function hidePassword(text: string): string {
  return text.replace(/\/\/[^/@]*@/u, "//…@");
}

/** Characters and segments that an HTTP client, or a proxy on the way, would read as something else. */
function findPrefixProblem(segments: readonly string[]): string | undefined {
  const odd = segments.find(
    (one) => one === "." || one === ".." || /[%#\\\p{Cc}\p{Cs}]/u.test(one),
  );
  return odd === undefined ? undefined : `the prefix cannot hold "${odd}". Use letters and digits.`;
}
