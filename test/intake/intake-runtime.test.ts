import { appendFile, mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import timers from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { openIntakeRuntime } from "../../src/intake/intake-runtime.ts";
import type { PreparedIntake } from "../../src/intake/intake-setup.ts";
import { type ObjectStore, StoreError } from "../../src/model/store.ts";
import { MINUTE_MS } from "../../src/model/time.ts";
import { openJournal } from "../../src/reports/intake/journal.ts";
import { createInboxId } from "../../src/store/inbox-id.ts";
import { createSubscriber } from "../notify/decrypt-push.ts";
import { reportOf } from "../reports/intake/reports.ts";
import { bodyOf } from "../visitors/visitor-harness.ts";
import { openLog, prepareInFolder } from "./prepared.ts";

const nothing = (): void => undefined;

/** The same with another state store in this thread; the publishing thread has its own. */
function withStore(
  prepared: PreparedIntake,
  change: (store: ObjectStore) => ObjectStore,
): PreparedIntake {
  const { ready } = prepared;
  const setup = { ...ready.setup, stateStore: change(ready.setup.stateStore) };
  return { ...prepared, ready: { ...ready, setup } };
}

async function open(prepared: PreparedIntake, stop = new AbortController()) {
  const { log, warnings } = openLog();
  const io = {
    env: {},
    setEnv: nothing,
    print: nothing,
    wallMs: () => Date.now(),
    stop: stop.signal,
    killGroup: nothing,
  };
  const runtime = await openIntakeRuntime(prepared, io, log);
  if (runtime === "stopped") return { runtime: undefined, warnings, ask: undefined };
  let isClosed = false;
  const close = async () => {
    if (!isClosed) await runtime.close();
    isClosed = true;
  };
  onTestFinished(close);
  const ask = async (method: string, path: string, body?: string) => {
    const request = new Request(`http://127.0.0.1${path}`, {
      method,
      ...(body === undefined ? {} : { body, headers: { "Content-Type": "application/json" } }),
    });
    const answer = await runtime.intake.app.fetch(request, { remoteAddress: "198.51.100.7" });
    return { status: answer.status, text: await answer.text() };
  };
  return { runtime: { ...runtime, close }, warnings, ask };
}

test("a report is counted in its answer, published, and out of the inbox at the end", async () => {
  const { folder, prepared } = await prepareInFolder();
  const { runtime, ask, warnings } = await open(prepared);
  if (runtime === undefined) throw new Error("stopped");
  expect(await ask("POST", "/report/sberbank")).toEqual({
    status: 202,
    text: '{"slug":"sberbank","reportsHour":1,"reportsDay":1}',
  });
  expect(await ask("POST", "/report/nobody")).toMatchObject({ status: 404 });
  await runtime.firstPublish;
  await runtime.close();
  const detail = await readFile(join(folder, "public/api/v1/status/sberbank.json"), "utf8");
  expect(JSON.parse(detail)).toMatchObject({ reportsHour: 1, reportsDay: 1 });
  expect(await readdir(join(folder, "state/inbox")).catch(() => [])).toEqual([]);
  expect(warnings).toEqual([]);
});

test("health and metrics are those of all three parts", async () => {
  const { runtime } = await open((await prepareInFolder()).prepared);
  if (runtime === undefined) throw new Error("stopped");
  const read = async (path: string) =>
    (await runtime.intake.operations.fetch(new Request(`http://127.0.0.1${path}`))).text();
  const metrics = await read("/metrics");
  for (const name of ["owner_edits_total", "push_edits_total", "intake_"])
    expect(metrics).toContain(`status_snapshot_${name}`);
  await expect(metrics.match(/^# HELP .+$/gmu)?.join("\n")).toMatchFileSnapshot("golden/help.txt");
  expect(JSON.parse(await read("/healthz"))).toMatchObject({ keeping: "inbox" });
});

test("what the store does not take is warned of once a minute, and when it is back", async () => {
  const alertsKey = createSubscriber().keys.p256dh;
  const { prepared } = await prepareInFolder({ selfService: "on", alertsKey });
  let isDown = false;
  const failing = withStore(prepared, (store) => ({
    ...store,
    write: (key, object, condition) =>
      isDown
        ? Promise.reject(new StoreError("write", key, "the disk is full."))
        : store.write(key, object, condition),
  }));
  const { ask, runtime, warnings } = await open(failing);
  if (ask === undefined) throw new Error("stopped");
  // Owners may add their sites after the first publish.
  await runtime.firstPublish;
  isDown = true;
  const shop = { url: "https://shop.example.ru/" };
  for (const [path, body] of [
    ["/report/sberbank", undefined],
    ["/monitors", JSON.stringify(shop)],
    ["/push", JSON.stringify(bodyOf("a", ["sberbank"]))],
  ] as const)
    expect(await ask("POST", path, body)).toMatchObject({ status: 503 });
  expect(warnings).toEqual([
    "The state store does not take reports: the disk is full.",
    "Reports are refused, because neither the store nor the journal accepts them: there is no journal",
    "The state store does not take changes by owners: the disk is full.",
    "The state store does not take subscriptions: the disk is full.",
  ]);
  isDown = false;
  await expect.poll(async () => (await ask("POST", "/report/sberbank")).status).toBe(202);
  expect(warnings[4]).toBe("The state store takes reports again.");
});

/** The same with a journal, whose folder has a copy of the secret. */
async function withJournal({ folder, prepared }: Awaited<ReturnType<typeof prepareInFolder>>) {
  const journal = join(folder, "journal");
  await mkdir(journal);
  await writeFile(join(journal, "secret.bin"), Buffer.alloc(32, 7));
  const settings = { ...prepared.settings, journal: { folder: journal } };
  return { journal, prepared: { ...prepared, settings } };
}

/** Lets waits of a minute end at once, until the test has finished. */
function skipMinutes(): void {
  const { setTimeout: wait } = timers;
  const skip = vi.spyOn(timers, "setTimeout");
  skip.mockImplementation((ms, ...rest) => wait(ms === MINUTE_MS ? 0 : ms, ...rest));
  syncBuiltinESMExports();
  onTestFinished(() => {
    skip.mockRestore();
    syncBuiltinESMExports();
  });
}

test("an intake that starts without its store does not wait for a publish", async () => {
  const { prepared } = await withJournal(await prepareInFolder());
  let reads = 0;
  const down = withStore(prepared, (store) => ({
    ...store,
    read: (key) => {
      reads += 1;
      // The next handshake meets silence.
      if (reads > 1) return new Promise(() => undefined);
      return Promise.reject(new StoreError("read", key, "it is down."));
    },
  }));
  const { runtime } = await open(down);
  await runtime?.firstPublish;
  expect(reads).toBe(2);
  skipMinutes();
  await runtime?.close();
});

test("a publish that fails, and one that never ends, are warned of", async () => {
  const { prepared } = await withJournal(await prepareInFolder());
  let isSilent = false;
  const down = withStore(prepared, (store) => ({
    ...store,
    read: (key) =>
      isSilent
        ? new Promise(() => undefined)
        : Promise.reject(new StoreError("read", key, "it is down.")),
  }));
  const { runtime, warnings } = await open(down);
  if (runtime === undefined) throw new Error("stopped");
  await expect.poll(() => warnings).toHaveLength(2);
  isSilent = true;
  skipMinutes();
  await runtime.close();
  expect(warnings.slice(1)).toEqual([
    "Reports wait to be published: it is down.",
    "The publish in progress did not end within a minute and is cut off. No report is lost: the next start publishes them.",
  ]);
});

test("damage of the journal is warned of", async () => {
  const { journal, prepared } = await withJournal(await prepareInFolder());
  const [torn, other] = [createInboxId(1), createInboxId(2)];
  const { put, close } = await openJournal(journal, { maxReports: 1, nowMs: () => 0 });
  for (const id of [torn, other]) await put(id, [reportOf(1)]);
  await close();
  await appendFile(join(journal, `${torn}.sealed`), "no line\n00000000 []\n");
  const place = join(journal, `${other}.sealed`);
  const breaking = withStore(prepared, (store) => ({
    ...store,
    // Nothing is published, so the publishing thread does not start.
    read: (key) => Promise.reject(new StoreError("read", key, "it is down.")),
    write: async (key, object, condition) => {
      await rm(place, { force: true });
      await mkdir(place, { recursive: true });
      return store.write(key, object, condition);
    },
  }));
  const { warnings } = await open(breaking);
  await expect.poll(() => warnings.length).toBeGreaterThan(3);
  expect(warnings).toEqual(
    expect.arrayContaining([
      `2 lines of the journal ${torn} cannot be read. Is the disk at fault?`,
      "The journal cannot be read or cleaned up, and is tried again: Error: EISDIR: illegal operation on a directory, read",
    ]),
  );
});

test("a start that is stopped opens nothing", async () => {
  const stop = new AbortController();
  stop.abort("aborted");
  expect((await open((await prepareInFolder()).prepared, stop)).runtime).toBeUndefined();
});
