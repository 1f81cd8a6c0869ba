import type { OwnersNews } from "../model/monitor/owned-monitor.ts";
import type { Emit } from "../model/run-event.ts";
import type { CheckedCondition } from "../monitors/owner-api/owner-record.ts";
import { SECOND_MS } from "../model/time.ts";
import type { CountedReports } from "../reports/publish-loop.ts";
import type { WrittenObjects } from "../state/report-inbox.ts";
import type { PublishFlags } from "../setup/options/options.ts";
import { builtThread, createCallThread } from "./thread-calls.ts";

/** A publish of ten thousand pages leaves room for a sign of life every second; one without any for so long has come to a stop. */
const SILENCE_MS = 60 * SECOND_MS;

/** Inbox objects kept in memory for the next publish, about 100 kB each at most; it reads the others. */
const MAX_WRITTEN_KEPT = 200;

/** `workerData` of the thread. */
export interface PublisherSetup {
  readonly flags: PublishFlags;
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
export type ThreadRequest = PublishRequest | { readonly kind: "condition"; readonly id: string };

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
  readonly condition: CheckedCondition | undefined;
}

/** Publishes in a separate thread, so that answers to visitors do not wait for it. */
export interface Publisher {
  /** One at a time. Rejects with what went wrong; the next call begins with a new thread if this one is gone. */
  readonly publish: (
    nowMs: number,
    options?: Partial<Pick<PublishRequest, "areEditsLater">>,
  ) => Promise<Published>;
  /** What the checks of a monitor say. Rejects as `publish`. */
  readonly conditionOf: (id: string) => Promise<CheckedCondition | undefined>;
  /** Passes on an object that was written into the inbox, which the next publish then need not read. */
  readonly noteWritten: (id: string, body: Uint8Array) => void;
  /** Ends the thread, which must be idle. */
  readonly close: () => Promise<void>;
}

/** Starts the thread with the first request. It parses the same options as the command. */
export function createPublisher(setup: PublisherSetup, emit: Emit): Publisher {
  const thread = createCallThread<ThreadRequest, unknown>({
    url: builtThread("publisher-thread"),
    workerData: setup,
    name: "the publishing thread",
    silenceMs: SILENCE_MS,
    onEvent: emit,
  });
  const ask = async <Kind extends ThreadRequest["kind"]>(
    request: Extract<ThreadRequest, { kind: Kind }>,
  ): Promise<ThreadAnswers[Kind]> => (await thread.ask(request)) as ThreadAnswers[Kind];
  const written = new Map<string, Uint8Array>();
  return {
    publish: (nowMs, { areEditsLater = false } = {}) => {
      const objects = new Map(written);
      written.clear();
      return ask<"publish">({ kind: "publish", nowMs, written: objects, areEditsLater });
    },
    conditionOf: (id) => ask<"condition">({ kind: "condition", id }),
    noteWritten: (id, body) => {
      if (written.size < MAX_WRITTEN_KEPT) written.set(id, body);
    },
    close: thread.close,
  };
}
