import * as z from "zod";

/** `answered`: with more than the failed probe got; `cut`: with no more than that; `unreachable`: no connection; `unclear`: nothing to compare. */
export const STEP_ANSWERS = ["answered", "cut", "unreachable", "unclear"] as const;
export type StepAnswer = (typeof STEP_ANSWERS)[number];

const answer = z.enum(STEP_ANSWERS);
/** A host name has at most 253 characters. */
const text = z.string().max(253);

export const EXPERIMENT_STEP = z.discriminatedUnion("kind", [
  /** The same address and port, with a neutral name, which is not blocked. Without a name: a step that an earlier version has stored. */
  z
    .strictObject({ kind: z.literal("neutral-name"), name: z.exactOptional(text), answer })
    .readonly(),
  /** The real name at an address that controls, or the runner itself, saw earlier: made if the name cannot be resolved here. */
  z.strictObject({ kind: z.literal("seen-address"), address: text, answer }).readonly(),
  /** A whole answer of another endpoint in the same network, after a body that ended early. */
  z.strictObject({ kind: z.literal("large-neighbour"), name: text, answer }).readonly(),
  /** A TCP connection to another address of the catalogue in the same prefix. */
  z
    .strictObject({ kind: z.literal("neighbour"), address: text, isConnected: z.boolean() })
    .readonly(),
]);

/** One further connection after a failure, and how it ended. Source: docs/probe/experiment.md. */
export type ExperimentStep = z.infer<typeof EXPERIMENT_STEP>;

/**
 * What the failure depends on. `name`: the address answers under another name. `address`: only its neighbours answer. `network`: nor
 * do they. `none`: the address fails under every name. `unknown`: nothing could be compared.
 */
export type CutBy = "name" | "address" | "network" | "none" | "unknown";

/** Where an endpoint or a service fails; `SCOPE` in src/contract/evidence.ts says what each means. Source: docs/services/scope.md. */
export const SCOPES = [
  "none",
  "russia",
  "access",
  "client",
  "everywhere",
  "network",
  "path",
  "mixed",
  "unknown",
] as const;
export type Scope = (typeof SCOPES)[number];

/** What was found at an endpoint here, as far as scope depends on it. */
export type LocalFinding =
  | "healthy"
  /** Nothing recent, or the run was invalid. */
  | "unknown"
  /** A block page, a stub address, a plain 451. */
  | "block-evidence"
  /** A 5xx that no third party can have written. */
  | "server-error"
  /** The owner refuses this region. */
  | "denied"
  | "failing"
  /** It answers the runner, and fails on the lines of subscribers, which decide. */
  | "failing-at-home"
  /** It answers the runner's program, and a browser gets nothing. */
  | "browser-fails"
  /** It fails for the runner's program, and a browser opens it. */
  | "browser-works";

/** What was believed instead of the runner's probe. */
export const DECIDERS = ["home", "browser"] as const;
export type Decider = (typeof DECIDERS)[number];

/** How the runner's result stands beside the other places in Moscow. `outvoted`: most say otherwise. `alone`: half of them do. */
export type VoteResult = "agreed" | "outvoted" | "alone";

/** What a claim of blocking rests on; `CLAIM` in src/contract/evidence.ts says what each field means. */
export interface ClaimBasis {
  readonly by: "name" | "home";
  readonly networks: number;
  readonly runs: number;
  readonly isUnicast: boolean | null;
}

/** The scope of one endpoint, and what it follows from. */
export interface EndpointScope {
  readonly url: string;
  readonly finding: LocalFinding;
  readonly scope: Scope;
  /** Row of the table in docs/services/scope.md, from 1. */
  readonly row: number;
  /** A claim of blocking that the runner's own evidence alone would not make. */
  readonly isClaimed: boolean;
  /** Absent: nothing is claimed. */
  readonly basis?: ClaimBasis;
  /** Networks of controls in which it works. */
  readonly working: number;
  /** Networks of controls in which it fails although it usually works. */
  readonly failing: number;
  readonly cutBy: CutBy;
  readonly votes: VoteResult;
}

/** The scope of a service. */
export interface ServiceScope {
  readonly scope: Scope;
  /** Of its endpoints, in the order of the catalogue. */
  readonly endpoints: readonly EndpointScope[];
}
