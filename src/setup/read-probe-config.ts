import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { createGuard } from "../probe/network/address-guard.ts";
import { parseConnectTo } from "../probe/network/connect-to.ts";
import type { ExtraRoots, ProbeConfig } from "../probe/probe-config.ts";
import { BLOCKPAGES_FILE } from "../probe/answer/fingerprints.ts";
import { describeReadError } from "./files/named-files.ts";
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

/** The checked rules of `--connect-to`; a value `@FILE` means the lines of a file. */
async function readConnectTo(values: readonly string[]): Promise<Parsed<readonly string[]>> {
  const lines: string[] = [];
  const problems: string[] = [];
  for (const value of values) {
    if (!value.startsWith("@")) lines.push(value);
    else {
      const text = await readFile(value.slice(1), "utf8").catch(describeReadError);
      if (typeof text === "string") lines.push(...text.split(/\r?\n/u));
      else problems.push(`--connect-to ${value}: ${text.problem}`);
    }
  }
  const parsed = parseConnectTo(lines);
  if (parsed.kind === "invalid")
    problems.push(...parsed.problems.map((one) => `--connect-to ${one}.`));
  else if (problems.length === 0) return { value: lines };
  return { problem: problems.join("\n") };
}

/** Roots in addition to Node's own; those of `--extra-ca` only for national trust. */
async function readRoots(
  extraCa: string | undefined,
  nodeExtraCa: string | undefined,
): Promise<Parsed<ExtraRoots>> {
  if (extraCa === undefined) return { value: { everywhere: [], national: [] } };
  const national = await readCertificates("--extra-ca", extraCa);
  if ("problem" in national) return national;
  // Node itself only warns about a file that it cannot read.
  const others =
    nodeExtraCa === undefined ? [] : await readCertificates("NODE_EXTRA_CA_CERTS", nodeExtraCa);
  const everywhere = "value" in others ? others.value : [];
  return { value: { everywhere, national: national.value } };
}

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/gu;

async function readCertificates(setting: string, file: string): Promise<Parsed<readonly string[]>> {
  const text = await readFile(file, "utf8").catch(describeReadError);
  if (typeof text !== "string") return { problem: `${setting} ${file}: ${text.problem}` };
  const certificates = text.match(PEM) ?? [];
  if (certificates.length === 0)
    return { problem: `${setting} ${file}: the file has no PEM certificate.` };
  const problem = `${setting} ${file}: a certificate in it is broken; export it again in PEM form.`;
  return certificates.every(isCertificate) ? { value: certificates } : { problem };
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}
