import { parseMonitors } from "../../../src/monitors/registry/parse-registry.ts";

/** The output of this script, as JSON. */
export interface ParsedMany {
  readonly monitors: number;
  /** Processor time of the parser, for the benchmark. */
  readonly cpuMs: number;
  readonly grownBytes: number;
}

/** Parses 100,000 lines of JSON, and prints the result. */
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
const usage = process.cpuUsage();
const { length } = parseMonitors(bytes, { refusalOfUrl: () => undefined }).monitors;
const { user, system } = process.cpuUsage(usage);
const result: ParsedMany = {
  monitors: length,
  cpuMs: (user + system) / 1_000,
  grownBytes: process.memoryUsage().rss - before,
};
process.stdout.write(JSON.stringify(result));
