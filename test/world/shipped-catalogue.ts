import { readFile } from "node:fs/promises";
import { parseCatalogue } from "../../src/catalogue/parse.ts";
import type { Catalogue } from "../../src/model/catalogue.ts";
import type { Behaviour } from "./behaviour.ts";

const CATALOGUE_FILE = new URL("../../catalogue.yaml", import.meta.url);

/** The catalogue that comes with the program. Throws when it is not valid, which is a defect of the repository. */
export async function readShippedCatalogue(): Promise<Catalogue> {
  const parsed = parseCatalogue(await readFile(CATALOGUE_FILE));
  if (parsed.kind === "ok") return parsed.catalogue;
  throw new Error(parsed.problems.map(({ line, message }) => `${line}: ${message}`).join("\n"));
}

/** Every host that a run connects to, anchors included, each once. */
export function hostsOf(catalogue: Catalogue): readonly string[] {
  const urls = catalogue.services.flatMap(({ endpoints }) => endpoints.map(({ url }) => url));
  const anchors = catalogue.anchors.map(({ url }) => url);
  return [...new Set([...anchors, ...urls].map((url) => new URL(url).hostname))];
}

/**
 * What makes every endpoint healthy in a world whose other pages answer 200: a page with the right status
 * for each endpoint to which 200 is wrong.
 */
export function healthyPages(
  catalogue: Catalogue,
  delayMs: number = 0,
): Readonly<Record<string, Behaviour>> {
  const endpoints = catalogue.services.flatMap((service) => service.endpoints);
  return Object.fromEntries(
    endpoints.flatMap(({ url, expect }) => {
      const status = expect?.includes(200) === false ? expect[0] : undefined;
      if (status === undefined) return [];
      return [[url, { kind: "page", status, bodyBytes: 0, delayMs }]];
    }),
  );
}
