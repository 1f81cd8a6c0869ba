import type { ProbeConfig } from "../../src/probe/probe-config.ts";
import type { Call, Io } from "../../src/setup/io.ts";
import { readProbeConfig } from "../../src/setup/read-probe-config.ts";
import type { Given } from "../../src/setup/options/option-row.ts";
import { type Flags, type GroupName, readFlags } from "../../src/setup/options/options.ts";
import { collectProblems, type Parsed } from "../../src/setup/parse-options.ts";

/** Options by the names that commander gives them. */
type GivenOptions = Readonly<Record<string, Given>>;

/** The values of options, or what is wrong with them. */
export function readGiven<const Name extends GroupName>(
  names: readonly Name[],
  given: GivenOptions,
): Parsed<Flags<Name>> {
  const problems: string[] = [];
  const flags = readFlags(names, given, { addProblem: (one) => void problems.push(one) });
  return problems.length === 0 ? { value: flags } : { problem: problems.join("\n") };
}

/** The values of options. Throws what is wrong with them. */
export function flagsOf<const Name extends GroupName>(
  names: readonly Name[],
  given: GivenOptions,
): Flags<Name> {
  const read = readGiven(names, given);
  if ("problem" in read) throw new Error(read.problem);
  return read.value;
}

/** A call of a command as the program makes it. */
export function callOf<const Name extends GroupName>(
  names: readonly Name[],
  given: GivenOptions,
  { io, log }: Pick<Call<never>, "io" | "log">,
): Call<Flags<Name>> {
  const problems = collectProblems();
  return { flags: readFlags(names, given, problems), found: new Map(), problems, io, log };
}

/** The config of the probes that options give. Throws what is wrong with them. */
export async function readConfigOf(given: GivenOptions, env: Io["env"] = {}): Promise<ProbeConfig> {
  const flags = flagsOf(["probe", "private", "ports"], given);
  const read = await readProbeConfig(flags, { env, setEnv: () => undefined });
  if ("problem" in read) throw new Error(read.problem);
  return read.value;
}
