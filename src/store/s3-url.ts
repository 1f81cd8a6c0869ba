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
  const [head = "", query = ""] = url.slice("s3://".length).split("?", 2);
  const [bucket = "", ...segments] = head.split("/");
  const parameters = new URLSearchParams(query);
  const problem = findProblem(bucket, parameters);
  if (problem !== undefined) return { kind: "invalid", problem: `"${url}": ${problem}` };
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
    const values = VALUES[name];
    if (values !== undefined && !values.includes(value))
      return `${name}=${value}: use ${values.join(" or ")}.`;
  }
  const endpoint = parameters.get("endpoint");
  if (endpoint === null) return undefined;
  const isHttp = URL.canParse(endpoint) && /^https?:$/u.test(new URL(endpoint).protocol);
  return isHttp
    ? undefined
    : `endpoint=${endpoint}: give a URL such as https://storage.yandexcloud.net.`;
}
