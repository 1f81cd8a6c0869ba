import { join } from "node:path";
import { openIntake } from "../src/intake/open-intake.ts";
import { readProxies } from "../src/intake/client-address.ts";
import { encodeInbox } from "../src/reports/inbox.ts";
import { listen } from "../src/serve/listen.ts";
import { createDirectoryStore } from "../src/store/directory.ts";

/*
 * Child of `intake-load.ts`: an intake over a directory store in the folder. Says its URL, and at the end of its input what it
 * cost.
 */

const [folder = "", mood = "well", minIntervalMs = "0"] = process.argv.slice(2);
const store = createDirectoryStore(join(folder, "state"));
const proxies = readProxies(["127.0.0.0/8"]);
if (proxies.kind !== "ok") throw new Error(proxies.message);
const counts = new Map<string, number>();

const intake = await openIntake({
  hasService: (slug) => /^service-\d+$/.test(slug),
  countsOf: (slug) => ({ hour: counts.get(slug) ?? 0, day: counts.get(slug) ?? 0 }),
  writeInbox: async (id, body) => {
    if (mood === "failing") throw new Error("the store is down");
    await store.write(`inbox/${id}.bin`, { body, contentType: "", cacheControl: "" });
  },
  encode: encodeInbox,
  onAccepted: (reports) => {
    for (const { slug } of reports) counts.set(slug, (counts.get(slug) ?? 0) + 1);
  },
  emit: (event) => void process.stderr.write(`${JSON.stringify(event)}\n`),
  nowMs: () => Date.now(),
  secret: new Uint8Array(32),
  proxies: proxies.proxies,
  allowedOrigins: [],
  keeper: { minIntervalMs: Number(minIntervalMs) },
  journal: { folder: join(folder, "journal") },
});

const listening = await listen((request, bindings) => intake.app.fetch(request, bindings), {
  port: 0,
});
const baseRss = process.memoryUsage.rss();
let peakRss = baseRss;
const watch = setInterval(() => (peakRss = Math.max(peakRss, process.memoryUsage.rss())), 50);
process.stdout.write(`${listening.url}\n`);
for await (const _ of process.stdin);
clearInterval(watch);
await listening.close();
await intake.close();
const { user, system } = process.cpuUsage();
const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MB`;
const metrics = await (await intake.operations.request("/healthz")).text();
process.stdout.write(
  `CPU ${((user + system) / 1e6).toFixed(1)} s, memory ${megabytes(baseRss)} to ${megabytes(peakRss)}, ${metrics}\n`,
);
