import type { EmitIntakeEvent } from "./events.ts";
import type { PersistResult } from "./durable-write.ts";

/** The state of inbox and journal. Each change is logged once. */
export interface WriterStatus {
  readonly isInboxDown: () => boolean;
  readonly setInboxDown: (isDown: boolean, message?: string) => void;
  /** The journal was written. */
  readonly setJournalUp: () => void;
  /** Neither can be written, for the reason in the message. */
  readonly refuse: (message: string) => "refused";
  readonly state: (hasJournal: boolean) => PersistResult;
}

export function createStatus(emit: EmitIntakeEvent): WriterStatus {
  let isInboxDown = false;
  let isRefusing = false;
  return {
    isInboxDown: () => isInboxDown,
    setInboxDown: (isDown, message = "") => {
      if (isDown && !isInboxDown) emit({ event: "inbox-failed", message });
      if (!isDown && isInboxDown) emit({ event: "inbox-back" });
      isInboxDown = isDown;
      if (!isDown) isRefusing = false;
    },
    setJournalUp: () => {
      isRefusing = false;
    },
    refuse: (message) => {
      if (!isRefusing) emit({ event: "intake-refusing", message });
      isRefusing = true;
      return "refused";
    },
    state: (hasJournal) => {
      if (isRefusing) return "refused";
      return isInboxDown && hasJournal ? "journal" : "inbox";
    },
  };
}
