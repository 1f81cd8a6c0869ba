// Loaded into an intake and its threads with `--require`: logs the heap of each to standard error, as a line of its log. CommonJS,
// because an ES module would start Node's module hooks, which would be measured as well.
const { writeSync } = require("node:fs");
const { isMainThread } = require("node:worker_threads");

const EVERY_MS = 10_000;
const STANDARD_ERROR = 2;

setInterval(() => {
  const { heapUsed, external } = process.memoryUsage();
  const line = { event: "heap", isMainThread, bytes: heapUsed + external };
  writeSync(STANDARD_ERROR, `${JSON.stringify(line)}\n`);
}, EVERY_MS).unref();
