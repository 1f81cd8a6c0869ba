import { readFileSync } from "node:fs";
import type { Behaviour } from "./behaviour.ts";
import { askRaw, type RawAnswer, type RawQuestion } from "./raw-client.ts";
import type { SimulatedInternet } from "./simulated-internet.ts";

/** Sends a request over TLS to a new host with the behaviour. Ends after half a second without a byte. Never rejects. */
export type AskInternet = (
  behaviour: Behaviour,
  question?: Partial<RawQuestion>,
) => Promise<RawAnswer>;

/** Uses a new host for each request, and trusts the public root of the simulated Internet. Throws if its file cannot be read. */
export function createAsk(internet: SimulatedInternet): AskInternet {
  const ca = [readFileSync(internet.rootCaFile, "utf8")];
  let lastHost = 0;
  return (behaviour, question = {}) => {
    lastHost += 1;
    const host = `h${lastHost}.test`;
    internet.set(host, behaviour);
    return askRaw({ port: internet.tlsPort, host, ca, idleMs: 500, ...question });
  };
}
