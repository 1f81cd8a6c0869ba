import { SECOND_MS } from "./model/time.ts";
import { openRelease, release, type Released, type ReleaseSetup, type Step } from "./release.ts";

/**
 * Publishes what follows from the state as of now, without a probe: new reports, an edited registry, time that went by. `updated` does
 * not move. Throws `StateError` and `StoreError`.
 *
 * @param isSiteLater the website stays as it is.
 */
export function refresh(
  setup: ReleaseSetup,
  nowMs: number,
  isSiteLater = false,
): Promise<Released> {
  // Who edits or reports waits for this; a run has the time to draw.
  const deps = openRelease({ ...setup, arePicturesLater: true });
  return release(deps, nowMs, asOfNow(nowMs), { reportsAtMs: nowMs, isSiteLater });
}

/** Two runs over thousands of monitors that overtake one another are done by then. */
const PATIENCE_MS = 30 * SECOND_MS;

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 4 * SECOND_MS;

/**
 * Refreshes until a generation of our own is published: whoever overtakes us may have read the registry before it was edited, so
 * that only our own tells what became of the edit. After each time that others were faster it waits, at random and longer and longer, up
 * to 4 s; after half a minute, or when it is to stop, it gives up, and the last result says `isOvertaken`. Throws as `refresh` does.
 */
export async function refreshInTurn(
  setup: ReleaseSetup,
  nowMs: number,
  stop: AbortSignal,
): Promise<Released> {
  const startedMs = setup.now();
  for (let attempt = 1; ; attempt += 1) {
    const released = await refresh(setup, nowMs);
    const isOver = stop.aborted || setup.now() - startedMs > PATIENCE_MS;
    if (!released.published.isOvertaken || isOver) return released;
    await setup.pause(setup.random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt));
  }
}

/** Before the first valid run the documents are dated to the first attempt to publish them, and stay so. */
function asOfNow(nowMs: number): Step {
  return (state) => {
    const history = { ...state.history, updatedAtMs: state.history.updatedAtMs ?? nowMs };
    return { state: { ...state, history }, nowMs, events: [] };
  };
}
