import type { ProofMethod } from "./owned-monitor.ts";
import type { FailureCode } from "../probe-outcome.ts";

/** What was found at one place where a proof may be. */
export type PlaceFinding =
  /** One of the tokens that were looked for. */
  | { readonly kind: "found"; readonly token: string }
  /** Something else. `excerpt`: its beginning, hostile. */
  | { readonly kind: "other"; readonly excerpt: string }
  /** The site or the DNS says that there is nothing. */
  | { readonly kind: "absent"; readonly httpStatus?: number }
  /** A redirect to another domain, which proves nothing about this one. */
  | { readonly kind: "elsewhere"; readonly host: string }
  /** It could not be read. */
  | { readonly kind: "failed"; readonly code: FailureCode };

/** One look for the proof of a monitor. */
export interface ProofLook {
  readonly atMs: number;
  /** The domain refuses to be monitored. */
  readonly isDenied: boolean;
  /** What it reads there ended the thread that read it: it is not looked at again by itself. */
  readonly hasEndedReader?: true;
  /** By method, in the order in which they were tried; those after the first that was found are missing. */
  readonly places: ReadonlyMap<
    ProofMethod,
    { readonly place: string; readonly finding: PlaceFinding }
  >;
}

/** What to look for. */
export interface ProofQuery {
  readonly id: string;
  readonly url: string;
  readonly tokens: readonly string[];
  /** Time for all of it. */
  readonly withinMs: number;
}

/** Looks for a proof. Never rejects. */
export type LookForProof = (query: ProofQuery) => Promise<ProofLook>;
