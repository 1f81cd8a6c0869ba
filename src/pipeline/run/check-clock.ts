import type { Emit } from "../../model/run-event.ts";
import { type ObjectStore, StoreError } from "../../model/store.ts";
import { describeClock } from "../../store/describe-clock.ts";
import { DOUBTED_CLOCK_MS, REFUSED_CLOCK_MS } from "../../store/store-clock.ts";

/** Compares the clock of this machine with the store's last response. Logs a deviation once per command. */
export type CheckClock = () => void;

/**
 * Published documents carry the time of this machine, so a clock that is wrong by minutes makes verdicts wrong. A directory has no
 * clock of its own and is not compared. The check throws `StoreError` if the clock is too wrong to publish.
 */
export function createClockCheck(store: ObjectStore, emit: Emit): CheckClock {
  let hasLogged = false;
  return () => {
    const aheadMs = store.clockAheadMs?.() ?? 0;
    const offMs = Math.abs(aheadMs);
    if (offMs >= REFUSED_CLOCK_MS) {
      const message = `${store.name}: ${describeClock(aheadMs)}. Set the clock (NTP): what is published carries its time, so nothing is.`;
      throw new StoreError("read", "", message);
    }
    if (offMs < DOUBTED_CLOCK_MS || hasLogged) return;
    hasLogged = true;
    emit({ event: "clock-off", aheadMs: Math.round(aheadMs) });
  };
}
