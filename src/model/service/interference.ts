/** One further connection after a failure, and how it ended. Source: docs/probe/experiment.md. */
export type ExperimentStep =
  /** The same address and port, with a neutral name, which is not blocked. Without a name: a step that an earlier version has stored. */
  | { readonly kind: "neutral-name"; readonly name?: string; readonly answer: StepAnswer }
  /** The real name at an address that controls, or the runner itself, saw earlier: made if the name cannot be resolved here. */
  | { readonly kind: "seen-address"; readonly address: string; readonly answer: StepAnswer }
  /** A whole answer of another endpoint in the same network, after a body that ended early. */
  | { readonly kind: "large-neighbour"; readonly name: string; readonly answer: StepAnswer }
  /** A TCP connection to another address of the catalogue in the same prefix. */
  | { readonly kind: "neighbour"; readonly address: string; readonly isConnected: boolean };

/** `answered`: with more than the failed probe got; `cut`: with no more than that; `unreachable`: no connection; `unclear`: nothing to compare. */
export const STEP_ANSWERS = ["answered", "cut", "unreachable", "unclear"] as const;
export type StepAnswer = (typeof STEP_ANSWERS)[number];

/**
 * What the failure depends on. `name`: the address answers under another name. `address`: only its neighbours answer. `network`: nor
 * do they. `none`: the address fails under every name. `unknown`: nothing could be compared.
 */
export type CutBy = "name" | "address" | "network" | "none" | "unknown";

/**
 * Where an endpoint or a service fails. `none`: it does not. `russia`: only here. `everywhere`: abroad too. `network`: only for this
 * network. `path`: the runner's way abroad is cut. `mixed`: abroad for some. Source: docs/services/scope.md.
 */
export const SCOPES = [
  "none",
  "russia",
  "everywhere",
  "network",
  "path",
  "mixed",
  "unknown",
] as const;
export type Scope = (typeof SCOPES)[number];

/** What the runner found at an endpoint, as far as scope depends on it. */
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
  | "failing";

/** How the runner's result stands beside the other places in Moscow. `outvoted`: most say otherwise. `alone`: half of them do. */
export type VoteResult = "agreed" | "outvoted" | "alone";

/** The scope of one endpoint, and what it follows from. */
export interface EndpointScope {
  readonly url: string;
  readonly finding: LocalFinding;
  readonly scope: Scope;
  /** Row of the table in docs/services/scope.md, from 1. */
  readonly row: number;
  /** A claim of blocking that the runner's own evidence alone would not make. */
  readonly isClaimed: boolean;
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
