import { readFileSync } from "node:fs";
import type { Behaviour } from "./behaviour.ts";
import { askRaw, type RawAnswer, type RawQuestion } from "./raw-client.ts";
import type { World } from "./world.ts";

/** Asks a new host, which behaves like that, over TLS. A silence of half a second ends it. Never rejects. */
export type AskWorld = (
  behaviour: Behaviour,
  question?: Partial<RawQuestion>,
) => Promise<RawAnswer>;

/** Asks hosts of a world, each of them once, trusting its public root. Throws when the file of the root cannot be read. */
export function createAsk(world: World): AskWorld {
  const ca = [readFileSync(world.rootCaFile, "utf8")];
  let lastHost = 0;
  return (behaviour, question = {}) => {
    lastHost += 1;
    const host = `h${lastHost}.test`;
    world.set(host, behaviour);
    return askRaw({ port: world.tlsPort, host, ca, idleMs: 500, ...question });
  };
}
