import { createSignal } from "../../model/stopping.ts";
import type { ProbeLimits } from "../limits.ts";

type OpenStage = "tls" | "http" | "body";

export type StageClock = ReturnType<typeof createStageClock>;

/**
 * Measures the silence of a connection by the stage that it is in. Starts at the beginning of the handshake. The stages have the times of
 * the probe.
 */
export function createStageClock(limits: ProbeLimits) {
  const [silence, resolve] = createSignal<"silent">();
  let stage: OpenStage = "tls";
  let changes = 0;
  const ring = (): void => {
    const before = changes;
    // Bytes that came while this process could not run are not late.
    setImmediate(() => {
      if (changes === before) resolve("silent");
      else timer.refresh();
    });
  };
  let timer = setTimeout(ring, limits.tlsMs);
  const total = setTimeout(() => resolve("silent"), limits.totalMs);
  const enter = (next: OpenStage, ms: number): void => {
    stage = next;
    clearTimeout(timer);
    timer = setTimeout(ring, ms);
  };
  return {
    stage: (): OpenStage => stage,
    /** Bytes went one way or the other. */
    note(isSecured: boolean): void {
      changes += 1;
      if (stage === "tls" && isSecured) enter("http", limits.firstByteMs);
      if (stage === "body") timer.refresh();
    },
    /** The head of the answer is there. */
    enterBody: (): void => enter("body", limits.stallMs),
    /** Resolves when a stage, or all of them, took too long. */
    silence,
    stop(): void {
      clearTimeout(timer);
      clearTimeout(total);
    },
  };
}
