import { readFile } from "node:fs/promises";
import type { NetworkOf } from "../look.ts";
import { compileNetworks, networkOf, NETWORKS_FILE } from "../probe/networks.ts";

/** The names of networks that ship with the program. Throws when the file is broken: it comes with the package. */
export async function readNetworks(): Promise<NetworkOf> {
  const networks = compileNetworks(JSON.parse(await readFile(NETWORKS_FILE, "utf8")));
  return (address) => networkOf(networks, address);
}
