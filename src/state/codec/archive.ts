import * as z from "zod";
import { type ArchivePart, type ArchiveState, NO_ARCHIVE } from "../../model/service/archive.ts";

const count = z.int().min(0);

const part: z.ZodType<ArchivePart> = z.strictObject({
  date: z.string().regex(/^\d{4}-\d\d(?:-\d\d)?$/u),
  method: z.string(),
  files: z
    .array(
      z.strictObject({
        name: z.string(),
        bytes: count,
        sha256: z.string().regex(/^[0-9a-f]{64}$/u),
        rows: count,
      }),
    )
    .readonly(),
});

/** What was archived, as it is stored. States that were written before there was an archive have none. */
export const ARCHIVE_SCHEMA: z.ZodDefault<z.ZodType<ArchiveState>> = z
  .strictObject({
    days: z.array(part).readonly(),
    months: z.array(part).readonly(),
    sealedDay: count,
  })
  .default(NO_ARCHIVE);
