import { Worker } from "node:worker_threads";
import type { Emit, RunEvent } from "../../model/run-event.ts";
import type { WrittenObjects } from "../../state/report-inbox.ts";
import type { CountedReports } from "../../reports/publish-loop.ts";
import type { PublishFlags } from "../options/io.ts";

/** The built file, even when the program runs from sources: tsx does not compile the entry of a thread. */
const THREAD_URL: URL = new URL(
  import.meta.url.endsWith(".ts")
    ? "../../../dist/program/publisher-thread.js"
    : "publisher-thread.js",
  import.meta.url,
);

/** Inbox objects kept in memory for the next publish, about 100 kB each at most; it reads the others. */
const WRITTEN_KEPT = 200;

/** A request to publish as of `nowMs`. */
export interface ToPublisher {
  readonly nowMs: number;
  /** Objects written into the inbox since the last request, as far as they were kept. */
  readonly written: WrittenObjects;
}

/** What a publish has counted, and whether it has left out the website. */
export interface Published extends CountedReports {
  readonly isSiteBehind: boolean;
}

/** Messages of the thread. */
export type FromPublisher =
  | { readonly kind: "event"; readonly event: RunEvent }
  | { readonly kind: "published"; readonly published: Published }
  | { readonly kind: "failed"; readonly message: string };

/** Publishes in a separate thread, so that answers to reports do not wait for a publish. */
export interface Publisher {
  /** One at a time. Rejects with what went wrong; the next call begins with a new thread if this one is gone. */
  readonly publish: (nowMs: number) => Promise<Published>;
  /** Passes on an object that was written into the inbox, which the next publish then need not read. */
  readonly noteWritten: (id: string, body: Uint8Array) => void;
  /** Ends the thread, which must be idle. */
  readonly close: () => Promise<void>;
}

/** Starts the thread with the first publish. It parses the same options as the command. */
export function createPublisher(flags: PublishFlags, emit: Emit): Publisher {
  let thread: Worker | undefined;
  const written = new Map<string, Uint8Array>();

  const start = (): Worker => {
    const worker = new Worker(THREAD_URL, { workerData: flags });
    const forget = (): void => {
      if (thread === worker) thread = undefined;
    };
    worker.once("exit", forget).on("error", forget);
    worker.on("message", (message: FromPublisher) => {
      if (message.kind === "event") emit(message.event);
    });
    return worker;
  };

  return {
    publish: (nowMs) => {
      thread ??= start();
      const request = { nowMs, written: new Map(written) };
      written.clear();
      return sendRequest(thread, request);
    },
    noteWritten: (id, body) => {
      if (written.size < WRITTEN_KEPT) written.set(id, body);
    },
    close: async () => {
      await thread?.terminate();
    },
  };
}

function sendRequest(thread: Worker, request: ToPublisher): Promise<Published> {
  return new Promise((resolve, reject) => {
    const finish = (act: () => void): void => {
      thread.off("message", onMessage).off("error", onError).off("exit", onExit);
      act();
    };
    const onMessage = (message: FromPublisher): void => {
      if (message.kind === "published") finish(() => resolve(message.published));
      if (message.kind === "failed") finish(() => reject(new Error(message.message)));
    };
    const onError = (error: Error): void => finish(() => reject(error));
    const onExit = (code: number): void =>
      finish(() => reject(new Error(`the publishing thread has ended with code ${code}`)));
    thread.on("message", onMessage).once("error", onError).once("exit", onExit);
    thread.postMessage(request, []);
  });
}
