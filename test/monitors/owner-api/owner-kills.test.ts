import { expect, test } from "vitest";
import { writeEdits } from "../../../src/state/inbox.ts";
import { loadState } from "../../../src/state/state-file.ts";
import { newsOfOwners, advanceOwners } from "../../../src/pipeline/publish/owner-generation.ts";
import { T0 } from "../../model/samples.ts";
import { atDepth } from "../../depth.ts";
import { createDyingStore } from "../../mortal.ts";
import { createRandom } from "../../random.ts";
import { NO_PAUSE, publishIn, recordsIn } from "../../pipeline/owner-publishing.ts";
import { freshStores } from "../../publish/writers.ts";
import { createOwnerHarness } from "./owner-harness.ts";

const KILLS = atDepth(60, 500);

test(`${KILLS} kills lose no acknowledged registration, and double no change`, async () => {
  const draw = createRandom(20_261_123);
  const random = (below: number): number => Math.floor(draw() * below);
  const stores = freshStores();
  /** By id: how many changes were acknowledged, and how many were asked for. */
  const changes = new Map<string, { acknowledged: number; asked: number }>();
  const keys = new Map<string, string>();
  for (let kill = 0; kill < KILLS; kill += 1) {
    // In each life an intake writes, and a publisher counts, until both are killed.
    const lives = 1 + random(40);
    const stateStore = createDyingStore(stores.stateStore, lives, random(2) === 0);
    const { intake, ask } = createOwnerHarness({
      writeEdits: (id, edits) => writeEdits(stateStore, id, edits),
      newId: () => `m${kill}-${random(1_000_000)}`,
      limits: { ...NO_LIMITS },
      requests: { burst: 1_000 },
    });
    const { state } = await loadState(stores.stateStore);
    const inbox = { take: async () => ({ ids: [], items: [] }) };
    const deps = { stateStore: stores.stateStore, pause: NO_PAUSE, memory: {} };
    intake.update(
      newsOfOwners(await advanceOwners(deps, state.owners, inbox, T0), undefined),
      true,
    );
    const working = [
      ...Array.from({ length: 3 }, async (_, at) => {
        const url = `https://shop${kill}-${at}.example/`;
        const { status, body } = await ask("POST", "/monitors", { body: { url } });
        expect(status).toBe(201);
        keys.set(body.id, body.token);
        changes.set(body.id, { acknowledged: 0, asked: 0 });
      }),
      ...[...keys].slice(-2).map(async ([id, key]) => {
        const count = changes.get(id);
        if (count === undefined) return;
        count.asked += 1;
        const body = { name: `${kill}` };
        const { status } = await ask("PATCH", `/monitors/${id}`, { key, body });
        if (status === 200) count.acknowledged += 1;
      }),
      publishIn({ ...stores, stateStore }),
    ];
    // The process is gone when none of them goes on.
    await Promise.race([Promise.all(working), settled()]);
  }
  await publishIn(stores);
  const records = await recordsIn(stores.stateStore);
  expect(keys.size).toBeGreaterThan(KILLS / 3);
  for (const [id, { acknowledged, asked }] of changes) {
    const edits = (records.get(id)?.revision ?? 0) - 1;
    expect([id, edits >= acknowledged, edits <= asked]).toEqual([id, true, true]);
  }
  expect(await stores.stateStore.list("owner-edits")).toEqual([]);
}, 600_000);

const MANY = Number.MAX_SAFE_INTEGER;
const NO_LIMITS = {
  perNetwork: MANY,
  perDomain: MANY,
  perHost: MANY,
  perNetworkAndHost: MANY,
  perNetworkAndDomain: MANY,
  pendingInAll: MANY,
  keysPerMonitor: MANY,
  keysPerNetwork: MANY,
};

/** Longer than any request of the memory store, and than the pause between two writes. */
function settled(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 80);
  });
}
