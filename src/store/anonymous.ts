import { toObjectName } from "./key.ts";
import type { S3Location } from "./s3-url.ts";

const TIMEOUT_MS = 10_000;

/** What a request without credentials got. */
export interface AnonymousAnswer {
  readonly status: number;
  /** The store's own clock, to the second; undefined when it does not tell. */
  readonly dateMs: number | undefined;
}

/** The address of an object as anybody would ask for it. */
export function addressOf(location: S3Location, key: string): URL {
  const { bucket, prefix, endpoint, region, isPathStyle, keyStyle } = location;
  const name = toObjectName(key, keyStyle);
  const path = [...(isPathStyle ? [bucket] : []), ...(prefix === "" ? [] : [prefix]), name].join(
    "/",
  );
  const base = new URL(endpoint ?? `https://s3.${region ?? "us-east-1"}.amazonaws.com`);
  if (!isPathStyle) base.hostname = `${bucket}.${base.hostname}`;
  return new URL(`${base.pathname.replace(/\/$/u, "")}/${path}`, base);
}

/** Asks for an address without credentials. Undefined when no answer came. */
export async function askAnonymously(address: URL): Promise<AnonymousAnswer | undefined> {
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
