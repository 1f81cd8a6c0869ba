import { connectEngine } from "../../engine/connection.ts";
import { createOnlineCheck, serveBatches } from "../../engine/serve-batches.ts";
import { createCheckCrew } from "../../monitors/checks/check-crew.ts";
import { probeAnchors } from "../../probe/anchors.ts";
import { assessConnectivity } from "../../probe/assess-connectivity.ts";
import { createPool } from "../../probe/pool.ts";
import type { Log } from "../../setup/log.ts";
import type { ExitCode } from "../../setup/exit-codes.ts";
import { type Io, sleep } from "../../setup/io.ts";
import {
  prepareWorker,
  type WorkerCommandSetup,
  type WorkerFlags,
} from "../../setup/worker-setup.ts";

/** Connections to one anchor at once. */
const PER_HOST = 2;

/** `worker`: checks batches of monitors for publishers elsewhere until stopped. Throws `UsageError`, `EngineError`. */
export async function workerCommand(flags: WorkerFlags, io: Io, log: Log): Promise<ExitCode> {
  const setup = await prepareWorker(flags, io);
  const connection = await connectEngine(setup.address, { vantage: setup.vantage }, true);
  const crew = createCheckCrew(setup.config, { ...setup, onWarning: log.warn });
  try {
    io.print(`Checking for ${setup.address.url} as ${setup.vantage} (Ctrl-C stops)`);
    await serveBatches({
      connection,
      vantage: setup.vantage,
      crew,
      online: createOnlineCheck({
        ask: createAsk(setup, io.stop),
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
}

/** Asks the anchors of this place. */
function createAsk({ probe, anchors }: WorkerCommandSetup, signal: AbortSignal) {
  const pool = createPool({ concurrency: anchors.length * PER_HOST, perHost: PER_HOST });
  return async (): Promise<boolean> => {
    const round = await probeAnchors("start", anchors, { probe, pool }, signal);
    return assessConnectivity([round], { lagMs: 0, results: [] }).state !== "offline";
  };
}
