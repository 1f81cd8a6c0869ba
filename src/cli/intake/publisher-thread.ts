import { getPriority, platform, setPriority } from "node:os";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { isFolded } from "../../model/folded-ids.ts";
import { refresh } from "../../pipeline/refresh.ts";
import type { PublishSetup } from "../../pipeline/publish-setup.ts";
import { acceptedOf } from "../../reports/counting/minute-counts.ts";
import type { PublishFlags } from "../options/io.ts";
import type { FromPublisher, ToPublisher } from "./publisher.ts";
import { readPublishSettings } from "../setup/publish-settings.ts";
import { collectProblems } from "../options/parse-options.ts";

/**
 * The website is published with the documents if the last publish was this long ago. In a flood all pages may change with every publish,
 * which would delay reports: then the pages follow once a minute, the time for which caches keep them. Source: docs/website.md, "When a
 * page changes".
 */
const CALM_MS = 4_000;
const SITE_EVERY_MS = 60_000;

/** On a busy core, the thread that answers reports goes first. */
const NICENESS = 10;

/** Publishes on request until it is terminated. */
function serve(port: MessagePort, flags: PublishFlags): void {
  const send = (message: FromPublisher): void => port.postMessage(message, []);
  const written = new Map<string, Uint8Array>();
  let reading: Promise<PublishSetup> | undefined;
  // As if a publish had just ended, so that waiting reports are published before the website.
  let publishedMs = performance.now();
  let siteMs = publishedMs;
  const read = async (): Promise<PublishSetup> => {
    const collector = collectProblems();
    const { ready } = await readPublishSettings(flags, collector);
    collector.throwIfAny();
    if (ready === undefined) throw new TypeError("nothing to publish and no problem");
    // Its warnings are left out: the command has already logged them.
    return {
      ...ready.setup,
      emit: (event) => send({ kind: "event", event }),
      mustCount: true,
      written,
    };
  };
  const publish = async (request: ToPublisher): Promise<FromPublisher> => {
    for (const [id, body] of request.written) written.set(id, body);
    reading ??= read().catch((error: unknown) => {
      reading = undefined;
      throw error;
    });
    const startedMs = performance.now();
    const isSiteBehind = startedMs - publishedMs < CALM_MS && startedMs - siteMs < SITE_EVERY_MS;
    const { state } = await refresh(await reading, request.nowMs, isSiteBehind);
    publishedMs = performance.now();
    if (!isSiteBehind) siteMs = publishedMs;
    const { ledger, folded } = state.reports;
    for (const id of written.keys()) if (isFolded(folded, id)) written.delete(id);
    return { kind: "published", published: { accepted: acceptedOf(ledger), folded, isSiteBehind } };
  };
  port.on("message", (request: ToPublisher) => {
    void publish(request)
      .catch((error: unknown) => {
        // This must not grow while publishing fails; the inbox is read instead.
        written.clear();
        return toFailure(error);
      })
      .then(send);
  });
}

function toFailure(error: unknown): FromPublisher {
  return { kind: "failed", message: error instanceof Error ? error.message : String(error) };
}

// `createPublisher` passes `PublishFlags`.
const flags: PublishFlags = workerData;
// Only on Linux a thread has its own priority. Only root may raise one, so a program that was started with a lower one keeps it.
if (platform() === "linux" && getPriority() < NICENESS) setPriority(NICENESS);
if (parentPort !== null) serve(parentPort, flags);
