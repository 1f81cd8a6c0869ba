import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { ExtraRoots } from "../../probe/probe-config.ts";
import { parseConnectTo } from "../../probe/network/connect-to.ts";
import type { Parsed } from "../parse-options.ts";

/** The checked rules of `--connect-to`; a value `@FILE` means the lines of a file. */
export async function readConnectTo(values: readonly string[]): Promise<Parsed<readonly string[]>> {
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
export async function readRoots(
  extraCa: string | undefined,
  nodeExtraCa: string | undefined,
): Promise<Parsed<ExtraRoots>> {
  if (extraCa === undefined) return { value: { everywhere: [], national: [] } };
  const national = await readCertificates("--extra-ca", extraCa);
  if ("problem" in national) return national;
  // Node itself only warns about a file that it cannot read.
  const everywhere =
    nodeExtraCa === undefined
      ? { value: [] }
      : await readCertificates("NODE_EXTRA_CA_CERTS", nodeExtraCa);
  const others = "value" in everywhere ? everywhere.value : [];
  return { value: { everywhere: others, national: national.value } };
}

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/gu;

async function readCertificates(setting: string, file: string): Promise<Parsed<readonly string[]>> {
  const text = await readFile(file, "utf8").catch(describeReadError);
  if (typeof text !== "string") return { problem: `${setting} ${file}: ${text.problem}` };
  const certificates = text.match(PEM) ?? [];
  if (certificates.length === 0)
    return { problem: `${setting} ${file}: there is no PEM certificate in it.` };
  if (!certificates.every(isCertificate)) {
    return {
      problem: `${setting} ${file}: a certificate in it is broken; export it again in PEM form.`,
    };
  }
  return { value: certificates };
}

/** Describes the error of reading a file that the user named. */
export function describeReadError(error: NodeJS.ErrnoException): { readonly problem: string } {
  if (error.code === "ENOENT") return { problem: "there is no such file." };
  if (error.code === "EISDIR") return { problem: "it is a directory; name a file." };
  if (error.code === "EACCES") return { problem: "it may not be read; fix its permissions." };
  return { problem: error.message };
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}
