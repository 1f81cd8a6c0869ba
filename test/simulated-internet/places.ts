import type { Behaviour } from "./behaviour.ts";
import { type SimulatedInternet, startSimulatedInternet } from "./simulated-internet.ts";

/** What stands on the way to a host in one place. */
export type Obstacle =
  /** A box that resets connections with this name; other names at the same address pass. */
  | "cut-by-name"
  /** A box that drops packets to this address. */
  | "cut-by-address"
  /** The owner answers clients of this place with 403. */
  | "refused-by-owner"
  /** The owner refuses connections of clients outside Russia. */
  | "fence";

const EFFECT: Readonly<Record<Obstacle, Behaviour>> = {
  "cut-by-name": { kind: "tls-reset" },
  "cut-by-address": { kind: "tcp-blackhole" },
  "refused-by-owner": { kind: "page", status: 403, body: "not available in your region" },
  fence: { kind: "tcp-refused" },
};

/** One internet as it is seen from several places: the same servers, with other obstacles on the way. */
export interface Places {
  readonly at: (place: string) => SimulatedInternet;
  /** What the server of a host does, for everybody. */
  readonly setServer: (host: string, behaviour: Behaviour) => void;
  /** Puts an obstacle on the way from some places to a host; undefined: takes it away. */
  readonly obstruct: (
    places: readonly string[],
    host: string,
    obstacle: Obstacle | undefined,
  ) => void;
  readonly close: () => Promise<void>;
}

/** Starts a simulated internet for each place. They share the public root of the test run. */
export async function openPlaces(names: readonly string[]): Promise<Places> {
  const internets = new Map(
    await Promise.all(names.map(async (name) => [name, await startSimulatedInternet()] as const)),
  );
  const servers = new Map<string, Behaviour>();
  const at = (place: string): SimulatedInternet => {
    const found = internets.get(place);
    if (found === undefined) throw new Error(`there is no place ${place}`);
    return found;
  };
  return {
    at,
    setServer: (host, behaviour) => {
      servers.set(host, behaviour);
      for (const internet of internets.values()) internet.set(host, behaviour);
    },
    obstruct: (places, host, obstacle) => {
      const open = servers.get(host) ?? { kind: "page" };
      const behaviour = obstacle === undefined ? open : EFFECT[obstacle];
      for (const place of places) at(place).set(host, behaviour);
    },
    close: async () => {
      await Promise.all([...internets.values()].map((internet) => internet.close()));
    },
  };
}
