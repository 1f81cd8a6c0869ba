import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { createPool } from "../../src/probe/pool.ts";

/** Runs tasks of 5 ms for the hosts; returns the peak concurrency, in all and per host. */
async function peaks(
  hosts: readonly string[],
  options: { concurrency: number; perHost: number },
): Promise<{ all: number; perHost: number }> {
  const pool = createPool(options);
  const open = new Map<string, number>();
  const peak = { all: 0, perHost: 0 };
  await Promise.all(
    hosts.map((host) =>
      pool(host, async () => {
        open.set(host, (open.get(host) ?? 0) + 1);
        const counts = [...open.values()];
        peak.all = Math.max(
          peak.all,
          counts.reduce((sum, count) => sum + count, 0),
        );
        peak.perHost = Math.max(peak.perHost, ...counts);
        await sleep(5);
        open.set(host, (open.get(host) ?? 0) - 1);
      }),
    ),
  );
  return peak;
}

test("concurrency is limited in all and per host", async () => {
  const hosts = Array.from({ length: 60 }, (_, index) => `h${Math.floor(index / 6)}`);
  expect(await peaks(hosts, { concurrency: 8, perHost: 2 })).toEqual({ all: 8, perHost: 2 });
  expect(await peaks(hosts, { concurrency: 64, perHost: 2 })).toEqual({ all: 20, perHost: 2 });
});

test("a queue for one host delays no other host", async () => {
  const pool = createPool({ concurrency: 3, perHost: 1 });
  const order: string[] = [];
  const task = (name: string, ms: number) => async (): Promise<void> => {
    await sleep(ms);
    order.push(name);
  };
  const crowd = Array.from({ length: 5 }, (_, index) => pool("crowded", task(`crowd${index}`, 30)));
  await Promise.all([...crowd, pool("other", task("other", 5))]);
  expect(order[0]).toBe("other");
});

test("a task that throws frees its slot", async () => {
  const pool = createPool({ concurrency: 1, perHost: 1 });
  const broken = pool("a", async () => {
    throw new Error("broken");
  });
  await expect(broken).rejects.toThrow("broken");
  expect(await pool("a", async () => "fine")).toBe("fine");
});

test("a host without tasks is forgotten", async () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const pool = createPool({ concurrency: 8, perHost: 1 });
  const visit = async (count: number): Promise<number> => {
    for (let index = 0; index < count; index += 1) await pool(`h${index}`, async () => index);
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = await visit(1_000);
  // Each host took some 700 bytes when all were kept.
  expect((await visit(40_000)) - before).toBeLessThan(5_000_000);
});
