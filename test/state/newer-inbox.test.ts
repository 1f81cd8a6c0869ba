import { expect, test } from "vitest";
import type { RunEvent } from "../../src/model/run-event.ts";
import { refresh } from "../../src/pipeline/publish/refresh.ts";
import {
  decodeInbox,
  encodeInbox,
  inboxKey,
  openEdits,
  writeEdits,
} from "../../src/state/inbox.ts";
import { T0 } from "../model/samples.ts";
import { detailsIn, NOW_MS, openSetup, post, reportOf } from "../pipeline/publish-harness.ts";
import { freshStores } from "../publish/writers.ts";
import { createMemoryStore } from "../store/memory-store.ts";

const HEADERS = { contentType: "application/json", cacheControl: "no-store" };

/** What a newer version may write, by what a message says of it. */
const NEWER: readonly (readonly [how: string, changes: object])[] = [
  ["it has layout 2", { version: 2, reports: "in another form" }],
  ['Unrecognized key: "places"', { places: [] }],
];

test.each(NEWER)("reports of a newer version are left to it: %s", async (how, changes) => {
  const stores = freshStores();
  const { stateStore } = stores;
  const key = inboxKey("1-x");
  const ours = encodeInbox([reportOf("alpha", "a")]);
  const content: object = JSON.parse(Buffer.from(ours).toString());
  const newer = Buffer.from(JSON.stringify({ ...content, ...changes }));
  await stateStore.write(key, { ...HEADERS, body: newer });
  await stateStore.write(inboxKey("3-x"), { ...HEADERS, body: newer });
  await post(stateStore, "2-x", [reportOf("beta", "b")]);
  const { setup, eventsNamed } = openSetup(stores);
  await refresh({ ...setup, mustCount: true }, NOW_MS);
  const details = await detailsIn(stores.publicStore);
  expect(details).toMatchObject({ alpha: { reportsDay: 0 }, beta: { reportsDay: 1 } });
  const told = `${key} in ${stateStore.name}: the inbox was written by a newer version of status-snapshot (${how}; this one reads layout 1); install that version, or restore a backup`;
  expect(eventsNamed("reports-deferred")).toEqual([{ event: "reports-deferred", message: told }]);
  expect(eventsNamed("inbox-damaged")).toEqual([]);
  expect((await stateStore.list("inbox")).toSorted()).toEqual([key, inboxKey("3-x")]);
  expect(Buffer.from((await stateStore.read(key))?.body ?? [])).toEqual(newer);
  // As if that version were installed again.
  await stateStore.write(key, { ...HEADERS, body: ours });
  await stateStore.remove(inboxKey("3-x"));
  await refresh(openSetup(stores).setup, NOW_MS);
  expect(await detailsIn(stores.publicStore)).toMatchObject({ alpha: { reportsDay: 1 } });
});

test("edits wait behind one of a newer version, because they count in order", async () => {
  const store = createMemoryStore();
  for (const id of ["1-x", "3-x"]) await writeEdits(store, id, [{ kind: "remove", id, atMs: T0 }]);
  const ours: object = JSON.parse(
    Buffer.from((await store.read("owner-edits/1-x.json"))?.body ?? []).toString(),
  );
  const newer = Buffer.from(JSON.stringify({ ...ours, version: 2 }));
  await store.write("owner-edits/2-x.json", { ...HEADERS, body: newer });
  const events: RunEvent[] = [];
  const inbox = await openEdits(store, (event) => void events.push(event));
  const taken = await inbox.take(new Map());
  expect(taken).toEqual({ ids: ["1-x"], items: [{ kind: "remove", id: "1-x", atMs: T0 }] });
  expect(events).toEqual([
    {
      event: "owner-edits-deferred",
      message: expect.stringMatching(/^owner-edits\/2-x\.json in .*written by a newer version/u),
    },
  ]);
});

test("operators are read with their reports; a list of another length is damage", () => {
  const reports = [{ ...reportOf("alpha", "a"), operator: 3 }, reportOf("beta", "b")];
  const bytes = encodeInbox(reports);
  expect(decodeInbox(bytes)).toEqual({ kind: "ok", value: reports });
  const { operators, ...content } = JSON.parse(Buffer.from(bytes).toString());
  const shorter = JSON.stringify({ ...content, operators: operators.slice(1) });
  expect(decodeInbox(Buffer.from(shorter))).toMatchObject({
    kind: "invalid",
    message: expect.stringContaining("the reports and their operators differ in number"),
  });
});
