import { CACHE_CONTROL, CONTENT_TYPES, findServedKey } from "../public-paths.ts";
import type { StoredObject } from "../store.ts";
import type { ReportCounts } from "./reports.ts";
import type { Verdict } from "../../contract/codes/verdict.ts";

/** The published data of one service. */
export interface ServiceSnapshot {
  readonly slug: string;
  readonly name: string;
  readonly verdict: Verdict;
  readonly reports: ReportCounts;
}

/** The source of all public documents. */
export interface Snapshot {
  /** Time of the last run of checks. */
  readonly updatedAtMs: number;
  /** In catalogue order. */
  readonly services: readonly ServiceSnapshot[];
}

/** One published object. */
export interface Document extends StoredObject {
  /** As in the URL, without a leading slash: `api/v1/status`. */
  readonly key: string;
  /** Digest of all that the bytes follow from. It shows without them whether they have changed. Absent: the bytes are there. */
  readonly signature?: string;
}

/** The headers with which the object of a key is published. Throws a `RangeError` if the key is not a public path. */
function headersOf(key: string): Omit<StoredObject, "body"> {
  const served = findServedKey(key);
  if (served === undefined) throw new RangeError(`${key} is not a public path`);
  return { contentType: CONTENT_TYPES[served.kind], cacheControl: CACHE_CONTROL[served.lasts] };
}

/** A public document. Throws a `RangeError` if the key is not a public path. */
export function toDocument(key: string, body: Uint8Array | string): Document {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  return { key, ...headersOf(key), body: bytes };
}

/** A public JSON document. Throws as `toDocument`. */
export function toJsonDocument(key: string, content: object): Document {
  return toDocument(key, JSON.stringify(content));
}

/** A public document of a text that is made when it is read first. Throws as `toDocument`. */
export function toLateDocument(key: string, signature: string, make: () => string): Document {
  let body: Uint8Array | undefined;
  return {
    key,
    ...headersOf(key),
    signature,
    get body() {
      return (body ??= new TextEncoder().encode(make()));
    },
  };
}

/** The documents of the website in the order of writing: those of a step need those of the steps before. */
export type Site = readonly (readonly Document[])[];
