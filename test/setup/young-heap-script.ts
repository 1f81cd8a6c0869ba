import { getHeapSpaceStatistics } from "node:v8";
import { stopYoungGrowth } from "../../src/setup/collect-garbage.ts";

// `tsx young-heap-script.ts stop|grow`: allocates what lives for a while, and prints the bytes of the young heap.

if (process.argv[2] === "stop") stopYoungGrowth();
let kept: unknown[] = [];
for (let round = 0; round < 400; round += 1) {
  kept.push(Array.from({ length: 5_000 }, (_, index) => ({ index })));
  if (kept.length > 8) kept = kept.slice(4);
}
const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
console.log(young?.space_size);
