import { readFile } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { createGuard } from "../probe/network/address-guard.ts";
import type { ProbeConfig } from "../probe/probe-config.ts";
import { BLOCKPAGES_FILE } from "../probe/answer/fingerprints.ts";
import { readConnectTo, readRoots } from "./files/input-files.ts";
import type { Io } from "./io.ts";
import type { ProbeFlags } from "./options/options.ts";
import type { Parsed } from "./parse-options.ts";

/**
 * The checked config of all probes of a run, or all problems, one per line. Queries over TCP are set in the environment, which applies to
 * all threads.
 */
export async function readProbeConfig(
  { dns, baseUrl, allowPrivate, allowPort, ...files }: ProbeFlags,
  io: Pick<Io, "env" | "setEnv">,
): Promise<Parsed<ProbeConfig>> {
  const connectTo = await readConnectTo(files.connectTo);
  const roots = await readRoots(files.extraCa, io.env["NODE_EXTRA_CA_CERTS"]);
  if ("problem" in connectTo || "problem" in roots) {
    const both = [connectTo, roots].flatMap((one) => ("problem" in one ? [one.problem] : []));
    return { problem: both.join("\n") };
  }
  // c-ares reads this option when a `Resolver` is created; Node has no API for queries over TCP from the start.
  if (dns?.isTcp === true) io.setEnv("RES_OPTIONS", "use-vc");
  const fingerprints: unknown = JSON.parse(await readFile(BLOCKPAGES_FILE, "utf8"));
  return {
    value: {
      ...(dns === undefined ? {} : { dns: dns.server }),
      ...(baseUrl === undefined ? {} : { baseUrl }),
      connectTo: connectTo.value,
      allowPrivate,
      ownAddresses: findOwnAddresses(),
      allowedPorts: allowPort,
      roots: roots.value,
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
