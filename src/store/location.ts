import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { hideCredentials } from "../model/host-name.ts";
import type { KeyStyle } from "./key.ts";

/** Where a store URL points, or why it is invalid. */
export type Location =
  | { readonly kind: "directory"; readonly path: string }
  | { readonly kind: "s3"; readonly location: S3Location }
  | { readonly kind: "unknown"; readonly problem: string };

/**
 * Parses a store URL. `file:` is followed by a path, relative to the working directory or absolute, which is not decoded;
 * `file:///…` is a URL, percent-decoded. Never throws: a problem is returned as a sentence.
 */
export function parseLocation(url: string): Location {
  if (url.startsWith("s3://")) return parseS3Url(url);
  if (!url.startsWith("file:")) {
    return unknown(
      `"${url}" is not a store. Write file:DIR, for example file:public, or s3://BUCKET/PREFIX?….`,
    );
  }
  return url.startsWith("file://") ? parseFileUrl(url) : parseFilePath(url.slice("file:".length));
}

/** The bucket of a store URL; undefined if it names none. Never throws. */
export function bucketOf(url: string): S3Location | undefined {
  const location = parseLocation(url);
  return location.kind === "s3" ? location.location : undefined;
}

/**
 * Whether two stores are the same, or one is inside the other: then a document could overwrite the state, or a web server serve it.
 * Follows symbolic links as far as the paths exist. Invalid URLs never overlap.
 */
export function locationsOverlap(publicUrl: string, stateUrl: string): boolean {
  const [published, state] = [parseLocation(publicUrl), parseLocation(stateUrl)];
  return isWithin(published, state) || isWithin(state, published);
}

/**
 * Whether a file, an object or a folder (which ends with a slash) is in a store, so that its readers can read it. What is not the URL of a
 * store is a path, whatever characters it has.
 */
export function isInStore(storeUrl: string, file: string): boolean {
  const isUrl = /^(?:file:|s3:\/\/)/u.test(file);
  const place: Location = isUrl ? parseLocation(file) : { kind: "directory", path: file };
  const isFolder = file.split("?", 1)[0]?.endsWith("/") === true;
  return isWithin(place, parseLocation(storeUrl), !isFolder);
}

/** @param isObject the prefix of the place is the name of an object. */
function isWithin(place: Location, store: Location, isObject = false): boolean {
  if (place.kind === "s3" && store.kind === "s3") {
    const [one, other] = [place.location, store.location];
    const isSameBucket = one.bucket === other.bucket && one.endpoint === other.endpoint;
    return isSameBucket && (isObject ? one.prefix : folderOf(one)).startsWith(folderOf(other));
  }
  if (place.kind !== "directory" || store.kind !== "directory") return false;
  return isInside(toRealPath(resolve(place.path)), toRealPath(resolve(store.path)));
}

/** The prefix with a slash at its end; empty for the whole bucket. */
export function folderOf({ prefix }: S3Location): string {
  return prefix === "" ? "" : `${prefix}/`;
}

function parseFileUrl(url: string): Location {
  try {
    return parsePlainPath(fileURLToPath(url));
  } catch {
    return unknown(
      `"${url}" is not a file URL of this machine. Write file:DIR, or file:///absolute/path with three slashes.`,
    );
  }
}

function parseFilePath(path: string): Location {
  if (path === "")
    return unknown('"file:" names no directory. Write file:DIR, for example file:public.');
  if (path === "~" || path.startsWith("~/")) {
    return unknown(`"file:${path}": "~" is not expanded here. Write the full path.`);
  }
  if (path.includes("?")) {
    return unknown(
      `"file:${path}": a directory takes no options. Remove the "?" and what follows it.`,
    );
  }
  return parsePlainPath(path);
}

function parsePlainPath(path: string): Location {
  if (path.includes("\0")) return unknown("A directory name cannot hold a NUL character.");
  return { kind: "directory", path };
}

function unknown(problem: string): Location {
  return { kind: "unknown", problem };
}

function isInside(path: string, folder: string): boolean {
  const step = relative(folder, path);
  return step !== ".." && !step.startsWith(`..${sep}`) && !isAbsolute(step);
}

