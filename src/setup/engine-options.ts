import { readFile } from "node:fs/promises";
import type { EngineAddress } from "../engine/connection.ts";
import type { DispatchSettings } from "../engine/dispatch.ts";
import { isVantageName } from "../engine/names.ts";
import type { Parsed } from "./parse-options.ts";

/** Options that say how to reach an engine. */
export interface EngineFlags {
  readonly engine?: string;
  readonly engineCredentials?: string;
}

/** Options of a publisher that hands its checks to an engine. */
export interface PublisherEngineFlags extends EngineFlags {
  readonly engineVantage?: readonly string[];
}

/** The place that workers have without `--vantage`. */
export const DEFAULT_VANTAGE = "main";

/** Where an engine is; undefined: none is used. */
export async function readEngineAddress({
  engine,
  engineCredentials: file,
}: EngineFlags): Promise<Parsed<EngineAddress | undefined>> {
  if (engine === undefined)
    return file === undefined
      ? { value: undefined }
      : { problem: `--engine-credentials ${file}: --engine is missing.` };
  const fault = faultInUrl(engine);
  if (fault !== undefined) return { problem: `--engine ${engine}: ${fault}` };
  if (file === undefined) return { value: { url: engine } };
  try {
    return { value: { url: engine, credentials: await readFile(file, "utf8") } };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { problem: `--engine-credentials ${file}: ${why}.` };
  }
}

/** The engine that a publisher uses, and as which cell. */
export type PublisherEngine = Pick<DispatchSettings, "address" | "cell" | "vantages">;

/** The engine of a publisher; `none` without `--engine`. */
export async function readEngine(
  flags: PublisherEngineFlags & { readonly cell?: string },
): Promise<Parsed<PublisherEngine | "none">> {
  const address = await readEngineAddress(flags);
  if ("problem" in address) return address;
  const vantages = parseVantageNames("--engine-vantage", flags.engineVantage ?? [DEFAULT_VANTAGE]);
  if ("problem" in vantages) return vantages;
  if (address.value === undefined) return { value: "none" };
  // As a part of a subject; `0/1` is the only cell of an installation that is not divided.
  const cell = (flags.cell ?? "0/1").replace("/", "-");
  return { value: { address: address.value, cell, vantages: vantages.value } };
}

/** A listener between two machines could read the URLs of private monitors, and forge results. */
function faultInUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !["nats:", "tls:"].includes(url.protocol) || url.host === "")
    return "write it like tls://nats.example.ru:4222, on this machine nats://127.0.0.1:4222.";
  const isHere = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/u.test(url.hostname);
  if (url.protocol === "nats:" && !isHere) return "to another machine only tls:// is used.";
  return url.username === "" && url.password === ""
    ? undefined
    : "give a password or a key as --engine-credentials, not in the URL.";
}

/** Names of places in subjects. */
export function parseVantageNames(
  option: string,
  names: readonly string[],
): Parsed<readonly string[]> {
  const wrong = names.find((name) => !isVantageName(name));
  return wrong === undefined
    ? { value: [...new Set(names)] }
    : { problem: `${option} ${wrong}: use at most 32 of the letters a–z, digits and hyphens.` };
}
