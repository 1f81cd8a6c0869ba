import { Worker } from "node:worker_threads";
import type { OwnersNews } from "../../model/owned-monitor.ts";
import type { ProofLook, ProofQuery } from "../../model/proof-look.ts";
import type { Emit, RunEvent } from "../../model/run-event.ts";
import type { CheckedCondition } from "../../monitors/owner-api/owner-record.ts";
import type { ProbeConfig } from "../../probe/probe-config.ts";
import type { CountedReports } from "../../reports/publish-loop.ts";
import type { WrittenObjects } from "../../state/report-inbox.ts";
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

/** `workerData` of the thread. */
export interface PublisherSetup {
  readonly flags: PublishFlags;
  /** For looks for proofs. */
  readonly probe: ProbeConfig;
}

/** A request to publish as of `nowMs`. */
export interface PublishRequest {
  readonly kind: "publish";
  readonly nowMs: number;
  /** Objects written into the inbox since the last request, as far as they were kept. */
  readonly written: WrittenObjects;
  /** Edits of owners wait for a later publish. */
  readonly areEditsLater: boolean;
}

/** What the thread is asked for; each request has one answer. */
export type ThreadRequest =
  | PublishRequest
  | { readonly kind: "look"; readonly query: ProofQuery }
  | { readonly kind: "condition"; readonly id: string };

export type ToPublisher = ThreadRequest & { readonly call: number };

/** What a publish has counted, and whether it has left out the website. */
export interface Published extends CountedReports {
  readonly isSiteBehind: boolean;
  /** What has changed of owned monitors. */
  readonly owners: OwnersNews;
  readonly isSelfService: boolean;
}

/** The answer to each request. */
export interface ThreadAnswers {
  readonly publish: Published;
  readonly look: ProofLook;
  readonly condition: CheckedCondition | undefined;
}

/** Messages of the thread. */
export type FromPublisher =
  | { readonly kind: "event"; readonly event: RunEvent }
  | { readonly kind: "done"; readonly call: number; readonly value: unknown }
  | { readonly kind: "failed"; readonly call: number; readonly message: string };

/** Publishes and probes in a separate thread, so that answers to visitors wait for neither. */
export interface Publisher {
  /** One at a time. Rejects with what went wrong; the next call begins with a new thread if this one is gone. */
  readonly publish: (
    nowMs: number,
    options?: Partial<Pick<PublishRequest, "areEditsLater">>,
  ) => Promise<Published>;
  /** Looks for a proof through the guards of a probe. Rejects if the thread is gone. */
  readonly look: (query: ProofQuery) => Promise<ProofLook>;
  /** What the checks of a monitor say. Rejects as `publish`. */
  readonly conditionOf: (id: string) => Promise<CheckedCondition | undefined>;
  /** Passes on an object that was written into the inbox, which the next publish then need not read. */
  readonly noteWritten: (id: string, body: Uint8Array) => void;
  /** Ends the thread, which must be idle. */
  readonly close: () => Promise<void>;
}

/** Starts the thread with the first request. It parses the same options as the command. */
export function createPublisher(setup: PublisherSetup, emit: Emit): Publisher {
  let thread: Worker | undefined;
  let calls = 0;
  const written = new Map<string, Uint8Array>();

  const start = (): Worker => {
    const worker = new Worker(THREAD_URL, { workerData: setup });
    // Each request listens until it is answered, and several may wait.
    worker.setMaxListeners(0);
    const forget = (): void => {
      if (thread === worker) thread = undefined;
    };
    worker.once("exit", forget).on("error", forget);
    worker.on("message", (message: FromPublisher) => {
      if (message.kind === "event") emit(message.event);
    });
    return worker;
  };
  const ask = <Kind extends ThreadRequest["kind"]>(
    request: Extract<ThreadRequest, { kind: Kind }>,
  ): Promise<ThreadAnswers[Kind]> => {
    calls += 1;
    return sendRequest<ThreadAnswers[Kind]>((thread ??= start()), { ...request, call: calls });
  };

  return {
    publish: (nowMs, { areEditsLater = false } = {}) => {
      const objects = new Map(written);
      written.clear();
      return ask<"publish">({ kind: "publish", nowMs, written: objects, areEditsLater });
    },
    look: (query) => ask<"look">({ kind: "look", query }),
    conditionOf: (id) => ask<"condition">({ kind: "condition", id }),
    noteWritten: (id, body) => {
      if (written.size < WRITTEN_KEPT) written.set(id, body);
    },
    close: async () => {
      await thread?.terminate();
    },
  };
}

function sendRequest<Answer>(thread: Worker, request: ToPublisher): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const finish = (act: () => void): void => {
      thread.off("message", onMessage).off("error", onError).off("exit", onExit);
      act();
    };
    const onMessage = (message: FromPublisher): void => {
      if (message.kind === "event" || message.call !== request.call) return;
      // The thread answers each request with the type of its kind.
      if (message.kind === "done") finish(() => resolve(message.value as Answer));
      else finish(() => reject(new Error(message.message)));
    };
    const onError = (error: Error): void => finish(() => reject(error));
    const onExit = (code: number): void =>
      finish(() => reject(new Error(`the publishing thread has ended with code ${code}`)));
    thread.on("message", onMessage).once("error", onError).once("exit", onExit);
    thread.postMessage(request, []);
  });
}
