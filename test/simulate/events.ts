import type { Failure } from "./outcomes.ts";
import type { Page } from "./pages.ts";
import type { GENUINE, NOISE } from "./rates.ts";

export type Cause =
  | keyof typeof NOISE
  | keyof typeof GENUINE
  | "lasting"
  /** The wall of an owner, for the whole simulation. */
  | "refusal";

/** How an event affects probes of its sites. */
export type Effect =
  /** This share of the probes fails, each with one of the failures. */
  | { readonly kind: "fail"; readonly failures: readonly Failure[]; readonly ratio: number }
  /** Every probe fails; the failures alternate after `turnMs`. */
  | { readonly kind: "in-turn"; readonly failures: readonly Failure[]; readonly turnMs: number }
  /** Healthy, but slower by this factor. */
  | { readonly kind: "slower"; readonly factor: number }
  /** Healthy after this time. */
  | { readonly kind: "takes"; readonly ms: number }
  /** A page with a 200, which the program classifies. */
  | { readonly kind: "page"; readonly page: Page }
  | { readonly kind: "denied" }
  /** A wall against robots answers in place of the service. */
  | { readonly kind: "wall" }
  /** Invisible to probes. */
  | { readonly kind: "none" };

/** Events in a layer nearer to the runner hide those behind it. */
export const LAYERS = { runner: 0, path: 1, service: 2 } as const;

export interface NetworkEvent {
  readonly cause: Cause;
  /** It affects the service itself, not only the runner's probes. */
  readonly isGenuine: boolean;
  readonly layer: (typeof LAYERS)[keyof typeof LAYERS];
  readonly startMs: number;
  readonly endMs: number;
  /** Indexes of the affected sites, ascending. */
  readonly sites: readonly number[];
  /** For a surge of reports: indexes of services. */
  readonly subjects: readonly number[];
  readonly effect: Effect;
}

/** The failure of a probe at a time; undefined if it does not fail. `chance` is in [0, 1). */
export function failureAt(
  { effect, startMs }: NetworkEvent,
  atMs: number,
  chance: number,
): Failure | undefined {
  if (effect.kind === "in-turn") {
    return effect.failures[Math.floor((atMs - startMs) / effect.turnMs) % effect.failures.length];
  }
  if (effect.kind !== "fail" || chance >= effect.ratio) return undefined;
  return effect.failures[Math.floor((chance / effect.ratio) * effect.failures.length)];
}
