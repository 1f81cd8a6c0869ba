import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeScratchFolder } from "../store/scratch.ts";

/** As few anchors of a scope as a catalogue may have. */
const anchors = (scope: string): string =>
  [1, 2, 3, 4]
    .map(
      (n) =>
        `  - { url: "https://${scope}-${n}.example/", scope: ${scope}, network: ${scope}-${n} }`,
    )
    .join("\n");

const serviceOf = (slug: string): string => `  - slug: ${slug}
    name: "${slug}"
    category: banks
    endpoints: [{ url: "https://www.${slug}.ru/", what: main site }]
`;

/** A catalogue of `sberbank` and other services, which is read in a small part of the time of the shipped one. */
export function smallCatalogue(services = 1): string {
  return catalogueWith(
    "sberbank",
    ...Array.from({ length: services - 1 }, (_, at) => `bank-${at}`),
  );
}

/** A catalogue of these services. */
export function catalogueWith(...slugs: readonly string[]): string {
  return `categories:
  - { id: banks, name: "Банки" }
anchors:
${anchors("domestic")}
${anchors("foreign")}
services:
${slugs.map(serviceOf).join("")}`;
}

/** Writes a catalogue of one service. @returns its path. */
export function writeSmallCatalogue(folder: string = makeScratchFolder()): string {
  const file = join(folder, "catalogue.yaml");
  writeFileSync(file, smallCatalogue());
  return file;
}
