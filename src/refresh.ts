import { openRelease, release, type Released, type ReleaseSetup, type Step } from "./release.ts";

/**
 * Publishes what follows from the state as of now, without a probe: new reports, an edited registry, time that went by. `updated` does
 * not move. Throws `StateError` and `StoreError`.
 */
export function refresh(setup: ReleaseSetup, nowMs: number): Promise<Released> {
  return release(openRelease(setup), nowMs, asOfNow(nowMs), { reportsAtMs: nowMs });
}

/** Before the first valid run the documents are dated to the first attempt to publish them, and stay so. */
function asOfNow(nowMs: number): Step {
  return (state) => {
    const history = { ...state.history, updatedAtMs: state.history.updatedAtMs ?? nowMs };
    return { state: { ...state, history }, nowMs, events: [] };
  };
}
