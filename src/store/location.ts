import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseS3Url, type S3Location } from "./s3-url.ts";

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
  if (url.startsWith("s3://")) return parseBucket(url);
  if (!url.startsWith("file:")) {
    return unknown(
      `"${url}" is not a store. Write file:DIR, for example file:public, or s3://BUCKET/PREFIX?….`,
    );
  }
  return url.startsWith("file://") ? parseFileUrl(url) : parseFilePath(url.slice("file:".length));
}

/**
 * Whether two stores are the same, or one is inside the other: then a document could overwrite the state, or a web server serve it.
 * Follows symbolic links as far as the paths exist. Invalid URLs never overlap.
 */
export function locationsOverlap(publicUrl: string, stateUrl: string): boolean {
  const published = parseLocation(publicUrl);
  const state = parseLocation(stateUrl);
  if (published.kind === "s3" && state.kind === "s3") return isSameSubtree(published, state);
  if (published.kind !== "directory" || state.kind !== "directory") return false;
  const publicPath = toRealPath(resolve(published.path));
  const statePath = toRealPath(resolve(state.path));
  return isInside(statePath, publicPath) || isInside(publicPath, statePath);
}

/**
 * Whether a file, an object `s3://BUCKET/PREFIX/NAME?…`, or a folder `s3://BUCKET/PREFIX/?…`, is in a store, so that a reader of the
 * store can read it.
 */
export function isInStore(storeUrl: string, file: string): boolean {
  const store = parseLocation(storeUrl);
  const place = parseLocation(file.includes(":") ? file : `file:${file}`);
  if (store.kind === "s3" && place.kind === "s3") {
    const { bucket, endpoint, prefix } = store.location;
    const inside = prefix === "" ? "" : `${prefix}/`;
    const { location } = place;
    const [head = ""] = file.split("?");
    const path = head.endsWith("/") ? `${location.prefix}/` : location.prefix;
    return location.bucket === bucket && location.endpoint === endpoint && path.startsWith(inside);
  }
  if (store.kind !== "directory" || place.kind !== "directory") return false;
  return isInside(toRealPath(resolve(place.path)), toRealPath(resolve(store.path)));
}

function parseBucket(url: string): Location {
  const parsed = parseS3Url(url);
  return parsed.kind === "ok" ? { kind: "s3", location: parsed.location } : unknown(parsed.problem);
}

type Bucket = Extract<Location, { kind: "s3" }>;

function isSameSubtree({ location: one }: Bucket, { location: other }: Bucket): boolean {
  if (one.bucket !== other.bucket || one.endpoint !== other.endpoint) return false;
  const [a, b] = [`${one.prefix}/`.replace(/^\/$/u, ""), `${other.prefix}/`.replace(/^\/$/u, "")];
  return a.startsWith(b) || b.startsWith(a);
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
