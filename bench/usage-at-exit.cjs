// Loaded into a measured process with `--require`: writes its resource usage to file descriptor 3 when it exits. CommonJS, because
// an ES module would start Node's module hooks, which would be measured as well.
const { writeSync } = require("node:fs");

process.once("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  writeSync(3, JSON.stringify({ cpuMs: (userCPUTime + systemCPUTime) / 1000, maxRssKib: maxRSS }));
});
