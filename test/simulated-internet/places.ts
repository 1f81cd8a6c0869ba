import type { Behaviour } from "./behaviour.ts";
import { type Blackhole, openBlackhole } from "./blackhole.ts";
import { type SimulatedInternet, startSimulatedInternet } from "./simulated-internet.ts";

/** What stands on the way to a host in one place. */
export type Obstacle =
  /** A box that resets connections with this name; other names at the same address pass. */
  | "cut-by-name"
  /** A box that drops packets to this address; its neighbours are reached. */
  | "cut-by-address"
  /** A box that drops packets to the whole network, or a route that is gone. */
  | "cut-by-network"
  /** The owner answers clients of this place with 403. */
  | "refused-by-owner"
  /** The owner refuses connections of clients outside Russia. */
  | "fence";

type Cut = Extract<Obstacle, "cut-by-address" | "cut-by-network">;

const EFFECT: Readonly<Record<Exclude<Obstacle, Cut>, Behaviour>> = {
  "cut-by-name": { kind: "tls-reset" },
  "refused-by-owner": { kind: "page", status: 403, body: "not available in your region" },
  fence: { kind: "tcp-refused" },
};

/** In the network of all other hosts, which are at 127.0.0.1. */
const CUT_ADDRESS = "127.0.0.9";

/** One internet as it is seen from several places: the same servers, with other obstacles on the way. */
export interface Places {
  readonly at: (place: string) => SimulatedInternet;
  /** As of the simulated internet of this place, with its obstacles. */
  readonly connectToLines: (place: string, hosts: readonly string[]) => readonly string[];
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
  const at = (place: string): SimulatedInternet => {
    const found = internets.get(place);
    if (found === undefined) throw new Error(`there is no place ${place}`);
    return found;
  };
  const holes = await openHoles();
  const cuts = new Map<string, Cut>();
  return {
    at,
    connectToLines: (place, hosts) =>
      hosts.flatMap((host) => {
        const cut = cuts.get(`${place} ${host}`);
        return cut === undefined
          ? at(place).connectToLines([host])
          : [`${host}:443:${CUT_ADDRESS}:${holes[cut].port}`];
      }),
    obstruct: (where, host, obstacle) => {
      for (const place of where) {
        cuts.delete(`${place} ${host}`);
        if (obstacle === "cut-by-address" || obstacle === "cut-by-network")
          cuts.set(`${place} ${host}`, obstacle);
        else at(place).set(host, obstacle === undefined ? { kind: "page" } : EFFECT[obstacle]);
      }
    },
    close: async () => {
      const closing = [...internets.values(), ...Object.values(holes)];
      await Promise.all(closing.map((one) => one.close()));
    },
  };
}

interface Holes {
  readonly "cut-by-address": Blackhole;
  readonly "cut-by-network": Blackhole;
  /** The port of the cut network at the address of the neighbours. */
  readonly neighbours: Blackhole;
}

/** A neighbour is tried at the port of the failed address: where only that drops packets, the neighbour refuses, so it is reached. */
async function openHoles(): Promise<Holes> {
  const neighbours = await openBlackhole();
  return {
    neighbours,
    "cut-by-network": await openBlackhole(CUT_ADDRESS, neighbours.port),
    "cut-by-address": await openBlackhole(CUT_ADDRESS),
  };
}
