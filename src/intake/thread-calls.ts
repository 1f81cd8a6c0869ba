import { getPriority, platform, setPriority } from "node:os";
import { type MessagePort, type ResourceLimits, Worker } from "node:worker_threads";
import { messageOf } from "../model/errors.ts";
import type { RunEvent } from "../model/run-event.ts";
import { SECOND_MS } from "../model/time.ts";

/** How often a thread says that it goes on. One that computes or waits for memory says nothing. */
const ALIVE_EVERY_MS = SECOND_MS;

type FromThread =
  | { readonly kind: "alive" }
  | { readonly kind: "event"; readonly event: RunEvent }
  | { readonly kind: "done"; readonly call: number; readonly value: unknown }
  | { readonly kind: "failed"; readonly call: number; readonly message: string };

/** The thread was ended with its calls: by an error, by its limits, or because it stood still. */
export class ThreadGoneError extends Error {
  override readonly name = "ThreadGoneError";
}

export interface ThreadRules {
  readonly url: URL;
  readonly workerData: unknown;
  /** For messages: `the publishing thread`. */
  readonly name: string;
  /** Without a sign of life for so long while something is asked of it, it is ended. */
  readonly silenceMs: number;
  readonly limits?: ResourceLimits;
  readonly onEvent?: (event: RunEvent) => void;
}

interface Call {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

interface Watched {
  readonly worker: Worker;
  readonly calls: Map<number, Call>;
}

/** A thread that answers calls. */
interface CallThread<Request, Answer> {
  /** Rejects with what the thread says, or with `ThreadGoneError` if it is gone: the next call starts another one. */
  readonly ask: (request: Request) => Promise<Answer>;
  /** Ends the thread with the calls that it has. */
  readonly close: () => Promise<void>;
}

/** Nothing starts before the first call. */
export function createCallThread<Request extends object, Answer>(
  rules: ThreadRules,
): CallThread<Request, Answer> {
  let thread: Watched | undefined;
  let count = 0;
  const forget = (gone: Watched): void => {
    if (thread === gone) thread = undefined;
  };
  return {
    ask: (request) => {
      const { calls, worker } = (thread ??= watch(rules, forget));
      count += 1;
      const call = count;
      return new Promise<Answer>((resolve, reject) => {
        // The thread answers each request with the type of its kind.
        calls.set(call, { resolve: (value) => resolve(value as Answer), reject });
        worker.postMessage({ ...request, call }, []);
      });
    },
    close: async () => {
      await thread?.worker.terminate();
    },
  };
}

/** Starts a thread and a watchdog over it. */
function watch(
  { url, workerData, name, silenceMs, limits, onEvent }: ThreadRules,
  onGone: (gone: Watched) => void,
): Watched {
  const resourceLimits = limits === undefined ? {} : { resourceLimits: limits };
  const worker = new Worker(url, { workerData, ...resourceLimits });
  const calls = new Map<number, Call>();
  const watched = { worker, calls };
  let why = `${name} has ended`;
  let silent = 0;
  // Counted, not measured: after a pause of the whole process the thread gets its time first.
  const watchdog = setInterval(() => {
    silent = calls.size === 0 ? 0 : silent + 1;
    if (silent * ALIVE_EVERY_MS < silenceMs) return;
    why = `${name} stood still for ${silenceMs / SECOND_MS} s and was started again`;
    void worker.terminate();
  }, ALIVE_EVERY_MS).unref();
  worker.on("message", (message: FromThread) => {
    silent = 0;
    if (message.kind === "event") onEvent?.(message.event);
    if (message.kind !== "done" && message.kind !== "failed") return;
    const call = calls.get(message.call);
    calls.delete(message.call);
    if (message.kind === "done") call?.resolve(message.value);
    else call?.reject(new Error(message.message));
  });
  worker.on("error", (error: unknown) => {
    why = `${name} has ended: ${messageOf(error)}`;
    onGone(watched);
  });
  worker.once("exit", () => {
    clearInterval(watchdog);
    onGone(watched);
    for (const { reject } of calls.values()) reject(new ThreadGoneError(why));
  });
  return watched;
}

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
      (error: unknown) => send({ kind: "failed", call, message: messageOf(error) }),
    );
  });
}
