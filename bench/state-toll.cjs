// Loaded into a measured process with `--require`. When the process exits, writes to the file STATE_TOLL_TO:
// - the bytes that it wrote below the folder STATE_TOLL_OF. The final file sizes would be too small, because the main state is
//   written twice in a run, first with a journal that is removed later;
// - its peak resident memory. `getrusage` would be too high: after an exec, it is at least that of the parent process.
const promises = require("node:fs/promises");
const { readFileSync, writeFileSync } = require("node:fs");
const { syncBuiltinESMExports } = require("node:module");
const { isMainThread } = require("node:worker_threads");

const { STATE_TOLL_OF: folder, STATE_TOLL_TO: file } = process.env;

function readPeakBytes() {
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"));
  return Number(kib) * 1024;
}

if (isMainThread && folder !== undefined && file !== undefined) {
  const { open } = promises;
  let writtenBytes = 0;
  promises.open = async (path, ...rest) => {
    const handle = await open(path, ...rest);
    if (!String(path).startsWith(folder)) return handle;
    const { writeFile } = handle;
    handle.writeFile = (data, ...options) => {
      writtenBytes += data.length;
      return writeFile.call(handle, data, ...options);
    };
    return handle;
  };
  syncBuiltinESMExports();
  process.once("exit", () => {
    writeFileSync(file, JSON.stringify({ writtenBytes, peakBytes: readPeakBytes() }));
  });
}
