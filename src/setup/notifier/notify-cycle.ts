import { randomUUID } from "node:crypto";
import type { ObjectStore } from "../../model/store.ts";
import type { Delivery } from "../../notify/deliver.ts";
import { type LedgerFile, openLedger } from "../../notify/ledger.ts";
import type { Log } from "../log.ts";

/** Tells one kind of receivers once what is new for them. */
export interface NotifySource {
  /** Object of its ledger. */
  readonly ledgerKey: string;
  /** One cycle. Throws errors of a store, a state, a ledger or a website. */
  readonly deliver: (turn: NotifyTurn) => Promise<Delivery | "busy">;
  /** Waits for what its cycles have begun beside the messages. Never rejects. Absent: nothing. */
  readonly settle?: () => Promise<void>;
}

/** What a cycle works with. */
export interface NotifyTurn {
  readonly ledger: LedgerFile;
  /** Random name of this process. */
  readonly holder: string;
}

/** One look at a source, and the messages that follow from it. */
export function createCycle(
  { ledgerKey, deliver }: NotifySource,
  ledgerStore: ObjectStore,
  log: Log,
): () => Promise<void> {
  const holder = randomUUID();
  let known: LedgerFile | undefined;
  return async () => {
    // Another notifier may have written it: a conflict shows that, and then it is read again.
    const ledger = known ?? (await openLedger(ledgerStore, ledgerKey));
    known = undefined;
    const startedMs = performance.now();
    const done = await deliver({ ledger, holder });
    if (done === "busy") return log.emit({ event: "notifier-busy" });
    known = ledger;
    const { delivered, failed, missed } = done;
    if (missed > 0) log.emit({ event: "changes-missed", count: missed });
    if (delivered + failed > 0)
      log.emit({
        event: "notices-sent",
        delivered,
        failed,
        open: done.open,
        durationMs: Math.round(performance.now() - startedMs),
      });
  };
}
