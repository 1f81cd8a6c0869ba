import { getPriority, platform, setPriority } from "node:os";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import type { LookForProof } from "../../model/proof-look.ts";
import { SECOND_MS } from "../../model/time.ts";
import { createLookForProof } from "../../monitors/proof/look-for-proof.ts";
import { createTxtResolver } from "../../probe/dns.ts";
import {
  buildProbeDependencies,
  buildUrlGuard,
  type ProbeConfig,
} from "../../probe/probe-config.ts";
import { createPublishTask } from "./publish-task.ts";
import type { FromPublisher, PublisherSetup, ThreadAnswers, ToPublisher } from "./publisher.ts";

/** On a busy core, the thread that answers reports goes first. */
const NICENESS = 10;

const TXT_MS = 3 * SECOND_MS;

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
