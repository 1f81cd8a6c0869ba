import type { countResults } from "./measure-monitors.ts";
import { publishGeneration } from "../publish/publish-generation.ts";
import type {
  GenerationDependencies,
  PublishedGeneration,
  StateUpdate,
} from "../publish/publish-setup.ts";
import type { RunOptions } from "./run-steps.ts";
import type { Connectivity } from "../../model/service/connectivity.ts";
import type { ServiceEvidence } from "../../model/service/evidence.ts";
import type { LoadedState } from "../../state/state-file.ts";

export type RunResult =
  /** Stopped before all services were folded. */
  | { readonly kind: "stopped" }
  /** `isFirst`: nothing was published from this state before. */
  | (FinishedRun & { readonly isFirst: boolean });

export interface FinishedRun extends PublishedGeneration {
  /** `replayed`: nothing was probed, the documents were built as of the given time. `offline`: the run is invalid. */
  readonly kind: "valid" | "offline" | "replayed";
  readonly evidence: ReadonlyMap<string, ServiceEvidence>;
  /** The runner's own connectivity; absent when nothing was probed. */
  readonly connectivity?: Connectivity;
  /** How many monitors have each kind of check result; absent when none was checked. */
  readonly checks?: ReturnType<typeof countResults>;
}

export interface StepOptions {
  /** Since the start of the run. */
  readonly elapsedMs: number;
  /** As in `GenerationOptions`. */
  readonly known?: LoadedState;
  readonly isSiteLater?: boolean;
}

/** Publishes one generation of a run. Throws `StateError` and `StoreError`. */
export async function publishStep(
  deps: GenerationDependencies,
  { startMs, isReplay }: RunOptions,
  kind: FinishedRun["kind"],
  update: StateUpdate,
  { elapsedMs, known, isSiteLater = false }: StepOptions,
): Promise<FinishedRun> {
  const generation = await publishGeneration(deps, startMs, update, {
    reportsAtMs: startMs + (isReplay ? 0 : elapsedMs),
    isSiteLater,
    ...(known === undefined ? {} : { known }),
  });
  return { ...generation, kind, evidence: generation.state.evidence };
}

/** The result of a run that published twice: the second generation, with the objects of both counted. */
export function addPublished(first: FinishedRun, second: FinishedRun): FinishedRun {
  const [one, two] = [first.published, second.published];
  return {
    ...first,
    ...second,
    published: {
      ...two,
      written: one.written + two.written,
      // The second publish counts the objects that the first one wrote as unchanged.
      unchanged: Math.max(0, two.unchanged - one.written),
      removed: one.removed + two.removed,
      withheldRemovals: Math.max(one.withheldRemovals, two.withheldRemovals),
    },
  };
}
