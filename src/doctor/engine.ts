import type { EngineAddress } from "../engine/connection.ts";
import type { Check } from "./check.ts";
import type { Parsed } from "../setup/parse-options.ts";
import {
  type PublisherEngineFlags,
  readEngine,
  readEngineAddress,
} from "../setup/engine-options.ts";

/** Options of `doctor` about an engine. */
export interface EngineCheckFlags extends PublisherEngineFlags {
  readonly engineWorkerCredentials?: string;
}

/** What is to be tried. */
interface EngineTrial {
  readonly address: EngineAddress;
  readonly vantage: string;
  readonly worker?: EngineAddress;
}

/** The engine to try; `none` without `--engine`. */
export async function readEngineTrial(
  flags: EngineCheckFlags,
): Promise<Parsed<EngineTrial | "none">> {
  const { engineWorkerCredentials: file } = flags;
  const engine = await readEngine(flags);
  if ("problem" in engine) return engine;
  if (engine.value === "none")
    return file === undefined
      ? { value: "none" }
      : { problem: `--engine-worker-credentials ${file}: --engine is missing.` };
  const { address, vantages } = engine.value;
  const [vantage = "", ...more] = vantages;
  if (file === undefined) return { value: { address, vantage } };
  if (more.length > 0)
    return {
      problem: `--engine-worker-credentials ${file}: name its only place with --engine-vantage.`,
    };
  const worker = await readEngineAddress({ engine: address.url, engineCredentials: file });
  if ("problem" in worker)
    return { problem: worker.problem.replace("--engine-", "--engine-worker-") };
  return { value: { address, vantage, ...(worker.value && { worker: worker.value }) } };
}

/** Tries the engine, if there is one. Never rejects. */
export async function checkEngine(
  trial: EngineTrial | "none",
  sleep: (ms: number) => Promise<void>,
): Promise<readonly Check[]> {
  if (trial === "none") return [];
  const { tryEngine } = await import("../engine/try-engine.ts");
  const checks = await tryEngine(trial.address, { now: () => performance.now(), sleep });
  if (trial.worker === undefined || checks.some(({ result }) => result === "fail")) return checks;
  const { tryWorker } = await import("../engine/try-worker.ts");
  return [...checks, await tryWorker(trial.address, trial.worker, trial.vantage)];
}
