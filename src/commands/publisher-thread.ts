import { getPriority, platform, setPriority } from "node:os";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { isFolded } from "../model/folded-ids.ts";
import { refresh } from "../refresh.ts";
import type { ReleaseSetup } from "../release.ts";
import { acceptedOf } from "../reports/tally.ts";
import type { ReleaseFlags } from "./io.ts";
import type { FromPublisher, ToPublisher } from "./publisher.ts";
import { readRelease } from "./release-setup.ts";
import { openChecklist } from "./settings.ts";

/**
 * The pages of the website are published with the documents where the last publish was so long ago. In a flood all of them may change
 * with every publish, and whoever reports meanwhile waits for them: then they follow once a minute, which is as long as anybody may
 * keep them anyway. Source: docs/website.md, "When a page changes".
 */
const CALM_MS = 4_000;
const SITE_EVERY_MS = 60_000;

/** Whoever reports waits for the thread that answers: where a core is short of time, this one gives way. */
const NICENESS = 10;

/** Publishes whenever it is asked to, until it is terminated. Entry of a thread, see `createPublisher`. */
function serve(port: MessagePort, flags: ReleaseFlags): void {
  const tell = (message: FromPublisher): void => port.postMessage(message, []);
  const written = new Map<string, Uint8Array>();
  let reading: Promise<ReleaseSetup> | undefined;
  // As if there had been a publish: what is waiting at the start comes first.
  let publishedMs = performance.now();
  let siteMs = publishedMs;
  const read = async (): Promise<ReleaseSetup> => {
    const checklist = openChecklist();
    const { ready } = await readRelease(flags, checklist);
    checklist.settle();
    if (ready === undefined) throw new TypeError("nothing to publish with");
    // What it would warn of, the command has warned of when it read the same.
    return {
      ...ready.setup,
      emit: (event) => tell({ kind: "event", event }),
      mustCount: true,
      written,
    };
  };
  const publish = async (question: ToPublisher): Promise<FromPublisher> => {
    for (const [id, body] of question.written) written.set(id, body);
    reading ??= read().catch((error: unknown) => {
      reading = undefined;
      throw error;
    });
    const startedMs = performance.now();
    const isSiteBehind = startedMs - publishedMs < CALM_MS && startedMs - siteMs < SITE_EVERY_MS;
    const { state } = await refresh(await reading, question.nowMs, isSiteBehind);
    publishedMs = performance.now();
    if (!isSiteBehind) siteMs = publishedMs;
    const { ledger, folded } = state.reports;
    for (const id of written.keys()) if (isFolded(folded, id)) written.delete(id);
    return { kind: "published", published: { accepted: acceptedOf(ledger), folded, isSiteBehind } };
  };
  port.on("message", (question: ToPublisher) => {
    void publish(question)
      .catch((error: unknown) => {
        // However long publishing fails, this must not grow: what is not known is read.
        written.clear();
        return toFailure(error);
      })
      .then(tell);
  });
}

function toFailure(error: unknown): FromPublisher {
  return { kind: "failed", message: error instanceof Error ? error.message : String(error) };
}

// Whoever starts this file gives it `ReleaseFlags`: see `createPublisher`.
const flags: ReleaseFlags = workerData;
// On Linux a thread has a priority of its own; elsewhere it would be that of all threads. Only root may raise one, so a program that was
// started with a lower one keeps that.
if (platform() === "linux" && getPriority() < NICENESS) setPriority(NICENESS);
if (parentPort !== null) serve(parentPort, flags);
