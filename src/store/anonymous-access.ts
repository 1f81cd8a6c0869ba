import { toObjectName } from "./key.ts";
import { folderOf, type S3Location } from "./location.ts";

const TIMEOUT_MS = 10_000;

/** The URL of an object for a client without credentials. */
export function addressOf(location: S3Location, key: string): URL {
  const { bucket, endpoint, region, isPathStyle, keyStyle } = location;
  const name = folderOf(location) + toObjectName(key, keyStyle);
  const path = isPathStyle ? `${bucket}/${name}` : name;
  const base = new URL(endpoint ?? `https://s3.${region ?? "us-east-1"}.amazonaws.com`);
  if (!isPathStyle) base.hostname = `${bucket}.${base.hostname}`;
  return new URL(`${base.pathname.replace(/\/$/u, "")}/${path}`, base);
}

/** Sends HEAD without credentials. Undefined when no response came. `dateMs`: the store's own clock, to the second, if it sends it. */
export async function requestAnonymously(address: URL) {
  try {
    const response = await fetch(address, {
      method: "HEAD",
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const dateMs = Date.parse(response.headers.get("date") ?? "");
    return { status: response.status, dateMs: Number.isNaN(dateMs) ? undefined : dateMs };
  } catch {
    return undefined;
  }
}
