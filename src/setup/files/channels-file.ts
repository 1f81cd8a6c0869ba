import { readFile } from "node:fs/promises";
import { actionsOf } from "../../notify/channels/kinds.ts";
import { parseChannels, type ServiceChannel } from "../../notify/services/parse-channels.ts";
import type { OpenChannel } from "../../notify/services/send-to-channel.ts";
import { SHIPPED_CATALOGUE } from "../shipped-files.ts";
import type { Io } from "../io.ts";
import type { Flags } from "../options/options.ts";
import type { Parsed } from "../parse-options.ts";
import { readCatalogue } from "./catalogue-file.ts";
import { describeProblems, describeReadError } from "./named-files.ts";

/**
 * Reads channels.yaml, the catalogue and the secrets. The problem lists all faults, one per line, and repeats no secret. `warnings` are
 * names that the catalogue does not have, each as `FILE:LINE:COLUMN: sentence`.
 */
export async function readChannels(
  file: string,
  flags: Flags<"catalogue">,
  { env }: Pick<Io, "env">,
) {
  const read = await readCatalogue(flags);
  if ("problem" in read) return read;
  const { catalogue } = read.value;
  const slugsOf = (category: string): readonly string[] =>
    catalogue.services.filter((one) => one.category === category).map(({ slug }) => slug);
  const byCategory = new Map(catalogue.categories.map(({ id }) => [id, slugsOf(id)]));
  // The website may know services that the shipped catalogue does not have.
  const isWhole = flags.catalogue !== SHIPPED_CATALOGUE;
  const text = await readFile(file).catch(describeReadError);
  if ("problem" in text) return { problem: `--channels ${file}: ${text.problem}` };
  const parsed = parseChannels(text, { byCategory, isWhole });
  if (parsed.kind === "invalid")
    return { problem: describeProblems(file, parsed.problems).join("\n") };
  const opened = await Promise.all(parsed.channels.map((one) => openChannel(one, file, env)));
  const problems = opened.flatMap((one) => ("problem" in one ? [one.problem] : []));
  if (problems.length > 0) return { problem: problems.join("\n") };
  const channels = opened.flatMap((one) => ("value" in one ? [one.value] : []));
  return { value: { channels, catalogue, warnings: describeProblems(file, parsed.warnings) } };
}

async function openChannel(
  channel: ServiceChannel,
  file: string,
  env: Io["env"],
): Promise<Parsed<OpenChannel>> {
  const { secret: kept } = actionsOf(channel);
  if (kept === undefined) return { value: { channel, secret: "" } };
  const place = kept.placeOf(channel);
  const complain = (what: string): Parsed<OpenChannel> => ({
    problem: `${file}: channel "${channel.id}": ${what}`,
  });
  const isFile = "file" in place;
  const name = isFile ? `the file ${place.file}` : `the environment variable ${place.env}`;
  const found = isFile
    ? await readFile(place.file, "utf8").catch(describeReadError)
    : (env[place.env] ?? "");
  if (typeof found !== "string") return complain(`${name}: ${found.problem}`);
  const secret = found.trim();
  if (secret === "") return complain(`${name} is not set or empty; put the secret there.`);
  const fault = kept.faultIn(secret);
  return fault === undefined
    ? { value: { channel, secret } }
    : complain(`${name} has no ${fault}; put it there, and nothing else.`);
}
