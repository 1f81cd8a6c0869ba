import type { OwnersNews } from "../model/monitor/owned-monitor.ts";
import type { Emit } from "../model/run-event.ts";
import type { CheckedCondition } from "../monitors/owner-api/owner-responses.ts";
import { builtThread } from "../model/program-folder.ts";
import { SECOND_MS } from "../model/time.ts";
import type { CountedReports } from "../reports/publish-loop.ts";
import type { WrittenObjects } from "../state/inbox.ts";
import { createCallThread } from "./thread-calls.ts";
import type { PublishFlags } from "../setup/options/options.ts";

/** A publish of ten thousand pages leaves room for a sign of life every second; one without any for so long has come to a stop. */
const SILENCE_MS = 60 * SECOND_MS;

/** Inbox objects kept in memory for the next publish, about 100 kB each at most; it reads the others. */
const MAX_WRITTEN_KEPT = 200;

export interface PublishRequest {
  readonly kind: "publish";
  readonly nowMs: number;
  /** Objects written into the inbox since the last request, as far as they were kept. */
  readonly written: WrittenObjects;
  /** Edits of owners wait for a later publish. */
  readonly areEditsLater: boolean;
}

/** What the thread is asked for; each request has one answer. */
export type ThreadRequest = PublishRequest | { readonly kind: "condition"; readonly id: string };

/** What a publish has counted, and whether it has left out the website. */
export interface Published extends CountedReports {
  readonly isSiteBehind: boolean;
  /** What has changed of owned monitors. */
  readonly owners: OwnersNews;
  readonly isSelfService: boolean;
}

export type Publisher = ReturnType<typeof createPublisher>;

/** Publishes in a thread, so that answers to visitors do not wait. It starts with the first request and parses the same options. */
export function createPublisher(flags: PublishFlags, emit: Emit) {
  const thread = createCallThread<ThreadRequest, unknown>({
    url: builtThread("publisher-thread"),
    workerData: flags,
    name: "the publishing thread",
    silenceMs: SILENCE_MS,
    onEvent: emit,
  });
  const written = new Map<string, Uint8Array>();
  return {
    /** One at a time. Rejects with what went wrong; the next call begins with a new thread if this one is gone. */
    publish: async (nowMs: number, areEditsLater: boolean): Promise<Published> => {
      const objects = new Map(written);
      written.clear();
      const request = { kind: "publish", nowMs, written: objects, areEditsLater } as const;
      return (await thread.ask(request)) as Published;
    },
    /** What the checks of a monitor say. Rejects as `publish`. */
    conditionOf: async (id: string): Promise<CheckedCondition | undefined> =>
      (await thread.ask({ kind: "condition", id })) as CheckedCondition | undefined,
    /** Passes on an object that was written into the inbox, which the next publish then need not read. */
    noteWritten: (id: string, body: Uint8Array): void => {
      if (written.size < MAX_WRITTEN_KEPT) written.set(id, body);
    },
    /** Ends the thread, which must be idle. */
    close: thread.close,
  };
}
