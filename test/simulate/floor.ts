import { mayLackRoute } from "../../src/probe/confirm-change.ts";
import { createOutageScore, type OutageFigures } from "./outage-score.ts";
import { CONFIRM_MS, DOUBT_MS, failsAlone, firstProbeAt, PUBLISH_MS } from "./runner.ts";
import type { Subject } from "./sites.ts";
import { spanAt, type Truth } from "./truth.ts";
import type { NetworkModel } from "./network-model.ts";

/** Knows the truth, but only at the times of a run's probes: no rule based on these probes can do better. */
export const FLOOR = "the truth at our probes";
/** The same without confirmations. */
export const FLOOR_OF_ONE = "the truth at one probe";

export interface Floor {
  readonly name: string;
  /** One run of all services. */
  readonly run: (startMs: number) => void;
  readonly finish: (endMs: number) => OutageFigures;
}

export interface ScoredServices {
  readonly subjects: readonly Subject[];
  /** By index of a service, as is `isScored`. */
  readonly truths: readonly Truth[];
  readonly isScored: readonly boolean[];
  readonly fromMs: number;
}

/**
 * The best possible result of probes at these times: every rule misses outages that end before the last confirmation, and reports
 * the others after it.
 */
export function createFloor(
  { subjects, truths, isScored, fromMs }: ScoredServices,
  model: NetworkModel,
  isConfirmed: boolean,
): Floor {
  const score = createOutageScore(truths, isScored, fromMs);
  const wasDown = truths.map(() => false);

  /** The truth decides which probes are made; the model gives the duration of a failing probe. */
  function observe(subject: Subject, truth: Truth, startMs: number): void {
    const { index, main } = subject;
    const isDownAt = (atMs: number): boolean => spanAt(truth, atMs).isDown;
    const took = (atMs: number): number => {
      const outcome = model.probe(main, atMs);
      return outcome.kind === "failed" ? outcome.trace.timings.totalMs : 0;
    };
    const probesMs = [firstProbeAt(main, startMs)];
    const [firstMs = startMs] = probesMs;
    if (isConfirmed && wasDown[index] !== true && isDownAt(firstMs)) {
      const endMs = firstMs + took(firstMs);
      probesMs.push(...CONFIRM_MS.map((delayMs) => endMs + delayMs));
      const first = model.probe(main, firstMs);
      const isDoubtful =
        mayLackRoute(first) || failsAlone(subject, main, model, probesMs.at(-1) ?? endMs);
      if (isDoubtful) probesMs.push(endMs + DOUBT_MS);
    }
    const lastMs = probesMs.at(-1) ?? firstMs;
    const isDown = probesMs.every(isDownAt);
    wasDown[index] = isDown;
    score.record(index, lastMs + took(lastMs) + PUBLISH_MS, isDown, () => "the truth");
  }

  return {
    name: isConfirmed ? FLOOR : FLOOR_OF_ONE,
    run(startMs) {
      for (const subject of subjects) {
        const truth = truths[subject.index];
        if (truth !== undefined) observe(subject, truth, startMs);
      }
    },
    finish: score.finish,
  };
}
