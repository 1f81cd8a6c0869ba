import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import type { Behaviour } from "../simulated-internet/behaviour.ts";
import { type HelloBox, type HelloFilter, startHelloBox } from "../simulated-internet/hello-box.ts";
import { openPlaces } from "../simulated-internet/places.ts";
import {
  type SimulatedInternet,
  startSimulatedInternet,
} from "../simulated-internet/simulated-internet.ts";
import { calibrate } from "../vantages/calibrate.ts";
import { openWorkspace, type Workspace } from "./workspace.ts";

/* Processes, which wait beside each other: a runner in a data centre in Moscow, two controls abroad and two home lines, each with its own view of one service for each situation. */

/** So far away that a connection on this machine is shorter, however busy it is. */
export const CONTROLS = ["syd", "gru"] as const;
export const HOMES = ["mgts", "mts"] as const;
export const EVERYWHERE = ["moscow", ...CONTROLS, ...HOMES] as const;
export type PlaceName = (typeof EVERYWHERE)[number];
export type HomeName = (typeof HOMES)[number];

export interface Situation {
  /** The slug and host of its service, which is abroad. */
  readonly name: string;
  /** Where the host does not answer as usual. */
  readonly at: Readonly<Partial<Record<PlaceName, Behaviour>>>;
  /** How every other name ends at its address in Moscow and at home. Absent: it is answered. */
  readonly others?: Behaviour;
  /** What drops connections by their ClientHello: from the data centre, or from these places. */
  readonly filter?: HelloFilter;
  readonly filteredAt?: readonly PlaceName[];
  readonly isFilteredByName?: true;
  /** Except these names, which are answered. */
  readonly listed?: readonly string[];
  /** The address of its host, at which each place reaches another server (anycast). */
  readonly anycastAddress?: string;
}

/** The same behaviour in several places. */
export function at(
  places: readonly PlaceName[],
  behaviour: Behaviour,
): Partial<Record<PlaceName, Behaviour>> {
  return Object.fromEntries(places.map((place) => [place, behaviour]));
}

const ABOUT: Readonly<Record<Exclude<PlaceName, "moscow">, string>> = {
  syd: "kind: control, country: AU, asn: 1, network: Syd",
  gru: "kind: control, country: BR, asn: 2, network: Gru",
  mgts: "kind: moscow, line: home, country: RU, asn: 25513, network: MGTS",
  mts: "kind: moscow, line: home, country: RU, asn: 8359, network: MTS",
};

/** A service that is healthy everywhere: what ends early is compared with it. */
const NEIGHBOUR = "neighbour";

export interface World {
  readonly one: Workspace;
  /** What is published of each situation after two runs that had answers from every place. */
  readonly play: () => Promise<ReadonlyMap<string, Published>>;
  readonly close: () => Promise<void>;
}

/** What is published of one service. */
export interface Published {
  readonly code: string;
  readonly scope: string;
  readonly blockedBy: string | null;
}

