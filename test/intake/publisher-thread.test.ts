import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createPublishTask } from "../../src/intake/publisher-thread.ts";
import { isFolded } from "../../src/model/folded-ids.ts";
import { PUBLISH, readFlags } from "../../src/setup/options/options.ts";
import { collectProblems } from "../../src/setup/parse-options.ts";
import { EMPTY_STATE } from "../../src/model/state.ts";
import { encodeState } from "../../src/state/codec/state.ts";
import { encodeInbox, inboxKey } from "../../src/state/inbox.ts";
import { createInboxId } from "../../src/store/inbox-id.ts";
import { T0 } from "../model/samples.ts";
import { FAILING, pendingOf, SLOT0 } from "../monitors/uptime/samples.ts";
import { reportOf } from "../reports/intake/reports.ts";
import { smallCatalogue } from "../setup/small-catalogue.ts";
import { makeScratchFolder } from "../store/scratch.ts";

/** A task of a small catalogue, whose clock shows these times. */
async function openTask(times: number[] = [], more: Readonly<Record<string, string>> = {}) {
  const folder = makeScratchFolder();
  const catalogue = join(folder, "catalogue.yaml");
  await writeFile(catalogue, smallCatalogue());
  const [store, state] = ["public", "state"].map((name) => `file:${join(folder, name)}`);
  const problems = collectProblems();
  const given = { catalogue, store: store ?? "", state: state ?? "", ...more };
  const task = createPublishTask(
    readFlags(PUBLISH, given, problems),
    () => undefined,
    () => times.shift() ?? 0,
  );
  const publish = (written: ReadonlyMap<string, Uint8Array> = new Map()) =>
    task.publish({ kind: "publish", nowMs: T0, written, areEditsLater: false });
  return { folder, catalogue, task, publish };
}

test("the website follows after four calm seconds, or a minute", async () => {
  // The start of the task, then the start and end of each publish.
  const times = [
    [0],
    [3_999, 59_000],
    [59_999, 59_999],
    [60_000, 61_000],
    [64_999, 64_999],
    [68_999, 68_999],
  ];
  const { publish } = await openTask(times.flat());
  const isBehind: boolean[] = [];
  for (const _ of times.slice(1)) isBehind.push((await publish()).isSiteBehind);
  expect(isBehind).toEqual([true, true, false, true, false]);
});

test("an object that was written is counted from memory, once", async () => {
  const { folder, publish } = await openTask();
  const id = createInboxId(T0);
  await mkdir(join(folder, "state/inbox"), { recursive: true });
  await writeFile(join(folder, "state", inboxKey(id)), "not what was written");
  const body = encodeInbox([reportOf(T0 - 1, { network: "n".repeat(16), block: "b".repeat(16) })]);
  for (const written of [new Map([[id, body]]), new Map<string, Uint8Array>()]) {
    const { accepted, folded } = await publish(written);
    expect([...accepted.keys()]).toEqual(["sberbank"]);
    expect(isFolded(folded, id)).toBe(true);
  }
});

test("the first publish tells all records of owners, the next what has changed", async () => {
  const { publish } = await openTask();
  const isAll: boolean[] = [];
  for (let count = 0; count < 2; count += 1) isAll.push((await publish()).owners.isAll);
  expect(isAll).toEqual([true, false]);
});

test("a publish that fails is tried again with other settings", async () => {
  const { catalogue, publish, task } = await openTask();
  await writeFile(catalogue, "services: []\n");
  await expect(publish()).rejects.toThrow(/catalogue\.yaml/u);
  expect(await task.conditionOf("abc")).toBeUndefined();
  await writeFile(catalogue, smallCatalogue());
  expect(await publish()).toMatchObject({ isSelfService: expect.any(Boolean) });
  expect(await task.conditionOf("abc")).toBeUndefined();
});

test("a publish that cannot read the reports fails, because its answer would miss them", async () => {
  const { folder, publish } = await openTask();
  await mkdir(join(folder, "state"));
  await writeFile(join(folder, "state/inbox"), "a file in place of the folder");
  await expect(publish()).rejects.toThrow(/state.*inbox/u);
});

test("the condition of a monitor is that of its checks, as of the last publish", async () => {
  const registry = join(makeScratchFolder(), "list.jsonl");
  const lines = ["shop", "other"].map((id) =>
    JSON.stringify({ id, url: `https://${id}.example/` }),
  );
  await writeFile(registry, `${lines.join("\n")}\n`);
  const { folder, publish, task } = await openTask([], { monitors: registry });
  const pending = pendingOf(1, { shop: FAILING });
  const clock = { runs: 1, lastSlot: SLOT0, days: [], recentSlots: [SLOT0] };
  const monitors = { ...EMPTY_STATE.monitors, clock, sequence: 1, pending };
  await mkdir(join(folder, "state"));
  await writeFile(join(folder, "state/state.json.gz"), encodeState({ ...EMPTY_STATE, monitors }));
  expect(await task.conditionOf("shop")).toBeUndefined();
  await publish();
  expect(await task.conditionOf("shop")).toMatchObject({
    condition: "failing",
    code: "tcp-timeout",
    counts: expect.objectContaining({ "30d": expect.anything() }),
  });
  expect(await task.conditionOf("other")).toBeUndefined();
});
