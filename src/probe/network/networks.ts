import ipaddr from "ipaddr.js";
import { countEach } from "../../model/lists.ts";
import { PROGRAM_FOLDER } from "../../model/program-folder.ts";

/** The prefixes of the package. The path is valid in `src/` and in `dist/`. */
export const NETWORKS_FILE: URL = new URL("data/networks.json", PROGRAM_FOLDER);

/** Compiled prefixes, the longest first; build them with `compileNetworks`. */
export type Networks = ReturnType<typeof compileNetworks>;

/** Prefix length that identifies an unknown network: most networks announce at least this much. */
const UNKNOWN_BITS = { ipv4: 16, ipv6: 32 } as const;

/** Compiles the rows of `data/networks.json` (fields: `data/README.md`). Throws an `Error` that names the first broken row. */
export function compileNetworks(rows: unknown) {
  if (!Array.isArray(rows)) throw new Error("Networks: the file is not a list of rows");
  const known = rows.flatMap(readRow);
  const prefixes = countEach(known.map(({ start, bits }) => `${start.toString()}/${bits}`));
  for (const [prefix, times] of prefixes)
    if (times > 1) throw new Error(`Networks: duplicate ${prefix}`);
  return known.toSorted((a, b) => b.bits - a.bits);
}

function readRow(row: unknown, index: number) {
  const fields = new Map<string, unknown>(Object.entries(row ?? {}));
  const network = fields.get("network");
  const prefixes = fields.get("prefixes");
  if (typeof network !== "string" || network.trim() === "")
    throw new Error(`Networks: row ${index} has no name`);
  if (!Array.isArray(prefixes) || prefixes.length === 0)
    throw new Error(`Networks: ${network} has no prefixes`);
  return prefixes.map((prefix: unknown) => {
    if (typeof prefix !== "string" || !ipaddr.isValidCIDR(prefix))
      throw new Error(`Networks: ${network} has an invalid prefix: ${String(prefix)}`);
    const [start, bits] = ipaddr.parseCIDR(prefix);
    return { start, bits, network };
  });
}

/**
 * The network that carries the traffic of an address: the name of its longest known prefix ("Yandex"), otherwise the /16 of an IPv4
 * address ("203.0.0.0/16") or the /32 of an IPv6 one. Text that is not an address is its own network. Never throws.
 */
export function networkOf(networks: Networks, address: string): string {
  if (!ipaddr.isValid(address)) return address;
  // An IPv4-mapped address is treated as the IPv4 address.
  const asked = ipaddr.process(address);
  const kind = asked.kind();
  const known = networks.find(
    (one) => one.start.kind() === kind && asked.match(one.start, one.bits),
  );
  if (known !== undefined) return known.network;
  const bits = UNKNOWN_BITS[kind];
  const bytes = asked.toByteArray().map((byte, index) => (index < bits / 8 ? byte : 0));
  return `${ipaddr.fromByteArray(bytes).toString()}/${bits}`;
}
