import { LINES } from "./choices.ts";
import * as z from "zod";
import type { ConnectivityState } from "./connectivity.ts";
import type { Endpoint } from "./catalogue.ts";
import type { ResultCode } from "../failures.ts";
import { EXPERIMENT_STEP } from "./interference.ts";
import { mapOf } from "../stored-maps.ts";
import { count, instant, packedRow, type Stored } from "../stored-parts.ts";

/** `control`: abroad, makes or withholds a claim of blocking. `moscow`: a fixed line or data centre there, votes. Others: shown only. */
export const VANTAGE_KINDS = ["control", "moscow", "region", "mobile"] as const;
export type VantageKind = (typeof VANTAGE_KINDS)[number];

export const VANTAGE = z.strictObject({
  id: z.string(),
  kind: z.enum(VANTAGE_KINDS),
  /** ISO 3166-1, two letters. */
  country: z.string(),
  /** Number of its autonomous system. */
  asn: count,
  /** Name of the network, as people know it. */
  network: z.string(),
  /** Absent: not told, which counts as `hosting`. */
  line: z.exactOptional(z.enum(LINES)),
  /** Ed25519, base64url, 32 bytes. */
  publicKey: z.string(),
});

/** Another place that probes what the runner asks for. */
export type Vantage = Stored<typeof VANTAGE>;

/** What a probe needs to know of an endpoint. */
export type AskedEndpoint = Omit<Endpoint, "what" | "whatRu" | "isCritical" | "refuses">;

export const ASK_MARK = z.strictObject({
  /** Random, so that it cannot be answered before it was asked. */
  id: z.string(),
  atMs: instant,
  /** Digest of the list of its URLs, as in the answers. */
  urls: z.string(),
  /** By URL, of endpoints that fail for the runner: the address that it connected to, or null. */
  failing: mapOf(z.string().nullable()),
});

/** What the state keeps of an ask, to know its answers. */
export type AskMark = Stored<typeof ASK_MARK>;

/** What the runner asks its vantages to probe. */
export interface Ask extends Omit<AskMark, "urls"> {
  /** Id of the ask before; null: there was none. It orders asks, because the runner's clock may be set back. */
  readonly after: string | null;
  /** Ids of the vantages that make the experiment after a failure of their own: the places in Moscow. */
  readonly experimenters: readonly string[];
  /** URLs that these ask as a browser would, too: critical endpoints abroad. */
  readonly browsers: readonly string[];
  readonly endpoints: readonly AskedEndpoint[];
}

/** What a vantage says of an endpoint beside its code. */
export const SEEN = z.strictObject({
  /** Status of the last answer. */
  status: z.exactOptional(z.int().min(100).max(999)),
  /** A wall answered in place of the service. */
  wall: z.exactOptional(z.literal(true)),
  /** The answer was longer than what filters let pass. */
  large: z.exactOptional(z.literal(true)),
  /** Of an endpoint that fails for the runner: SHA-256 of the public key of the certificate, base64url. */
  key: z.exactOptional(z.string().max(64)),
  /** Of an endpoint that fails for the runner: milliseconds until the runner's address had accepted a connection. */
  connectMs: z.exactOptional(z.int().min(0).max(600_000)),
  /** Of a place in Moscow: what a browser got, `opens` or where it ended. */
  browser: z.exactOptional(z.enum(["opens", "tcp", "tls", "http", "body"])),
  /** Of a place in Moscow: the further connections after a failure of its own. */
  steps: z.exactOptional(z.array(EXPERIMENT_STEP).max(8).readonly()),
});

export type Seen = Stored<typeof SEEN>;

/** What a result says of its endpoint. `nothing`: it was not probed, the owner refuses the place, or what answered is not what usually does. */
export const SAID = ["works", "fails", "nothing"] as const;
export type Said = (typeof SAID)[number];

/** How an endpoint answered a vantage. */
export interface VantageResult {
  /** `denied`: the owner refuses the vantage's region. `skipped`: not probed. */
  readonly code: ResultCode;
  readonly ms: number;
  readonly address?: string;
  /** How the same endpoint answered at the address that the runner had connected to. Absent: not tried. */
  readonly sameAddress?: (typeof SAME_ADDRESS)[number];
  readonly seen?: Seen;
}

/** `unreachable`: no connection, as to a cache that serves only its own provider. */
export const SAME_ADDRESS = ["works", "fails", "unreachable"] as const;

/** What is kept of a result; the address only of an endpoint that fails for the runner. */
export type HeardResult = Omit<VantageResult, "ms">;

/** A verified answer of a vantage to one ask. */
export interface VantageEvidence {
  readonly vantage: string;
  readonly askId: string;
  /** Digest of the list of URLs that it was asked for. */
  readonly urls: string;
  /** By the clock of the vantage, which proves nothing. */
  readonly atMs: number;
  /** Its own connection, by its own anchors. */
  readonly connectivity: ConnectivityState;
  /** A mobile network that lets only listed sites through; null: it has no anchors to tell. */
  readonly isWhiteList: boolean | null;
  /** In the order of the ask. */
  readonly results: readonly VantageResult[];
}

/** The last answer of a vantage that was believed. */
export interface HeardVantage extends Omit<
  VantageEvidence,
  "vantage" | "urls" | "atMs" | "results"
> {
  /** Time of the run that read it. */
  readonly heardAtMs: number;
  /** By URL. */
  readonly results: ReadonlyMap<string, HeardResult>;
}

export const DAY_TALLY = packedRow({ day: count, healthy: count, failed: count });

/** How often an endpoint answered a vantage on one UTC day, in slots in which it answered the runner. */
export type DayTally = Stored<typeof DAY_TALLY>;

export const SIGNED_EVIDENCE = z.strictObject({
  payload: z.string(),
  protected: z.string(),
  signature: z.string(),
});

/** The JWS of an answer, as the vantage signed it. */
export type SignedEvidence = Stored<typeof SIGNED_EVIDENCE>;

/** An answer that is published as it was signed. */
export interface CitedEvidence {
  readonly askId: string;
  readonly atMs: number;
  /** What its results are about, in their order. */
  readonly urls: readonly string[];
  readonly signed: SignedEvidence;
}

/** The fields of every `VantagesState`, without a vantage. */
export const NO_VANTAGES = {
  /** As they were configured for the last run, in the order of their file. */
  vantages: [] as readonly Vantage[],
  /** The last two, older first. */
  asks: [] as readonly AskMark[],
  /** By id. */
  heard: new Map() as ReadonlyMap<string, HeardVantage>,
  /** By id of the vantage, then by URL: at most seven days, oldest first. */
  tallies: new Map() as ReadonlyMap<string, ReadonlyMap<string, readonly DayTally[]>>,
  /** By id: what each said when a scope changed last. */
  cited: new Map() as ReadonlyMap<string, CitedEvidence>,
  /** By URL: the status with which an endpoint answered the runner when it was last healthy, without a wall. */
  usual: new Map() as ReadonlyMap<string, number>,
};

/** What the state knows of the vantages. */
export type VantagesState = Readonly<typeof NO_VANTAGES>;

/** Of one installation. */
export const MAX_VANTAGES = 32;

/** Answers to older asks are not believed. */
export const ASKS_KEPT = 2;

/** Why evidence is not believed. Source: docs/services/vantages.md, "What is refused". */
export const EVIDENCE_REFUSALS = [
  "too-large",
  "malformed",
  "bad-signature",
  "other-vantage",
  "other-ask",
  "other-endpoints",
] as const;
export type EvidenceRefusal = (typeof EVIDENCE_REFUSALS)[number];
