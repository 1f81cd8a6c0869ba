import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { checkThroughEngine } from "../../src/engine/dispatch.ts";
import { RESULT_STREAM } from "../../src/engine/names.ts";
import type { EngineCounts } from "../../src/model/run-event.ts";
import type { CheckResult } from "../../src/model/monitor/monitor.ts";
import type { CheckTarget } from "../../src/monitors/checks/check-target.ts";
import type { RunningCli } from "../cli/cli.ts";
import { useCliFixture } from "../cli/cli-fixture.ts";
import type { Workspace } from "../cli/workspace.ts";
import { PATIENCE_MS } from "../patience.ts";
import { startWorker } from "./engine-harness.ts";
import { type NatsServer, startNats } from "./nats.ts";
import { createRandom } from "./random.ts";
import { openSmallDisk } from "./small-disk.ts";

const { workspace } = useCliFixture();

const SITES = 40;
/** Every tenth site fails. */
const isSick = (at: number): boolean => at % 10 === 0;
const DEADLINE_MS = 8_000;
const ROUNDS = Number(process.env["TEST_ENGINE_FAULTS"] ?? 16);
/** A worker that stands still, and a server that starts again, take some seconds each. */
const MAX_MS = PATIENCE_MS + ROUNDS * 20_000;
const SEED = randomUUID();
const SKEWED = {
  NODE_OPTIONS: `--import ${fileURLToPath(new URL("skewed-clock.mjs", import.meta.url))}`,
  SKEW_MINUTES: "1440",
};

const disk = openSmallDisk(64 * 1024 * 1024);

let server: NatsServer;
beforeAll(async () => {
  server = await startNats("", undefined, disk?.folder);
}, PATIENCE_MS);
afterAll(async () => {
  await server.close();
  disk?.close();
});

async function openSites(one: Workspace): Promise<readonly CheckTarget[]> {
  const targets: CheckTarget[] = [];
  for (let at = 0; at < SITES; at += 1) {
    await one.set(`m${at}`, isSick(at) ? { kind: "page", status: 503 } : { kind: "page" });
    targets.push({ id: `m${at}`, url: `https://${one.host(`m${at}`)}/`, lastState: "failing" });
  }
  return targets;
}

interface Dispatched {
  readonly results: ReadonlyMap<string, CheckResult>;
  readonly counts: EngineCounts | undefined;
}

async function dispatch(targets: readonly CheckTarget[], slot: number): Promise<Dispatched> {
  let counts: EngineCounts | undefined;
  const results = await checkThroughEngine(
    targets,
    {
      address: { url: server.url },
      cell: "0-1",
      vantages: ["main"],
      slotNow: () => slot,
      batchTargets: 5,
    },
    AbortSignal.timeout(DEADLINE_MS),
    {
      onProgress: () => undefined,
      onWarning: () => undefined,
      onDone: (done) => {
        counts = done;
      },
    },
    DEADLINE_MS,
  );
  return { results, counts };
}

/** Right or skipped: nothing else, whatever happens to the engine. */
function judge({ results }: Dispatched): number {
  let right = 0;
  for (let at = 0; at < SITES; at += 1) {
    const kind = results.get(`m${at}`)?.kind;
    expect([at, kind]).toEqual([
      at,
      kind === "skipped" ? kind : isSick(at) ? "failing" : "healthy",
    ]);
    if (kind !== "skipped") right += 1;
  }
  return right;
}

/** Messages that are not what they seem, on the subjects of a slot. */
async function forge(slot: number): Promise<void> {
  const connection = await connect({ servers: server.url.slice("nats://".length) });
  try {
    const client = jetstream(connection);
    const { streams } = await jetstreamManager(connection);
    const old = await streams
      .getMessage(RESULT_STREAM, { last_by_subj: "results.>" })
      .catch(() => null);
    const bodies = [
      new Uint8Array([31, 139, 8, 0]),
      new TextEncoder().encode("{}"),
      old?.data ?? new Uint8Array(),
      old?.data.subarray(0, 40) ?? new Uint8Array(),
      new Uint8Array(900_000),
    ];
    const subjects = [
      `results.main.0-1.${slot}.3`,
      `results.other.0-1.${slot}.3`,
      `work.main.0-1.${slot}.777`,
    ];
    for (const subject of subjects)
      for (const body of bodies) await client.publish(subject, body).catch(() => undefined);
    connection.publish(`results.main.0-1.${slot}.4`, new Uint8Array(10));
    connection.publish("slot-end.0-1.not-a-number", new Uint8Array());
    await connection.flush();
  } finally {
    await connection.close();
  }
}

test(
  `after any of ${ROUNDS} faults, a monitor is right or skipped`,
  async () => {
    const one = await workspace();
    const targets = await openSites(one);
    const crew: RunningCli[] = [];
    // Every second one has a clock that is a day ahead.
    const hire = async (): Promise<void> =>
      void crew.push(await startWorker(one, server, [], crew.length === 1 ? SKEWED : {}));
    await hire();
    await hire();
    onTestFinished(() => crew.forEach(({ child }) => child.kill("SIGKILL")));
    const random = createRandom(SEED);
    const faults: Record<string, (slot: number) => Promise<void>> = {
      nothing: async () => undefined,
      "a worker dies": async () => {
        crew.shift()?.child.kill("SIGKILL");
        await hire();
      },
      "a worker stands still": async () => {
        const { child } = crew[0] ?? {};
        child?.kill("SIGSTOP");
        setTimeout(() => child?.kill("SIGCONT"), 6_000);
      },
      "the server dies": async () => {
        await server.kill();
        await delay(random() * 500);
        await server.start();
      },
      "the server stands still": async () => {
        server.pause();
        await delay(2_000);
        server.resume();
      },
      ...(disk === undefined
        ? {}
        : {
            // After it JetStream stays off until the server is started again.
            "the disk of the server is full": async () => {
              disk.fill(0);
              await delay(1_500);
              disk.clear();
              await server.kill();
              await server.start();
            },
          }),
      "messages are forged": forge,
      "another publisher": async (slot) => void judge(await dispatch(targets, slot)),
    };
    const names = Object.keys(faults);
    const right = new Map<string, number[]>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const name = names[round % names.length] ?? "nothing";
      const slot = 5_900_000 + round;
      const running = dispatch(targets, slot);
      await delay(random() * 400);
      await faults[name]?.(slot);
      const share = judge(await running) / SITES;
      right.set(name, [...(right.get(name) ?? []), share]);
    }
    const shares = [...right].map(([name, all]) => [
      name,
      all.reduce((a, b) => a + b, 0) / all.length,
    ]);
    console.info(
      `seed ${SEED}, share of monitors that were checked:`,
      JSON.stringify(Object.fromEntries(shares)),
    );
    expect(right.get("nothing")?.every((share) => share === 1)).toBe(true);
  },
  MAX_MS,
);
