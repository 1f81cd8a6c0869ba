import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, inject, test, vi } from "vitest";
import { PATIENCE_MS } from "../patience.ts";
import { type CephAddress, startCeph } from "./ceph.ts";

const ceph = inject("ceph");
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** A parent that starts a store, prints its address and never stops it. */
const PARENT = `
  import { startCeph } from "./test/system/ceph.ts";
  const ceph = await startCeph();
  console.log(JSON.stringify(ceph));
  setInterval(() => undefined, 1_000);
`;

/** An ended process that its parent has not reaped yet (state Z) is not running. */
function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /u.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

async function isAnswering(address: CephAddress): Promise<boolean> {
  const response = await fetch(address.endpoint).catch(() => undefined);
  return response?.status === 200;
}

test("a second store runs beside the first, and leaves nothing when it stops", async () => {
  const second = await startCeph();
  const pids = Object.values(second.pids);
  try {
    expect(second.endpoint).not.toBe(ceph.endpoint);
    expect(pids).toHaveLength(4);
    expect(pids.every(isRunning)).toBe(true);
    expect(await isAnswering(second)).toBe(true);
  } finally {
    await second.stop();
  }
  expect(pids.filter(isRunning)).toEqual([]);
  expect(existsSync(second.folder)).toBe(false);
  await second.stop();
  expect(await isAnswering(ceph)).toBe(true);
});

test("a store ends if the process that started it is killed", async () => {
  const parent = spawn(
    process.execPath,
    ["--import", "tsx", "--input-type=module", "--eval", PARENT],
    {
      cwd: ROOT,
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  let store: CephAddress | undefined;
  for await (const line of createInterface(parent.stdout)) {
    store = JSON.parse(line) as CephAddress;
    break;
  }
  parent.kill("SIGKILL");
  if (store === undefined) throw new Error("the parent ended without a store");
  const { folder, pids } = store;
  await vi.waitFor(
    () => {
      expect(Object.values(pids).filter(isRunning)).toEqual([]);
      expect(existsSync(folder)).toBe(false);
    },
    { timeout: PATIENCE_MS, interval: 200 },
  );
  expect(await isAnswering(ceph)).toBe(true);
});
