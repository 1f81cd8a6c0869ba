import pLimit from "p-limit";
import type { LookForProof, ProofLook, ProofQuery } from "../model/monitor/owned-monitor.ts";
import { SECOND_MS } from "../model/time.ts";
import type { ProbeConfig } from "../probe/probe-config.ts";
import {
  ThreadGoneError,
  type ThreadRules,
  builtThread,
  createCallThread,
} from "./thread-calls.ts";

/**
 * A stranger wrote what is read, so the thread that reads it has little memory and little time, and nothing else depends on it. A look
 * of eight pages at once takes 40 MB. Source: docs/security.md, "What strangers send".
 */
const RULES: Omit<ThreadRules, "workerData"> = {
  url: builtThread("look-thread"),
  name: "the thread that looks for proofs",
  silenceMs: 10 * SECOND_MS,
  limits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 },
};

/** Looks for proofs in a thread of its own. */
export interface Looker {
  readonly look: LookForProof;
  readonly close: () => Promise<void>;
}

/**
 * The thread starts with the first look. If it ends, each look that it had is made once more, alone in a thread: what ends that one too
 * has itself to blame, and says so.
 */
export function createLooker(
  config: ProbeConfig,
  wallMs: () => number,
  rules: Omit<ThreadRules, "workerData"> = RULES,
): Looker {
  const open = () => createCallThread<ProofQuery, ProofLook>({ ...rules, workerData: config });
  const shared = open();
  const alone = pLimit(1);
  const nothing = (): ProofLook => ({ atMs: wallMs(), isDenied: false, places: new Map() });
  const lookAlone = async (query: ProofQuery): Promise<ProofLook> => {
    const thread = open();
    try {
      return await thread.ask(query);
    } catch (error) {
      return error instanceof ThreadGoneError ? { ...nothing(), hasEndedReader: true } : nothing();
    } finally {
      await thread.close();
    }
  };
  return {
    look: (query) =>
      shared
        .ask(query)
        .catch((error: unknown) =>
          error instanceof ThreadGoneError ? alone(() => lookAlone(query)) : nothing(),
        ),
    close: shared.close,
  };
}
