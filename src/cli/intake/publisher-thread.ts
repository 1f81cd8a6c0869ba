import { getPriority, platform, setPriority } from "node:os";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { isFolded } from "../../model/folded-ids.ts";
import type { LookForProof } from "../../model/proof-look.ts";
import type { State } from "../../model/state.ts";
import { SECOND_MS } from "../../model/time.ts";
import { createLookForProof } from "../../monitors/proof/look-for-proof.ts";
import { newsOfOwners } from "../../pipeline/owner-generation.ts";
import type { PublishSetup } from "../../pipeline/publish-setup.ts";
import { refresh } from "../../pipeline/refresh.ts";
import { createTxtResolver } from "../../probe/dns.ts";
import {
  buildProbeDependencies,
  buildUrlGuard,
  type ProbeConfig,
} from "../../probe/probe-config.ts";
import { acceptedOf } from "../../reports/counting/minute-counts.ts";
import type { PublishFlags } from "../options/io.ts";
import { collectProblems } from "../options/parse-options.ts";
import { readPublishSettings } from "../setup/publish-settings.ts";
import { readCondition } from "./read-condition.ts";
import type {
  FromPublisher,
  Published,
  PublisherSetup,
  PublishRequest,
  ThreadAnswers,
  ToPublisher,
} from "./publisher.ts";

/**
 * The website is published with the documents if the last publish was this long ago. In a flood all pages may change with every publish,
 * which would delay reports: then the pages follow once a minute, the time for which caches keep them. Source: docs/website.md, "When a
 * page changes".
 */
const CALM_MS = 4_000;
const SITE_EVERY_MS = 60_000;

/** On a busy core, the thread that answers reports goes first. */
const NICENESS = 10;

const TXT_MS = 3 * SECOND_MS;

/** Publishes, and remembers what the next publish needs. */
interface PublishTask {
  readonly publish: (request: PublishRequest) => Promise<Published>;
  readonly conditionOf: (id: string) => Promise<ThreadAnswers["condition"]>;
}

function createPublishTask(flags: PublishFlags, emit: PublishSetup["emit"]): PublishTask {
  const written = new Map<string, Uint8Array>();
  let reading: Promise<PublishSetup> | undefined;
  // As if a publish had just ended, so that waiting reports are published before the website.
  let publishedMs = performance.now();
  let siteMs = publishedMs;
  let ownerSequence: number | undefined;
  let last: State | undefined;
  const read = async (): Promise<PublishSetup> => {
    const collector = collectProblems();
    const { ready } = await readPublishSettings(flags, collector);
    collector.throwIfAny();
    if (ready === undefined) throw new TypeError("nothing to publish and no problem");
    // Its warnings are left out: the command has already logged them.
    return { ...ready.setup, emit, mustCount: true, written };
  };
  const publish: PublishTask["publish"] = async ({ nowMs, areEditsLater, ...request }) => {
    for (const [id, body] of request.written) written.set(id, body);
    reading ??= read().catch((error: unknown) => {
      reading = undefined;
      throw error;
    });
    const startedMs = performance.now();
    const isSiteLater = startedMs - publishedMs < CALM_MS && startedMs - siteMs < SITE_EVERY_MS;
    const generation = await refresh(await reading, nowMs, { isSiteLater, areEditsLater });
    const { state, ownership } = generation;
    publishedMs = performance.now();
    if (!isSiteLater) siteMs = publishedMs;
    const { ledger, folded } = state.reports;
    for (const id of written.keys()) if (isFolded(folded, id)) written.delete(id);
    const owners = newsOfOwners(ownership, ownerSequence);
    ownerSequence = ownership.owners.sequence;
    last = state;
    return {
      accepted: acceptedOf(ledger),
      folded,
      isSiteBehind: isSiteLater,
      owners,
      isSelfService: state.siteSettings.isSelfService,
    };
  };
  return {
    publish: (request) =>
      publish(request).catch((error: unknown) => {
        // This must not grow while publishing fails; the inbox is read instead.
        written.clear();
        throw error;
      }),
    conditionOf: async (id) =>
      last === undefined || reading === undefined
        ? undefined
        : readCondition((await reading).stateStore, last, id),
  };
}

function createLook(config: ProbeConfig): LookForProof {
  const { dns } = config;
  return createLookForProof(
    {
      probe: { ...buildProbeDependencies(config), refusalOfUrl: buildUrlGuard(config) },
      resolveTxt: createTxtResolver(dns === undefined ? [] : [dns], TXT_MS),
      wallMs: () => Date.now(),
    },
    new AbortController().signal,
  );
}

/** Answers requests until it is terminated. */
function serve(port: MessagePort, { flags, probe }: PublisherSetup): void {
  const send = (message: FromPublisher): void => port.postMessage(message, []);
  const task = createPublishTask(flags, (event) => send({ kind: "event", event }));
  const look = createLook(probe);
  const answer = (request: ToPublisher): Promise<ThreadAnswers[ToPublisher["kind"]]> => {
    switch (request.kind) {
      case "publish":
        return task.publish(request);
      case "look":
        return look(request.query);
      case "condition":
        return task.conditionOf(request.id);
    }
  };
  port.on("message", (request: ToPublisher) => {
    const { call } = request;
    void answer(request).then(
      (value) => send({ kind: "done", call, value }),
      (error: unknown) =>
        send({
          kind: "failed",
          call,
          message: error instanceof Error ? error.message : String(error),
        }),
    );
  });
}

// `createPublisher` passes a `PublisherSetup`.
const setup: PublisherSetup = workerData;
// Only on Linux a thread has its own priority. Only root may raise one, so a program that was started with a lower one keeps it.
if (platform() === "linux" && getPriority() < NICENESS) setPriority(NICENESS);
if (parentPort !== null) serve(parentPort, setup);
