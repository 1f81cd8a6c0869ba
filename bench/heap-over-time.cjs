// Loaded into an intake with `--require`, and so into its threads as well: tells the heap of each on standard error, as a line of
// its log. In CommonJS, because an ES module here would start Node's module hooks and be measured itself.
const { writeSync } = require("node:fs");
const { isMainThread } = require("node:worker_threads");

const EVERY_MS = 10_000;
const STANDARD_ERROR = 2;

setInterval(() => {
  const { heapUsed, external } = process.memoryUsage();
  const line = { event: "heap", isMainThread, bytes: heapUsed + external };
  writeSync(STANDARD_ERROR, `${JSON.stringify(line)}\n`);
}, EVERY_MS).unref();
