import { parseMonitors } from "../../src/monitors/parse.ts";

/** Started by `parse.test.ts`: parses 100,000 lines of JSON and prints what that took. */
const bytes = Buffer.concat(
  Array.from({ length: 100_000 }, (_, index) => {
    const monitor = {
      id: `monitor-${index}`,
      url: `https://shop${index}.example.ru/path?x=1`,
      name: `Мой магазин ${index}`,
      public: index % 2 === 0,
      ...(index % 3 === 0 ? { expect: [200, 204], timeoutMs: 5_000, body: "ok" } : {}),
    };
    return Buffer.from(`${JSON.stringify(monitor)}\n`);
  }),
);
const before = process.memoryUsage().rss;
/** The lesser of two where the first one was slow, as other processes can make any one of them so. */
let cpuMs = Infinity;
let count = 0;
let grownBytes = 0;
for (let round = 0; round < 2 && cpuMs > 1_500; round += 1) {
  const usage = process.cpuUsage();
  count = parseMonitors(bytes, { refusalOfUrl: () => undefined }).monitors.length;
  const { user, system } = process.cpuUsage(usage);
  if (round === 0) grownBytes = process.memoryUsage().rss - before;
  cpuMs = Math.min(cpuMs, (user + system) / 1_000);
}
process.stdout.write(JSON.stringify({ monitors: count, cpuMs, grownBytes }));
