import { setTimeout as sleep } from "node:timers/promises";
import type { Report } from "../../model/service/reports.ts";
import type { ReportWriterDependencies } from "./durable-write.ts";
import type { Journal } from "./journal.ts";
import { withTimeout } from "../../store/with-timeout.ts";

/** Longer than for new reports, because no client waits for the replay. */
const REPLAY_TIMEOUT_MS = 10_000;

const RETRY_DELAYS_MS = [500, 10_000] as const;

export interface ReplayDependencies extends Pick<
  ReportWriterDependencies,
  "writeInbox" | "encode" | "onReplayed" | "onJournalEmpty" | "emit" | "options"
> {
  readonly journal: Journal;
  /** Called after each attempt. */
  readonly setInboxDown: (isDown: boolean, message?: string) => void;
}

export interface Replay {
  /** Does nothing if the replay is running. */
  readonly start: () => void;
  /** Resolves when the current segment is done. */
  readonly stop: () => Promise<void>;
}

/**
 * Moves the journal into the inbox, segment by segment, until it is empty. A segment is removed after its object is written, so
 * after a crash in between the same object is written again under the same id.
 */
export function createReplay(dependencies: ReplayDependencies): Replay {
  const { journal, options = {} } = dependencies;
  const [first, longest] = options.retryDelaysMs ?? RETRY_DELAYS_MS;
  const stopped = new AbortController();
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    let delayMs = first;
    while (!stopped.signal.aborted) {
      const step = await moveOne(dependencies);
      if (step === "empty") return dependencies.onJournalEmpty?.();
      if (step === "moved") {
        delayMs = first;
        continue;
      }
      // With jitter, so that several intakes do not retry at the same moment.
      const pauseMs = delayMs * (0.5 + Math.random() / 2);
      await sleep(pauseMs, undefined, { signal: stopped.signal, ref: false }).catch(
        () => undefined,
      );
      delayMs = Math.min(delayMs * 2, longest);
    }
  }

  function start(): void {
    running ??= run().finally(() => {
      running = undefined;
      // Reports may have been added after `next` found nothing.
      if (!stopped.signal.aborted && journal.size().reports > 0) start();
    });
  }

  return {
    start,
    stop: async () => {
      stopped.abort();
      await running;
    },
  };
}

async function moveOne(dependencies: ReplayDependencies): Promise<"moved" | "empty" | "failed"> {
  const { journal, emit, onReplayed } = dependencies;
  try {
    const segment = await journal.next();
    if (segment === undefined) return "empty";
    const { id, reports, damaged } = segment;
    if (reports.length > 0 && !(await write(id, reports, dependencies))) return "failed";
    const isOurs = await journal.remove(id);
    if (damaged > 0) emit({ event: "journal-damaged", id, lines: damaged });
    if (reports.length > 0 && isOurs) onReplayed?.(reports, id);
    return "moved";
  } catch (error) {
    emit({ event: "journal-failed", message: String(error) });
    return "failed";
  }
}

async function write(
  id: string,
  reports: readonly Report[],
  { writeInbox, encode, setInboxDown }: ReplayDependencies,
): Promise<boolean> {
  // Outside of `try`: an encoding error does not mean that the store is down.
  const bytes = encode(reports);
  try {
    await withTimeout(writeInbox(id, bytes), REPLAY_TIMEOUT_MS);
    setInboxDown(false);
    return true;
  } catch (error) {
    setInboxDown(true, error instanceof Error ? error.message : String(error));
    return false;
  }
}