/** Starts everything, all situations quiet. @param homes the home lines that are asked, which have proven themselves. */
export async function openWorld(
  situations: readonly Situation[],
  homes: readonly HomeName[],
): Promise<World> {
  const places = await openPlaces(EVERYWHERE);
  const names = [NEIGHBOUR, ...situations.map(({ name }) => name)];
  const services = names.map((slug) => ({ slug, abroad: true as const }));
  const one = await openWorkspace(places.at("moscow"), services);
  const ids = [...CONTROLS, ...homes];
  const rows: string[] = [];
  for (const id of ids) {
    const made = await one.cli(["vantage", "keygen", "--key", `${id}.jwk`]);
    rows.push(`  - { id: ${id}, ${ABOUT[id]}, ${made.stdout.trim()} }`);
  }
  await writeFile(join(one.folder, "vantages.yaml"), `vantages:\n${rows.join("\n")}\n`);
  const boxes = new Map<string, SimulatedInternet>();
  for (const { name, others: fallback, listed = [] } of situations)
    if (fallback !== undefined) {
      const behaviours = Object.fromEntries(listed.map((one) => [one, { kind: "page" } as const]));
      boxes.set(name, await startSimulatedInternet({ behaviours, fallback }));
    }
  const filters = new Map<string, HelloBox>();
  for (const { name, filter } of situations)
    if (filter !== undefined) filters.set(name, await startHelloBox(places.at("moscow").tlsPort));
  /** By the name of the situation and the place. */
  const anycast = new Map<string, HelloBox>();
  for (const { name, anycastAddress: address } of situations)
    for (const place of EVERYWHERE)
      if (address !== undefined)
        anycast.set(`${name} ${place}`, await startHelloBox(places.at(place).tlsPort, address));
  /** The internet in which a place finds a host. */
  const seenAt = (place: PlaceName, name: string): SimulatedInternet => {
    const isAbroad = CONTROLS.some((control) => control === place);
    return (isAbroad ? undefined : boxes.get(name)) ?? places.at(place);
  };
  /** The names of a place, and its servers at the address that was seen before a name was denied. */
  const writeRoutes = async (place: PlaceName, file: string): Promise<void> => {
    const lines = one.hosts.flatMap((name) => {
      const situation = situations.find((one) => one.name === name);
      const { filteredAt = ["moscow"], anycastAddress = "127.0.0.1" } = situation ?? {};
      const filter = filteredAt.includes(place) ? filters.get(name) : undefined;
      const box = filter ?? anycast.get(`${name} ${place}`);
      return box === undefined
        ? seenAt(place, name).connectToLines([one.host(name)])
        : [`${one.host(name)}:443:${anycastAddress}:${box.port}`];
    });
    await writeFile(join(one.folder, file), `${lines.join("\n")}\n`);
    const { tlsPort } = places.at(place);
    const addresses = [`127.0.0.1:443:127.0.0.1:${tlsPort}`];
    for (const { name, anycastAddress: address } of situations) {
      const box = anycast.get(`${name} ${place}`);
      if (box !== undefined) addresses.push(`${address}:443:${address}:${box.port}`);
    }
    await appendFile(join(one.folder, file), `${addresses.join("\n")}\n`);
  };
  const allowed = [
    "127.0.0.0/8",
    ...situations.flatMap(({ anycastAddress: one }) => (one === undefined ? [] : [`${one}/32`])),
  ];
  const dnsOf = (place: PlaceName) => ["--dns", `127.0.0.1:${places.at(place).dnsPort}`];
  const anchors = ["f1", "f2", "f3"].flatMap((host) => [
    "--set",
    `anchor=https://${one.host(host)}/`,
  ]);
  const run = async (): Promise<void> => {
    await writeRoutes("moscow", "hosts.txt");
    const ended = await one.run(["--set", "exchange=file:exchange", ...dnsOf("moscow")]);
    expect(ended, ended.stderr).toMatchObject({ code: 0 });
  };
  const answer = (): Promise<unknown> =>
    Promise.all(
      ids.map(async (id) => {
        await writeRoutes(id, `${id}.txt`);
        const ask = ["--ask", "file:exchange", "--id", id, "--key", `${id}.jwk`];
        const network = ["--connect-to", `@${id}.txt`, "--allow-private", allowed.join(",")];
        const args = ["vantage", ...ask, ...network, ...dnsOf(id), ...anchors];
        const ended = await one.cli(args);
        expect(ended, ended.stderr).toMatchObject({ code: 0 });
      }),
    );
  const setFilters = (drops: HelloFilter["drops"]): void => {
    for (const { name, filter, isFilteredByName } of situations)
      if (filter?.drops === drops)
        filters
          .get(name)
          ?.set({ ...filter, ...(isFilteredByName === true ? { name: one.host(name) } : {}) });
  };
  return {
    one,
    play: async () => {
      for (const [name, box] of boxes) box.set(one.host(name), { kind: "page" });
      // What the probe does not notice was there before: a browser is asked in its turn, or at first.
      setFilters("having");
      await run();
      await answer();
      await run();
      await calibrate(one.folder, ids);
      setFilters("lacking");
      for (const situation of situations)
        for (const place of EVERYWHERE) {
          const behaviour = situation.at[place];
          if (behaviour !== undefined)
            seenAt(place, situation.name).set(one.host(situation.name), behaviour);
        }
      await run();
      await answer();
      await run();
      // Where a name is denied, the address comes from what was heard in the run before.
      await answer();
      await run();
      // Many failures of one run are held until the next.
      await answer();
      await run();
      const published = await one.published();
      return new Map(
        situations.map(({ name }) => {
          const evidence = JSON.parse(published.get(`evidence/v1/${name}.json`) ?? "{}");
          const { verdict: code, scope, blockedBy } = evidence;
          return [name, { code, scope, blockedBy }] as const;
        }),
      );
    },
    close: async () => {
      await one.close();
      const opened = [...boxes.values(), ...filters.values(), ...anycast.values()];
      await Promise.all(opened.map((box) => box.close()));
      await places.close();
    },
  };
}
