import { readFile, writeFile } from "node:fs/promises";
import { parseCatalogue } from "../../src/services/catalogue/parse-catalogue.ts";
import type { Catalogue, Endpoint } from "../../src/model/service/catalogue.ts";
import type { SimpleBehaviour } from "./behaviour.ts";

const CATALOGUE_FILE = new URL("../../catalogue.yaml", import.meta.url);

/** The catalogue of the package. Throws if it is not valid, which is a defect of the repository. */
export async function readShippedCatalogue(): Promise<Catalogue> {
  return parseOrThrow(await readFile(CATALOGUE_FILE));
}

function parseOrThrow(text: Uint8Array | string): Catalogue {
  const parsed = parseCatalogue(text);
  if (parsed.kind === "ok") return parsed.catalogue;
  throw new Error(parsed.problems.map(({ line, message }) => `${line}: ${message}`).join("\n"));
}

/** Restrictions of YouTube and Telegram: the demo shows them as slowed down, because no shipped service is any more. */
const SLOWED_SINCE = ["2026-02-10", "2026-06-05"] as const;

/** In place of reasons that say that they are closed. */
const SLOWED = {
  en: "Pictures and video load slowly at many providers; made up for the demonstration.",
  ru: "Фото и видео у многих провайдеров грузятся медленно; это выдумано для показа.",
};

/**
 * Writes a copy of the shipped catalogue with every kind of annotation, for a demonstration of all verdicts.
 * Throws if the text to replace is missing.
 */
export async function writeDemoCatalogue(file: string): Promise<Catalogue> {
  let text = await readFile(CATALOGUE_FILE, "utf8");
  for (const day of SLOWED_SINCE) {
    const restricted = new RegExp(
      `- kind: restricted\\n( +since: ${day}\\n +reason: ).*\\n( +reasonRu: ).*`,
      "u",
    );
    if (!restricted.test(text)) throw new Error(`nothing is restricted since ${day}`);
    text = text.replace(restricted, `- kind: slowed_ru\n$1${SLOWED.en}\n$2${SLOWED.ru}`);
  }
  await writeFile(file, text);
  return parseOrThrow(text);
}

/** All hosts that a run connects to, including anchors, without duplicates. */
export function hostsOf(catalogue: Catalogue): readonly string[] {
  const urls = catalogue.services.flatMap(({ endpoints }) => endpoints.map(({ url }) => url));
  const anchors = catalogue.anchors.map(({ url }) => url);
  return [...new Set([...anchors, ...urls].map((url) => new URL(url).hostname))];
}

/** As long as the default page, so that filters and the probe's limit take effect. */
const PAGE_CHARACTERS = 70_000;

type Page = Extract<SimpleBehaviour, { kind: "page" }>;

/**
 * Pages that make every endpoint healthy if all other pages answer 200: one for each endpoint that expects another status,
 * and one for each host with all texts that its endpoints require. A behaviour that is set for the host later replaces the
 * latter.
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

/** Adds national certificates to the hosts of all endpoints with national trust. */
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
