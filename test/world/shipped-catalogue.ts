import { readFile, writeFile } from "node:fs/promises";
import { parseCatalogue } from "../../src/catalogue/parse.ts";
import type { Catalogue, Endpoint } from "../../src/model/catalogue.ts";
import type { SimpleBehaviour } from "./behaviour.ts";

const CATALOGUE_FILE = new URL("../../catalogue.yaml", import.meta.url);

/** The catalogue that comes with the program. Throws when it is not valid, which is a defect of the repository. */
export async function readShippedCatalogue(): Promise<Catalogue> {
  return parseOrThrow(await readFile(CATALOGUE_FILE));
}

function parseOrThrow(text: Uint8Array | string): Catalogue {
  const parsed = parseCatalogue(text);
  if (parsed.kind === "ok") return parsed.catalogue;
  throw new Error(parsed.problems.map(({ line, message }) => `${line}: ${message}`).join("\n"));
}

/** Days since when YouTube and Telegram are restricted: the demo tells them as slowed down, because no shipped service is any more. */
const SLOWED_SINCE = ["2026-02-10", "2026-06-05"] as const;

/**
 * Writes a copy of the shipped catalogue in which every kind of annotation occurs, for demonstrations of all verdicts.
 * Throws when there is none of the text that it changes.
 */
export async function writeDemoCatalogue(file: string): Promise<Catalogue> {
  let text = await readFile(CATALOGUE_FILE, "utf8");
  for (const day of SLOWED_SINCE) {
    const restricted = `- kind: restricted\n        since: ${day}`;
    if (!text.includes(restricted)) throw new Error(`nothing is restricted since ${day}`);
    text = text.replace(restricted, restricted.replace("restricted", "slowed_ru"));
  }
  await writeFile(file, text);
  return parseOrThrow(text);
}

/** Every host that a run connects to, anchors included, each once. */
export function hostsOf(catalogue: Catalogue): readonly string[] {
  const urls = catalogue.services.flatMap(({ endpoints }) => endpoints.map(({ url }) => url));
  const anchors = catalogue.anchors.map(({ url }) => url);
  return [...new Set([...anchors, ...urls].map((url) => new URL(url).hostname))];
}

/** As long as the page of a world: filters and the probe's limit show in it. */
const PAGE_CHARACTERS = 70_000;

type Page = Extract<SimpleBehaviour, { kind: "page" }>;

/**
 * What makes every endpoint healthy in a world whose other pages answer 200: a page with the right status for each
 * endpoint to which 200 is wrong, and for each host a page with all texts that its endpoints look for, so that whatever
 * is set for the host later takes its place.
 */
export function healthyPages(
  catalogue: Catalogue,
  delayMs: number = 0,
): Readonly<Record<string, Page>> {
  const pages: Record<string, Page> = {};
  for (const { url, expect, body = "" } of endpointsOf(catalogue)) {
    const { hostname } = new URL(url);
    const status = expect?.includes(200) === false ? expect[0] : undefined;
    if (status !== undefined) pages[url] = { kind: "page", status, bodyBytes: 0, delayMs };
    else if (body !== "") {
      const texts = `${body}\n${pages[hostname]?.body?.trimEnd() ?? ""}`;
      pages[hostname] = { kind: "page", body: texts.padEnd(PAGE_CHARACTERS), delayMs };
    }
  }
  return pages;
}

/** The pages, and national certificates on every host of an endpoint whose trust is national. */
export function withNationalCertificates(
  pages: Readonly<Record<string, Page>>,
  catalogue: Catalogue,
): Readonly<Record<string, Page>> {
  const national = endpointsOf(catalogue).filter(({ trust }) => trust === "national");
  const hosts = national.map(({ url }) => new URL(url).hostname);
  const shown = hosts.map((host): [string, Page] => [
    host,
    { kind: "page", ...pages[host], certificate: "national" },
  ]);
  return { ...pages, ...Object.fromEntries(shown) };
}

function endpointsOf(catalogue: Catalogue): readonly Endpoint[] {
  return catalogue.services.flatMap(({ endpoints }) => endpoints);
}
