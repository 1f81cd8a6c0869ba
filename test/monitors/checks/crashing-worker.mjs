import { parentPort } from "node:worker_threads";

// A worker that crashes on its targets: returns one result, then fills its heap or throws.
parentPort.on("message", ({ kind, groups }) => {
  if (kind !== "work") return;
  const [[{ id }]] = groups;
  const verdicts = [[id, { kind: "healthy" }]];
  parentPort.postMessage({ verdicts, backlog: 1_000, isLast: false }, []);
  setTimeout(() => {
    if (!id.startsWith("heap")) throw new Error("a defect");
    // Numbers, which the collector does not have to scan: the heap is full at once.
    const numbers = Array.from({ length: 100_000 }, () => 0.5);
    const heap = [];
    for (;;) heap.push([...numbers]);
  }, 100);
});
parentPort.postMessage({ verdicts: [], backlog: 0, isLast: false }, []);
