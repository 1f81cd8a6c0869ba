import { readFile } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { createGuard } from "../probe/address-guard.ts";
import type { ProbeConfig } from "../probe/config.ts";
import { BLOCKPAGES_FILE } from "../probe/fingerprints.ts";
import { readConnectTo, readRoots } from "./input-files.ts";
import type { Io } from "./io.ts";
import { ifGiven, parseDns, parsePort, type Parsed } from "./settings.ts";

/** Options that say how to probe, as the command line hands them over. */
export interface ProbeFlags {
  readonly dns?: string;
  readonly connectTo?: readonly string[];
  readonly extraCa?: string;
  readonly allowPrivate?: readonly string[];
  readonly allowPort?: readonly string[];
}

/**
 * The config of every probe of a run, each part checked; or all problems, one a line. A resolver that is asked over TCP
 * is set in the environment, which holds for all threads.
 */
export async function readProbeConfig(
  flags: ProbeFlags,
  io: Pick<Io, "env" | "setEnv">,
): Promise<Parsed<ProbeConfig>> {
  const problems: string[] = [];
  const take = <T>(parsed: Parsed<T>): T | undefined => {
    if ("value" in parsed) return parsed.value;
    problems.push(parsed.problem);
    return undefined;
  };
  const dns = take(ifGiven(flags.dns, parseDns));
  const connectTo = take(await readConnectTo(flags.connectTo ?? []));
  const allowPrivate = take(checkRanges(flags.allowPrivate ?? []));
  const allowedPorts = take(checkPorts(flags.allowPort ?? []));
  const roots = take(await readRoots(flags.extraCa, io.env["NODE_EXTRA_CA_CERTS"]));
  if (!connectTo || !allowPrivate || !allowedPorts || !roots || problems.length > 0)
    return { problem: problems.join("\n") };
  // c-ares reads this resolver option when a `Resolver` is made; Node has no other way to ask over TCP from the start.
  if (dns?.isTcp === true) io.setEnv("RES_OPTIONS", "use-vc");
  const fingerprints: unknown = JSON.parse(await readFile(BLOCKPAGES_FILE, "utf8"));
  const resolver = dns === undefined ? {} : { dns: dns.server };
  return {
    value: {
      ...resolver,
      connectTo,
      allowPrivate,
      ownAddresses: findOwnAddresses(),
      allowedPorts,
      roots,
      fingerprints,
    },
  };
}

/** Addresses of this machine's interfaces that are no special-purpose ones, which are refused anyway. */
export function findOwnAddresses(): readonly string[] {
  const guard = createGuard([]);
  const all = Object.values(networkInterfaces()).flatMap((interfaces = []) => interfaces);
  return all.map(({ address }) => address).filter((address) => guard(address) === undefined);
}

/** `CIDR`, each. */
export function checkRanges(cidrs: readonly string[]): Parsed<readonly string[]> {
  try {
    createGuard(cidrs);
    return { value: cidrs };
  } catch (error) {
    if (error instanceof RangeError) return { problem: `--allow-private: ${error.message}` };
    throw error;
  }
}

/** `PORT`, each. */
export function checkPorts(texts: readonly string[]): Parsed<readonly number[]> {
  const ports: number[] = [];
  for (const text of texts) {
    const port = parsePort(text);
    if ("problem" in port || port.value === 0) {
      return { problem: `--allow-port ${text}: give a port number from 1 to 65535.` };
    }
    ports.push(port.value);
  }
  return { value: ports };
}
