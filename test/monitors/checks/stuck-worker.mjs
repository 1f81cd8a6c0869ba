import { parentPort } from "node:worker_threads";

// A worker that reacts to no message.
parentPort.on("message", () => {
  for (;;);
});
parentPort.postMessage({ verdicts: [], backlog: 0, isLast: false }, []);
