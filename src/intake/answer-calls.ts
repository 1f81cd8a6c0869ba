import { getPriority, platform, setPriority } from "node:os";
import type { MessagePort } from "node:worker_threads";
import { ALIVE_EVERY_MS, type FromThread } from "./thread-calls.ts";

/** On a busy core, the thread that answers reports goes first. */
const NICENESS = 10;

/** Answers calls in a thread, beside the thread of the program, until it is terminated. */
export function answerCalls(
  port: MessagePort,
  answer: (request: unknown, send: (message: FromThread) => void) => Promise<unknown>,
): void {
  // Only on Linux a thread has its own priority. Only root may raise one, so a program that was started with a lower one keeps it.
  if (platform() === "linux" && getPriority() < NICENESS) setPriority(NICENESS);
  const send = (message: FromThread): void => port.postMessage(message, []);
  setInterval(() => send({ kind: "alive" }), ALIVE_EVERY_MS);
  port.on("message", ({ call, ...request }: { readonly call: number }) => {
    void answer(request, send).then(
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
