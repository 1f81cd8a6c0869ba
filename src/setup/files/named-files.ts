import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { errnoOf, messageOf } from "../../model/errors.ts";
import {
  compileOperators,
  OPERATOR_NETWORKS_FILE,
  type OperatorOf,
} from "../../reports/operators/operator-table.ts";
import { compileNetworks, networkOf, NETWORKS_FILE } from "../../probe/network/networks.ts";
import type { NetworkNameOf } from "../../pipeline/publish/publish-setup.ts";
import { replaceFile } from "../../store/atomic-file.ts";
import { describeProblem, type Problem } from "../../yaml/problem.ts";

/** Problems of a file as lines `FILE:LINE:COLUMN: sentence`. */
export function describeProblems(name: string, problems: readonly Problem[]): readonly string[] {
  return problems.map((problem) => `${name}:${describeProblem(problem)}`);
}

/** Describes the error of reading a file that the user named. */
export function describeReadError(error: unknown): { readonly problem: string } {
  const code = errnoOf(error);
  if (code === "ENOENT") return { problem: "the file does not exist." };
  if (code === "EISDIR") return { problem: "it is a directory; name a file." };
  if (code === "EACCES") return { problem: "it may not be read; fix its permissions." };
  return { problem: `${messageOf(error)}.` };
}

/** Others may read it: the exporter of metrics runs as another user. */
const MODES = { file: 0o644, folder: 0o755 } as const;

/** Writes a file atomically, with a temporary one in the same folder. Returns a sentence on what to fix if that fails. */
export async function writeOutput(option: string, path: string, bytes: Uint8Array) {
  try {
    await replaceFile(path, bytes, dirname(path), MODES);
    return undefined;
  } catch (error) {
    return `${option} ${path} cannot be written: ${messageOf(error)}. Create its folder, and let this user write there.`;
  }
}

/** The names of networks that ship with the program. Throws if the shipped file is broken. */
export async function readNetworks(): Promise<NetworkNameOf> {
  const networks = compileNetworks(JSON.parse(await readFile(NETWORKS_FILE, "utf8")));
  return (address) => networkOf(networks, address);
}

/** The operators of networks that ship with the program. Throws if the shipped file is broken. */
export async function readOperators(): Promise<OperatorOf> {
  return compileOperators(await readFile(OPERATOR_NETWORKS_FILE, "utf8"));
}