/** A part that does not exist yet cannot be a link, so it is kept. */
function toRealPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(toRealPath(parent), basename(path));
  }
}

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

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/u;
/** The names that most stores allow. Source: Amazon S3 User Guide, "General purpose bucket naming rules". */
const BUCKET_RULE =
  "it has 3 to 63 lowercase Latin letters, digits, dots and hyphens, with a letter or digit at both ends.";

/** Parses `s3://BUCKET/PREFIX?endpoint=…&region=…&pathStyle=true&keys=suffixed&etag=unquoted`. Never throws. */
export function parseS3Url(url: string): Location {
  const [head = "", ...rest] = url.slice("s3://".length).split("?");
  const query = rest.join("?");
  const [bucket = "", ...segments] = head.split("/");
  const parameters = new URLSearchParams(query);
  const problems = findProblems(bucket, segments, parameters);
  if (problems.length > 0) return unknown(`"${hideCredentials(url)}": ${problems.join(" ")}`);
  const endpoint = parameters.get("endpoint") ?? undefined;
  const etagStyle = parameters.get("etag");
  return {
    kind: "s3",
    location: {
      bucket,
      prefix: segments.filter((segment) => segment !== "").join("/"),
      endpoint,
      region: parameters.get("region") ?? undefined,
      // Stores other than AWS seldom have a host name for each bucket.
      isPathStyle: (parameters.get("pathStyle") ?? String(endpoint !== undefined)) === "true",
      keyStyle: parameters.get("keys") === "suffixed" ? "suffixed" : "exact",
      etagStyle: etagStyle === "quoted" || etagStyle === "unquoted" ? etagStyle : "auto",
    },
  };
}

type FindProblem = (value: string) => string | undefined;

/** What is wrong with the value of each parameter. */
const PARAMETERS: ReadonlyMap<string, FindProblem> = new Map(
  Object.entries<FindProblem>({
    endpoint: (value) =>
      isEndpoint(value)
        ? undefined
        : `endpoint=${hideCredentials(value)}: give a URL such as https://storage.yandexcloud.net, and keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`,
    region: (value) => (value === "" ? "region= is empty. Name one, or leave it out." : undefined),
    pathStyle: oneOf("pathStyle", "true", "false"),
    keys: oneOf("keys", "exact", "suffixed"),
    etag: oneOf("etag", "auto", "quoted", "unquoted"),
  }),
);

function oneOf(name: string, ...values: readonly string[]): FindProblem {
  return (value) =>
    values.includes(value) ? undefined : `${name}=${value}: use ${values.join(" or ")}.`;
}

function findProblems(
  bucket: string,
  segments: readonly string[],
  parameters: URLSearchParams,
): readonly string[] {
  // Nothing of it is repeated: it may be a secret, or a part of one with a slash.
  if (/[:@]/u.test(bucket))
    return [
      'a bucket has no ":" or "@" in its name. Write s3://BUCKET/PREFIX?endpoint=…, and keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    ];
  const names = [...new Set(parameters.keys())];
  return [
    ...(BUCKET.test(bucket)
      ? []
      : [`"${bucket}" is not a bucket name: ${BUCKET_RULE} Write s3://BUCKET/PREFIX?….`]),
    ...findPrefixProblems(segments),
    ...names.flatMap((name) => findParameterProblem(name, parameters) ?? []),
  ];
}

function findParameterProblem(name: string, parameters: URLSearchParams): string | undefined {
  const [value = "", ...more] = parameters.getAll(name);
  const find = PARAMETERS.get(name);
  if (find === undefined)
    return `"${name}" is not a parameter. Use ${[...PARAMETERS.keys()].join(", ")}.`;
  return more.length > 0 ? `there is more than one "${name}". Keep one.` : find(value);
}

function isEndpoint(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/u.test(protocol) && `${username}${password}${search}${hash}` === "";
}

/** Characters and segments that an HTTP client or a proxy would normalize or decode. */
function findPrefixProblems(segments: readonly string[]): readonly string[] {
  return segments
    .filter((one) => one === "." || one === ".." || /[%#\\\p{Cc}\p{Cs}]/u.test(one))
    .map((odd) => `the prefix cannot contain "${odd}". Use letters and digits.`);
}
