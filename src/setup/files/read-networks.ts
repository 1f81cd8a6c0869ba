import { readFile } from "node:fs/promises";
import type { NetworkNameOf } from "../../pipeline/run/measurement.ts";
import { compileNetworks, networkOf, NETWORKS_FILE } from "../../probe/network/networks.ts";

/** The names of networks that ship with the program. Throws if the shipped file is broken. */
export async function readNetworks(): Promise<NetworkNameOf> {
  const networks = compileNetworks(JSON.parse(await readFile(NETWORKS_FILE, "utf8")));
  return (address) => networkOf(networks, address);
}
