import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Catalogue } from "../src/model/service/catalogue.ts";
import type { Behaviour } from "../test/simulated-internet/behaviour.ts";
import { healthyPages, hostsOf } from "../test/simulated-internet/shipped-catalogue.ts";
import {
  startInternetProcess,
  type InternetProcess,
} from "../test/simulated-internet/internet-process.ts";

/** A simulated internet in its own process, and the options with which the command line reaches only it. */
export interface Internet {
  readonly server: InternetProcess;
  readonly connectToFile: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Every host of the catalogue answers over TLS with 70,000 bytes after the delay. */
export async function startInternet(
  catalogue: Catalogue,
  folder: string,
  delayMs: number,
): Promise<Internet> {
  const server = await startInternetProcess({
    behaviours: healthyPages(catalogue, delayMs),
    fallback: { kind: "page", delayMs },
    warmHosts: hostsOf(catalogue),
  });
  const connectToFile = join(folder, `connect-to-${server.tlsPort}.txt`);
  const internet: Internet = {
    server,
    connectToFile,
    args: ["--dns", `127.0.0.1:${server.dnsPort}`, "--connect-to", `@${connectToFile}`],
    env: { NODE_EXTRA_CA_CERTS: server.rootCaFile },
  };
  await writeRoutes(internet, catalogue);
  return internet;
}

/** Has to be repeated after a change of TCP behaviour, which moves a host to another port. */
async function writeRoutes(internet: Internet, catalogue: Catalogue): Promise<void> {
  const lines = await internet.server.connectToLines(hostsOf(catalogue));
  await writeFile(internet.connectToFile, `${lines.join("\n")}\n`);
}

/** The stages at which a filter drops packets. */
const SILENCES = [
  { kind: "tcp-blackhole" },
  { kind: "tls-silence" },
  { kind: "http-silence" },
] as const satisfies readonly Behaviour[];

/**
 * Silences every fourth endpoint, at each of the stages in turn. Anchors stay: without them there is no run.
 *
 * @returns the number of silent endpoints.
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
  await internet.server.set(Object.fromEntries(behaviours));
  await writeRoutes(internet, catalogue);
  return hosts.filter((host) => silent.includes(host)).length;
}
