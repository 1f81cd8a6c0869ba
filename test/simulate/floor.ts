import { mayLackRoute } from "../../src/probe/confirm.ts";
import { createOutageJudge, type OutageFigures } from "./outage-judge.ts";
import { CONFIRM_MS, DOUBT_MS, failsAlone, firstProbeAt, PUBLISH_MS } from "./runner.ts";
import type { Subject } from "./sites.ts";
import { spanAt, type Truth } from "./truth.ts";
import type { World } from "./world.ts";

/** Sees the truth, but only at the moments at which a run probes: no rule that judges these probes can do better. */
export const FLOOR = "the truth at our probes";
/** The same without confirmations. */
export const FLOOR_OF_ONE = "the truth at one probe";

export interface Floor {
  readonly name: string;
  /** One run of all services. */
  readonly look: (startMs: number) => void;
  readonly finish: (endMs: number) => OutageFigures;
}

/** What is there to be judged. */
export interface Judged {
  readonly subjects: readonly Subject[];
  /** By place of a service, as is `isJudged`. */
  readonly truths: readonly Truth[];
  readonly isJudged: readonly boolean[];
  readonly fromMs: number;
}

/**
 * What could be known by probes at these moments: outages that are over before the last confirmation are missed by whatever rule, and
 * the others are told when it is over.
 */
export function createFloor(
  { subjects, truths, isJudged, fromMs }: Judged,
  world: World,
  isConfirmed: boolean,
): Floor {
  const judge = createOutageJudge(truths, isJudged, fromMs);
  const wasDown = truths.map(() => false);

  /** The truth is asked when to probe; the world, how long a probe that fails takes. */
  function lookAt(subject: Subject, truth: Truth, startMs: number): void {
    const { index, main } = subject;
    const isDownAt = (atMs: number): boolean => spanAt(truth, atMs).isDown;
    const took = (atMs: number): number => {
      const outcome = world.probe(main, atMs);
      return outcome.kind === "failed" ? outcome.trace.timings.totalMs : 0;
    };
    const moments = [firstProbeAt(main, startMs)];
    const [firstMs = startMs] = moments;
    if (isConfirmed && wasDown[index] !== true && isDownAt(firstMs)) {
      const endMs = firstMs + took(firstMs);
      moments.push(...CONFIRM_MS.map((delayMs) => endMs + delayMs));
      const first = world.probe(main, firstMs);
      const isDoubtful = mayLackRoute(first) || failsAlone(subject, world, moments.at(-1) ?? endMs);
      if (isDoubtful) moments.push(endMs + DOUBT_MS);
    }
    const lastMs = moments.at(-1) ?? firstMs;
    const isDown = moments.every(isDownAt);
    wasDown[index] = isDown;
    judge.tell(index, lastMs + took(lastMs) + PUBLISH_MS, isDown, () => "the truth");
  }

  return {
    name: isConfirmed ? FLOOR : FLOOR_OF_ONE,
    look(startMs) {
      for (const subject of subjects) {
        const truth = truths[subject.index];
        if (truth !== undefined) lookAt(subject, truth, startMs);
      }
    },
    finish: judge.finish,
  };
}
