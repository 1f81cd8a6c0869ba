import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { openLedger } from "../../src/notify/ledger.ts";
import { createDirectoryStore } from "../../src/store/directory.ts";
import { ageLock } from "../store/age-lock.ts";
import { startReceivers, TELEGRAM_TOKEN } from "../notify/fake-receivers.ts";
import { createRandom } from "../random.ts";
import { atDepth } from "../depth.ts";
import { startCli, until } from "./cli.ts";

const CHAT = "@status_ru";
const RUN_S = 300;

test("a notifier that is killed loses nothing, and repeats one message a kill", async () => {
  const { world, url, port, close } = await startReceivers();
  onTestFinished(close);
  const folder = await mkdtemp(join(tmpdir(), "notify-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const token = "{ env: TOKEN }";
  await writeFile(
    join(folder, "channels.yaml"),
    `channels:\n  - { id: main, kind: telegram, chat: "${CHAT}", token: ${token}, base: "${url}/telegram" }\n`,
  );
  const line = `notify watch --every 1 --changes ${url}/site --channels channels.yaml --set ledger=file:ledger --allow-private 127.0.0.1/32 --allow-port ${port} --log json`;
  const start = () => startCli(line.split(" "), { cwd: folder, env: { TOKEN: TELEGRAM_TOKEN } });
  const random = createRandom(5);
  const slugs = Array.from({ length: 40 }, (_, at) => `s${at}`);
  for (const slug of slugs) world.codes.set(slug, "ok");
  const now = () => Math.floor(Date.now() / 1_000);
  world.updated = now();
  const asked = (method: string) => world.asked.filter((one) => one === method).length;
  const first = start();
  await until("it has begun", () => asked("GET /site/api/v1/status") > 0);
  await until("it has a ledger", async () => (await readLedger(folder)) !== undefined);
  first.child.kill("SIGKILL");
  await first.ended;
  await letGo(folder);

  let kills = 0;
  const logs: string[] = [];
  const rounds = atDepth(6, 40);
  for (let round = 0; round < rounds; round += 1) {
    // Another service each time, so that no quiet delays its message: as of the last run, and confirmed by this one.
    const slug = slugs[round] ?? "";
    world.updated = now();
    world.changes.push({ slug, at: now() - RUN_S, before: "ok", code: "fail" });
    world.codes.set(slug, "fail");
    const fate = random();
    world.trouble =
      fate < 0.25 ? () => ({ status: 500 }) : fate < 0.5 ? () => "accepts" : undefined;
    const before = asked("sendMessage");
    const running = start();
    await until("a message is sent", () => asked("sendMessage") > before);
    running.child.kill("SIGKILL");
    kills += 1;
    logs.push((await running.ended).stderr);
    // The lease of the dead, and the wait after its failure, would take a minute.
    await letGo(folder);
  }
  world.trouble = undefined;
  const looks = asked("GET /site/api/v1/status");
  const last = start();
  const seen = () => (world.telegram.get(CHAT) ?? []).map(({ texts }) => texts.join());
  const isTold = (slug: string) => seen().some((text) => new RegExp(`«${slug}»`, "u").test(text));
  await until("everything is told", () => slugs.slice(0, rounds).every(isTold));
  await until("it is written down", async () => (await readLedger(folder))?.waiting.length === 0);
  // The one before it may have told everything, and a signal at the start of a process ends it.
  await until("it has begun", () => asked("GET /site/api/v1/status") > looks);
  last.child.kill("SIGTERM");
  expect((await last.ended).code).toBe(0);
  logs.push((await last.ended).stderr);
  const lines = seen();
  const repeated = lines.length - new Set(lines).size;
  expect(repeated).toBeLessThanOrEqual(kills);
  expect(logs.join("")).not.toContain(TELEGRAM_TOKEN);
});

/** Lets the lease of a dead notifier end, its lock too, and the wait after a failure. */
async function letGo(folder: string): Promise<void> {
  ageLock(join(folder, "ledger"));
  const store = createDirectoryStore(join(folder, "ledger"), { role: "private" });
  const ledger = await openLedger(store, "services.json.gz");
  const { lease: _, channels, ...others } = ledger.current();
  const free = new Map([...channels].map(([key, one]) => [key, { ...one, nextAtMs: 0 }]));
  expect(await ledger.save({ ...others, channels: free })).toBe(true);
}

interface ChannelInFile {
  readonly waiting: readonly unknown[];
}

async function readLedger(folder: string): Promise<ChannelInFile | undefined> {
  const bytes = await readFile(join(folder, "ledger/services.json.gz")).catch(() => undefined);
  if (bytes === undefined) return undefined;
  const [entry] = JSON.parse(gunzipSync(bytes).toString()).channels;
  return entry?.[1] ?? { waiting: [] };
}
