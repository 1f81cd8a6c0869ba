import { availableParallelism } from "node:os";
import { connectEngine } from "../../engine/connection.ts";
import { createOnlineCheck, serveBatches } from "../../engine/serve-batches.ts";
import { createCheckCrew } from "../../monitors/checks/check-crew.ts";
import { probeAnchors } from "../../probe/anchors.ts";
import { assessConnectivity } from "../../probe/assess-connectivity.ts";
import { createPool, PER_HOST } from "../../probe/pool.ts";
import { buildProbeDependencies, type ProbeConfig } from "../../probe/probe-config.ts";
import { createProbe } from "../../probe/probe.ts";
import type { Anchor } from "../../model/service/catalogue.ts";
import { readCredentials } from "../../setup/engine-options.ts";
import { type Action, sleep } from "../../setup/io.ts";
import type { Flags, PROBE } from "../../setup/options/options.ts";
import { readProbeConfig } from "../../setup/read-probe-config.ts";

type WorkerFlags = Flags<"worker" | "engine" | "anchors" | (typeof PROBE)[number]>;

/** `worker`: checks batches of monitors for publishers elsewhere until stopped. Throws `UsageError`, `EngineError`. */
export const workerCommand: Action<WorkerFlags> = async ({ flags, problems, io, log }) => {
  const { vantage } = flags;
  const { url, credentials, config } = problems.settle({
    url: problems.need("engine", flags.engine, "the URL of the server"),
    credentials: await readCredentials("engineCredentials", flags.engineCredentials),
    config: await readProbeConfig(flags, io),
  });
  const address = { url, ...credentials };
  const connection = await connectEngine(address, { vantage }, true);
  const crew = createCheckCrew(config, {
    concurrency: flags.monitorConcurrency,
    threads: flags.threads ?? availableParallelism(),
    confirmDelaysMs: flags.confirmation.confirmDelaysMs,
    onWarning: log.warn,
  });
  try {
    io.print(`Checking for ${address.url} as ${vantage} (Ctrl-C stops)`);
    await serveBatches({
      connection,
      vantage,
      crew,
      online: createOnlineCheck({
        ask: createAsk(flags.anchor, config, io.stop),
        now: () => performance.now(),
        sleep: (ms) => sleep(ms, io.stop),
      }),
      sleep,
      onEnd: (end, name, isRedelivered) =>
        log.emit({
          event: "batch-ended",
          kind: end.kind,
          batch: name === undefined ? null : `${name.cell}.${name.slot}.${name.number}`,
          isRedelivered,
          ...(end.kind === "answered" ? { targets: end.targets, failing: end.failing } : {}),
          ...(end.kind === "returned" ? { reason: end.reason } : {}),
        }),
      onWarning: log.warn,
      signal: io.stop,
    });
    return 0;
  } finally {
    await connection.close();
    await crew.close();
  }
};

function createAsk(anchors: readonly Anchor[], config: ProbeConfig, signal: AbortSignal) {
  const probe = createProbe(buildProbeDependencies(config));
  const pool = createPool({ concurrency: anchors.length * PER_HOST, perHost: PER_HOST });
  return async (): Promise<boolean> => {
    const round = await probeAnchors("start", anchors, { probe, pool }, signal);
    return assessConnectivity([round], { lagMs: 0, results: [] }).state !== "offline";
  };
}
