import { createHash } from "node:crypto";

/** Reproducible random numbers: uniform in [0, 1), the same sequence for the same seed. */
export function createRandom(seed: string): () => number {
  let draws = 0;
  return () => {
    draws += 1;
    const digest = createHash("sha256").update(`${seed} ${draws}`).digest();
    return digest.readUInt32BE() / 2 ** 32;
  };
}
