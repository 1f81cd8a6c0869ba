import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { refresh } from "../refresh.ts";
import type { ReleaseSetup } from "../release.ts";
import { acceptedOf } from "../reports/tally.ts";
import type { ReleaseFlags } from "./io.ts";
import type { FromPublisher, ToPublisher } from "./publisher.ts";
import { readRelease } from "./release-setup.ts";
import { openChecklist } from "./settings.ts";

/** Publishes whenever it is asked to, until it is terminated. Entry of a thread, see `createPublisher`. */
function serve(port: MessagePort, flags: ReleaseFlags): void {
  const tell = (message: FromPublisher): void => port.postMessage(message, []);
  let reading: Promise<ReleaseSetup> | undefined;
  const read = async (): Promise<ReleaseSetup> => {
    const checklist = openChecklist();
    const { ready } = await readRelease(flags, checklist);
    checklist.settle();
    if (ready === undefined) throw new TypeError("nothing to publish with");
    // What it would warn of, the command has warned of when it read the same.
    return { ...ready.setup, emit: (event) => tell({ kind: "event", event }), mustCount: true };
  };
  const publish = async (nowMs: number): Promise<FromPublisher> => {
    reading ??= read().catch((error: unknown) => {
      reading = undefined;
      throw error;
    });
    const { state } = await refresh(await reading, nowMs);
    const { ledger, folded } = state.reports;
    return { kind: "published", counted: { accepted: acceptedOf(ledger), folded } };
  };
  port.on("message", ({ nowMs }: ToPublisher) => {
    void publish(nowMs).catch(toFailure).then(tell);
  });
}

function toFailure(error: unknown): FromPublisher {
  return { kind: "failed", message: error instanceof Error ? error.message : String(error) };
}

// Whoever starts this file gives it `ReleaseFlags`: see `createPublisher`.
const flags: ReleaseFlags = workerData;
if (parentPort !== null) serve(parentPort, flags);
