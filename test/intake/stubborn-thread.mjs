import { parentPort, workerData } from "node:worker_threads";

/* A thread that does what its calls ask for: also what no thread should do. */

const post = (message) => parentPort.postMessage(message, []);
setInterval(() => post({ kind: "alive" }), 1_000);

parentPort.on("message", ({ call, what, url }) => {
  const act = what ?? new URL(url).pathname.slice(1);
  if (act === "stand-still") for (;;);
  if (act === "eat") {
    const eaten = [];
    for (;;) eaten.push(Array.from({ length: 100_000 }, () => ({ one: {} })));
  }
  if (act === "throw") throw new Error("thrown in the thread");
  if (act === "wait") return;
  if (act === "tell") post({ kind: "event", event: { event: "told" } });
  if (act === "fail") post({ kind: "failed", call, message: "it failed" });
  else post({ kind: "done", call, value: { act, workerData } });
});
