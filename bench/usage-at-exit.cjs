// Loaded into a measured process with `--require`: tells what it used, on file descriptor 3, as it exits.
// In CommonJS, because an ES module here would start Node's module hooks and be measured itself.
const { writeSync } = require("node:fs");

process.once("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  writeSync(3, JSON.stringify({ cpuMs: (userCPUTime + systemCPUTime) / 1000, maxRssKib: maxRSS }));
});
