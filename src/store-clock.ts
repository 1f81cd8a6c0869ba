import type { Emit } from "./model/event.ts";
import { type ObjectStore, StoreError } from "./model/store.ts";
import { describeClock } from "./render/clock.ts";
import { DOUBTED_CLOCK_MS, REFUSED_CLOCK_MS } from "./store/clock.ts";

/** Holds the clock of this machine against what the store said in its last answer. Tells once for each command. */
export type CheckClock = () => void;

/**
 * Everything that is published carries the time of this machine, so a clock that is wrong by minutes is a wrong verdict. A store without
 * a clock of its own (a directory) says nothing of it. The check throws `StoreError` where the clock is too wrong to publish.
 */
export function createClockCheck(store: ObjectStore, emit: Emit): CheckClock {
  let hasTold = false;
  return () => {
    const aheadMs = store.clockAheadMs?.() ?? 0;
    const offMs = Math.abs(aheadMs);
    if (offMs >= REFUSED_CLOCK_MS) {
      const message = `${store.name}: ${describeClock(aheadMs)}. Set the clock (NTP): what is published carries its time, so nothing is.`;
      throw new StoreError("read", "", message);
    }
    if (offMs < DOUBTED_CLOCK_MS || hasTold) return;
    hasTold = true;
    emit({ event: "clock-off", aheadMs: Math.round(aheadMs) });
  };
}
