import { CACHE_A_MINUTE } from "../cache-policy.ts";
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
export interface Document {
  /** As in the URL, without a leading slash: `api/v1/status`. */
  readonly key: string;
  readonly contentType: string;
  readonly cacheControl: string;
  readonly body: Uint8Array;
  /** Digest of all that the bytes follow from. It shows without them whether they have changed. Absent: the bytes are there. */
  readonly signature?: string;
}

/** A text that is made when it is read first. */
export function toLateDocument(
  key: string,
  contentType: string,
  signature: string,
  make: () => string,
): Document {
  let body: Uint8Array | undefined;
  return {
    key,
    contentType,
    cacheControl: CACHE_A_MINUTE,
    signature,
    get body() {
      return (body ??= new TextEncoder().encode(make()));
    },
  };
}

/** The documents of the website in the order of writing: those of a step need those of the steps before. */
export type Site = readonly (readonly Document[])[];

/** A public JSON document. */
export function toJsonDocument(key: string, content: object): Document {
  return toTextDocument(key, "application/json; charset=utf-8", JSON.stringify(content));
}

/** A public document of text. */
export function toTextDocument(key: string, contentType: string, text: string): Document {
  return { key, contentType, cacheControl: CACHE_A_MINUTE, body: new TextEncoder().encode(text) };
}
