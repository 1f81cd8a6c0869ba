import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { toUtcDay } from "../../src/model/time.ts";
import { decodeState, encodeState } from "../../src/state/codec/state.ts";

/** More slots than calibration needs. */
const SLOTS = 280;

/** Changes the state in a workspace as if these vantages had found every endpoint healthy for a day. Throws if there is no state. */
export async function calibrate(folder: string, ids: readonly string[]): Promise<void> {
  const file = join(folder, ".state/state.json.gz");
  const decoded = decodeState(await readFile(file));
  if (decoded.kind !== "ok") throw new Error("the state cannot be read");
  const state = decoded.value;
  const day = toUtcDay(state.history.updatedAtMs ?? 0);
  const days = [{ day, healthy: SLOTS, failed: 0 }];
  const byUrl = new Map([...state.history.endpoints.keys()].map((url) => [url, days] as const));
  const tallies = new Map([...state.vantages.tallies, ...ids.map((id) => [id, byUrl] as const)]);
  const vantages = { ...state.vantages, tallies };
  await writeFile(file, encodeState({ ...state, vantages }));
}
