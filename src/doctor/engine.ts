import type { EngineAddress } from "../engine/connection.ts";
import type { Check } from "./check.ts";
import { findLoneCredentials, readCredentials, readEngine } from "../setup/engine-options.ts";
import type { Flags } from "../setup/options/options.ts";
import type { Parsed, ProblemCollector } from "../setup/parse-options.ts";

interface EngineTrial {
  readonly address: EngineAddress;
  readonly vantage: string;
  readonly worker?: EngineAddress;
}

/** The engine to try; undefined without `engine`. */
export async function readEngineTrial(
  flags: Flags<"engine" | "enginePlaces" | "doctor">,
  problems: Pick<ProblemCollector, "isWrong">,
): Promise<Parsed<EngineTrial | undefined>> {
  const { engineWorkerCredentials: file } = flags;
  const engine = await readEngine(flags, problems);
  if ("problem" in engine) return engine;
  if (engine.value === undefined)
    return findLoneCredentials("engineWorkerCredentials", file, problems);
  const { address, vantages } = engine.value;
  const [vantage = "", ...more] = vantages;
  if (file === undefined) return { value: { address, vantage } };
  if (more.length > 0)
    return { problem: `engineWorkerCredentials ${file}: name its only place as engineVantage.` };
  const credentials = await readCredentials("engineWorkerCredentials", file);
  if ("problem" in credentials) return credentials;
  return { value: { address, vantage, worker: { url: address.url, ...credentials.value } } };
}

/** Tries the engine, if there is one. Never rejects. */
export async function checkEngine(
  trial: EngineTrial | undefined,
  sleep: (ms: number) => Promise<void>,
): Promise<readonly Check[]> {
  if (trial === undefined) return [];
  const { tryEngine, tryWorker } = await import("../engine/try-engine.ts");
  const checks = await tryEngine(trial.address, { now: () => performance.now(), sleep });
  if (trial.worker === undefined || checks.some(({ result }) => result === "fail")) return checks;
  return [...checks, await tryWorker(trial.address, trial.worker, trial.vantage)];
}
