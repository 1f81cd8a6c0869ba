import { readFile } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { createGuard } from "../probe/network/address-guard.ts";
import type { ProbeConfig } from "../probe/probe-config.ts";
import { BLOCKPAGES_FILE } from "../probe/answer/fingerprints.ts";
import { readConnectTo, readRoots } from "./files/input-files.ts";
import type { Io, MonitorRulesFlags } from "./io.ts";
import { ifGiven, parseDns, parsePort, type Parsed } from "./parse-options.ts";

/** Options of the command line that say how to probe. */
export interface ProbeFlags extends MonitorRulesFlags {
  readonly dns?: string;
  readonly connectTo?: readonly string[];
  readonly extraCa?: string;
  /** Of the website, where people complain. */
  readonly baseUrl?: string;
}

/**
 * The checked config of all probes of a run, or all problems, one per line. Queries over TCP are set in the environment, which applies to
 * all threads.
 */
export async function readProbeConfig(
  flags: ProbeFlags,
  io: Pick<Io, "env" | "setEnv">,
): Promise<Parsed<ProbeConfig>> {
  const problems: string[] = [];
  const unwrap = <T>(parsed: Parsed<T>): T | undefined => {
    if ("value" in parsed) return parsed.value;
    problems.push(parsed.problem);
    return undefined;
  };
  const dns = unwrap(ifGiven(flags.dns, parseDns));
  const connectTo = unwrap(await readConnectTo(flags.connectTo ?? []));
  const allowPrivate = unwrap(checkRanges(flags.allowPrivate ?? []));
  const allowedPorts = unwrap(checkPorts(flags.allowPort ?? []));
  const roots = unwrap(await readRoots(flags.extraCa, io.env["NODE_EXTRA_CA_CERTS"]));
  if (!connectTo || !allowPrivate || !allowedPorts || !roots || problems.length > 0)
    return { problem: problems.join("\n") };
  // c-ares reads this option when a `Resolver` is created; Node has no API for queries over TCP from the start.
  if (dns?.isTcp === true) io.setEnv("RES_OPTIONS", "use-vc");
  const fingerprints: unknown = JSON.parse(await readFile(BLOCKPAGES_FILE, "utf8"));
  const resolver = dns === undefined ? {} : { dns: dns.server };
  return {
    value: {
      ...resolver,
      ...(flags.baseUrl === undefined ? {} : { baseUrl: flags.baseUrl }),
      connectTo,
      allowPrivate,
      ownAddresses: findOwnAddresses(),
      allowedPorts,
      roots,
      fingerprints,
    },
  };
}

/** Public addresses of this machine's interfaces; special-purpose ones are refused anyway. */
export function findOwnAddresses(): readonly string[] {
  const guard = createGuard([]);
  const all = Object.values(networkInterfaces()).flatMap((interfaces = []) => interfaces);
  return all.map(({ address }) => address).filter((address) => guard(address) === undefined);
}

export function checkRanges(cidrs: readonly string[]): Parsed<readonly string[]> {
  try {
    createGuard(cidrs);
    return { value: cidrs };
  } catch (error) {
    if (error instanceof RangeError) return { problem: `--allow-private: ${error.message}` };
    throw error;
  }
}

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
