import * as z from "zod";
import { COUNT, DATE, exact, itemsOf, MONTH, NAME, TEXT } from "./parts.ts";

function partsOf(date: z.ZodType<string>, what: string) {
  return itemsOf(
    exact(what, {
      date,
      files: itemsOf(
        exact("A file that never changes.", {
          path: NAME.describe("Relative to `/archive/v1/`."),
          bytes: COUNT,
          rows: COUNT,
          sha256: z.string().regex(/^[0-9a-f]{64}$/u, "a SHA-256 in hexadecimal digits"),
        }),
      ),
    }),
  );
}

/** `archive/v1/index.json`. */
export type ArchiveIndex = z.infer<typeof ARCHIVE_SCHEMAS.ArchiveIndex>;
/** `archive/v1/datapackage.json`. */
export type DataPackage = z.infer<typeof ARCHIVE_SCHEMAS.DataPackage>;

/** What lists the archive. Source: docs/open-data.md, "Archive". */
export const ARCHIVE_SCHEMAS = {
  ArchiveIndex: exact("All files of the archive, the newest first.", {
    licence: NAME,
    method: DATE,
    days: partsOf(DATE, "A UTC day that is over."),
    months: partsOf(MONTH, "A month that is over."),
  }),
  DataPackage: z
    .looseObject({
      name: TEXT,
      version: DATE,
      licenses: z.array(z.looseObject({})).min(1).readonly(),
      resources: itemsOf(
        z.looseObject({
          name: TEXT,
          path: TEXT,
          bytes: COUNT,
          hash: z.string().regex(/^sha256:[0-9a-f]{64}$/u),
          schema: z.looseObject({ fields: itemsOf(z.unknown()) }),
        }),
      ),
    })
    .describe("The same files as a Data Package, version 2: https://datapackage.org/standard/."),
};
