import type { Failure } from "./outcomes.ts";
import type { Page } from "./pages.ts";
import type { GENUINE, NOISE } from "./rates.ts";

export type Cause = keyof typeof NOISE | keyof typeof GENUINE | "lasting";

/** What an event does to a probe of its sites. */
export type Effect =
  /** So large a part of the probes fails, with any of the failures. */
  | { readonly kind: "fail"; readonly failures: readonly Failure[]; readonly ratio: number }
  /** Every probe fails, with one failure after the other for so long each. */
  | { readonly kind: "in-turn"; readonly failures: readonly Failure[]; readonly turnMs: number }
  /** Healthy, but so many times slower. */
  | { readonly kind: "slower"; readonly factor: number }
  /** Healthy after that long. */
  | { readonly kind: "takes"; readonly ms: number }
  /** A page of its own with a 200, which the program judges. */
  | { readonly kind: "page"; readonly page: Page }
  | { readonly kind: "denied" }
  /** Seen by no probe. */
  | { readonly kind: "none" };

/** The nearest to the runner hides what lies behind it. */
export const LAYERS = { runner: 0, path: 1, service: 2 } as const;

export interface WorldEvent {
  readonly cause: Cause;
  /** It is true of the service, and not only what the runner sees. */
  readonly isGenuine: boolean;
  readonly layer: (typeof LAYERS)[keyof typeof LAYERS];
  readonly startMs: number;
  readonly endMs: number;
  /** Indexes of the sites it acts on, ascending. */
  readonly sites: readonly number[];
  /** Of a surge of reports: places of services. */
  readonly subjects: readonly number[];
  readonly effect: Effect;
}

/** The failure that a probe at a time meets; undefined when it is spared. `chance` is in [0, 1). */
export function failureAt(
  { effect, startMs }: WorldEvent,
  atMs: number,
  chance: number,
): Failure | undefined {
  if (effect.kind === "in-turn") {
    return effect.failures[Math.floor((atMs - startMs) / effect.turnMs) % effect.failures.length];
  }
  if (effect.kind !== "fail" || chance >= effect.ratio) return undefined;
  return effect.failures[Math.floor((chance / effect.ratio) * effect.failures.length)];
}
