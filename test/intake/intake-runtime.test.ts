import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openIntakeRuntime } from "../../src/intake/intake-runtime.ts";
import type { PreparedIntake } from "../../src/intake/intake-setup.ts";
import { type ObjectStore, StoreError } from "../../src/model/store.ts";
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

test("a store that takes no reports is warned of once a minute, and when it is back", async () => {
  const { prepared } = await prepareInFolder();
  let isDown = true;
  const failing = withStore(prepared, (store) => ({
    ...store,
    write: (key, object, condition) =>
      isDown && key.startsWith("inbox/")
        ? Promise.reject(new StoreError("write", key, "the disk is full."))
        : store.write(key, object, condition),
  }));
  const { ask, warnings } = await open(failing);
  if (ask === undefined) throw new Error("stopped");
  expect(await ask("POST", "/report/sberbank")).toMatchObject({ status: 503 });
  expect(warnings).toEqual([
    "The state store does not take reports: the disk is full.",
    "Reports are refused, because neither the store nor the journal accepts them: there is no journal",
  ]);
  isDown = false;
  await expect.poll(async () => (await ask("POST", "/report/sberbank")).status).toBe(202);
  expect(warnings[2]).toBe("The state store takes reports again.");
});

test("a start that is stopped opens nothing", async () => {
  const stop = new AbortController();
  stop.abort("aborted");
  expect((await open((await prepareInFolder()).prepared, stop)).runtime).toBeUndefined();
});
