import type { EmitIntakeEvent } from "./events.ts";
import type { KeepResult } from "./keeper.ts";

/** What is known of the places that keep reports. Each change is told once. */
export interface KeeperStatus {
  readonly isInboxDown: () => boolean;
  readonly noteInbox: (isDown: boolean, message?: string) => void;
  /** The journal has taken reports. */
  readonly noteJournal: () => void;
  /** Neither takes reports; the message says why. */
  readonly refuse: (message: string) => "refused";
  readonly state: (hasJournal: boolean) => KeepResult;
}

export function createStatus(emit: EmitIntakeEvent): KeeperStatus {
  let isInboxDown = false;
  let isRefusing = false;
  return {
    isInboxDown: () => isInboxDown,
    noteInbox: (isDown, message = "") => {
      if (isDown && !isInboxDown) emit({ event: "inbox-failed", message });
      if (!isDown && isInboxDown) emit({ event: "inbox-back" });
      isInboxDown = isDown;
      if (!isDown) isRefusing = false;
    },
    noteJournal: () => {
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
