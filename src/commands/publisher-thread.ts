import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { refresh } from "../refresh.ts";
import type { ReleaseSetup } from "../release.ts";
import { acceptedOf } from "../reports/tally.ts";
import type { ReleaseFlags } from "./io.ts";
import type { FromPublisher, ToPublisher } from "./publisher.ts";
import { readRelease } from "./release-setup.ts";
import { openChecklist } from "./settings.ts";

/** The pages of the website follow the documents this often at most: in a flood, all of them change with every publish. */
const SITE_EVERY_MS = 5_000;

/** Publishes whenever it is asked to, until it is terminated. Entry of a thread, see `createPublisher`. */
function serve(port: MessagePort, flags: ReleaseFlags): void {
  const tell = (message: FromPublisher): void => port.postMessage(message, []);
  let reading: Promise<ReleaseSetup> | undefined;
  let siteMs = -Infinity;
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
    const isSiteBehind = performance.now() - siteMs < SITE_EVERY_MS;
    const { state } = await refresh(await reading, nowMs, isSiteBehind);
    if (!isSiteBehind) siteMs = performance.now();
    const { ledger, folded } = state.reports;
    return { kind: "published", published: { accepted: acceptedOf(ledger), folded, isSiteBehind } };
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
