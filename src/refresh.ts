import { bringUp, openRelease, release, type Released, type ReleaseSetup } from "./release.ts";

/**
 * Publishes what follows from the state as of now, without a probe: an edited registry, time that went by. `updated` does
 * not move. Throws `StateError` and `StoreError`.
 */
export function refresh(setup: ReleaseSetup, nowMs: number): Promise<Released> {
  return release(openRelease(setup), nowMs, bringUp(nowMs));
}
