import { Worker } from "node:worker_threads";
import type { Emit, RunEvent } from "../model/event.ts";
import type { WrittenObjects } from "../inbox.ts";
import type { CountedReports } from "../report-desk.ts";
import type { ReleaseFlags } from "./io.ts";

/** The thread as it was built. From sources too: tsx does not translate what a thread begins with, so a build must be there. */
const THREAD_URL: URL = new URL(
  import.meta.url.endsWith(".ts")
    ? "../../dist/program/publisher-thread.js"
    : "publisher-thread.js",
  import.meta.url,
);

/** So many objects of the inbox are kept for the next publish, some 100 kB at the most each; what is more it reads. */
const WRITTEN_KEPT = 200;

/** What the thread is asked for: to publish as of this time. */
export interface ToPublisher {
  readonly nowMs: number;
  /** Objects that were written into the inbox since it was asked last, as far as they were kept. */
  readonly written: WrittenObjects;
}

/** What a publish has counted, and whether the website has been left as it was. */
export interface Published extends CountedReports {
  readonly isSiteBehind: boolean;
}

/** What it tells. */
export type FromPublisher =
  | { readonly kind: "event"; readonly event: RunEvent }
  | { readonly kind: "published"; readonly published: Published }
  | { readonly kind: "failed"; readonly message: string };

/** Publishes in a thread of its own, so that nobody who reports waits for the state to be read, decided on and written. */
export interface Publisher {
  /** One at a time. Rejects with what went wrong; the next call begins with a new thread if this one is gone. */
  readonly publish: (nowMs: number) => Promise<Published>;
  /** An object was written into the inbox: the next publish need not read it. */
  readonly noteWritten: (id: string, body: Uint8Array) => void;
  /** Ends the thread, which must have nothing in hand. */
  readonly close: () => Promise<void>;
}

/** Begins with the first publish. The thread reads the same options as the command did. */
export function createPublisher(flags: ReleaseFlags, emit: Emit): Publisher {
  let thread: Worker | undefined;
  const written = new Map<string, Uint8Array>();

  const begin = (): Worker => {
    const begun = new Worker(THREAD_URL, { workerData: flags });
    const forget = (): void => {
      if (thread === begun) thread = undefined;
    };
    begun.once("exit", forget).on("error", forget);
    begun.on("message", (message: FromPublisher) => {
      if (message.kind === "event") emit(message.event);
    });
    return begun;
  };

  return {
    publish: (nowMs) => {
      thread ??= begin();
      const question = { nowMs, written: new Map(written) };
      written.clear();
      return ask(thread, question);
    },
    noteWritten: (id, body) => {
      if (written.size < WRITTEN_KEPT) written.set(id, body);
    },
    close: async () => {
      await thread?.terminate();
    },
  };
}

function ask(thread: Worker, question: ToPublisher): Promise<Published> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      thread.off("message", hear).off("error", fail).off("exit", end);
      act();
    };
    const hear = (message: FromPublisher): void => {
      if (message.kind === "published") settle(() => resolve(message.published));
      if (message.kind === "failed") settle(() => reject(new Error(message.message)));
    };
    const fail = (error: Error): void => settle(() => reject(error));
    const end = (code: number): void =>
      settle(() => reject(new Error(`the thread that publishes has ended with code ${code}`)));
    thread.on("message", hear).once("error", fail).once("exit", end);
    thread.postMessage(question, []);
  });
}
