import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Catalogue } from "../src/model/catalogue.ts";
import type { Behaviour } from "../test/world/behaviour.ts";
import { healthyPages, hostsOf } from "../test/world/shipped-catalogue.ts";
import { startWorldProcess, type WorldProcess } from "../test/world/world-process.ts";

/** A simulated internet in a process of its own, and what the command line needs to reach it and nothing else. */
export interface Internet {
  readonly world: WorldProcess;
  readonly connectToFile: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Every host of the catalogue answers over TLS, 70,000 bytes, after the delay. */
export async function startInternet(
  catalogue: Catalogue,
  folder: string,
  delayMs: number,
): Promise<Internet> {
  const world = await startWorldProcess({
    behaviours: healthyPages(catalogue, delayMs),
    fallback: { kind: "page", delayMs },
    warmHosts: hostsOf(catalogue),
  });
  const connectToFile = join(folder, `connect-to-${world.tlsPort}.txt`);
  const internet: Internet = {
    world,
    connectToFile,
    args: ["--dns", `127.0.0.1:${world.dnsPort}`, "--connect-to", `@${connectToFile}`],
    env: { NODE_EXTRA_CA_CERTS: world.rootCaFile },
  };
  await writeRoutes(internet, catalogue);
  return internet;
}

/** To be done again after a change of behaviour below TLS: it moves a host to another port. */
async function writeRoutes(internet: Internet, catalogue: Catalogue): Promise<void> {
  const lines = await internet.world.connectToLines(hostsOf(catalogue));
  await writeFile(internet.connectToFile, `${lines.join("\n")}\n`);
}

/** The ways in which a filter makes a connection end in silence. */
const SILENCES = [
  { kind: "tcp-blackhole" },
  { kind: "tls-silence" },
  { kind: "http-silence" },
] as const satisfies readonly Behaviour[];

/**
 * Silences every fourth endpoint, in each of the ways in turn. Anchors stay: without them there is no run.
 *
 * @returns how many endpoints are silent.
 */
export async function silenceQuarter(internet: Internet, catalogue: Catalogue): Promise<number> {
  const anchors = new Set(catalogue.anchors.map(({ url }) => new URL(url).hostname));
  const urls = catalogue.services.flatMap(({ endpoints }) => endpoints.map(({ url }) => url));
  const hosts = urls.map((url) => new URL(url).hostname);
  const candidates = [...new Set(hosts)].filter((host) => !anchors.has(host));
  const silent = candidates.filter((_, index) => index % 4 === 0);
  const behaviours = silent.map((host, index): [string, Behaviour] => [
    host,
    SILENCES[index % SILENCES.length] ?? SILENCES[0],
  ]);
  await internet.world.set(Object.fromEntries(behaviours));
  await writeRoutes(internet, catalogue);
  return hosts.filter((host) => silent.includes(host)).length;
}
