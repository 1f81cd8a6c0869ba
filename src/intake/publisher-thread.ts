import { parentPort, workerData } from "node:worker_threads";
import { answerCalls } from "./answer-calls.ts";
import { createPublishTask } from "./publish-task.ts";
import type { PublisherSetup, ThreadRequest } from "./publisher.ts";

// `createPublisher` passes a `PublisherSetup`.
const { flags }: PublisherSetup = workerData;
let task: ReturnType<typeof createPublishTask> | undefined;
if (parentPort !== null)
  answerCalls(parentPort, (call, send) => {
    // Its calls are those of `createPublisher`.
    const request = call as ThreadRequest;
    task ??= createPublishTask(flags, (event) => send({ kind: "event", event }));
    return request.kind === "publish" ? task.publish(request) : task.conditionOf(request.id);
  });
