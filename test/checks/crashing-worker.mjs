import { parentPort } from "node:worker_threads";

// Stands for a worker that dies of what it was handed: answers for one target, then fills its heap or throws.
parentPort.on("message", ({ kind, groups }) => {
  if (kind !== "work") return;
  const [[{ id }]] = groups;
  const verdicts = [[id, { kind: "healthy" }]];
  parentPort.postMessage({ verdicts, backlog: 1_000, isLast: false }, []);
  setTimeout(() => {
    if (!id.startsWith("heap")) throw new Error("a defect");
    const heap = [];
    // Numbers, which the collector need not look through: it is full at once.
    for (;;) heap.push(new Array(100_000).fill(0.5));
  }, 100);
});
parentPort.postMessage({ verdicts: [], backlog: 0, isLast: false }, []);
