import * as z from "zod";
import { type Report, SYMPTOMS } from "../../model/service/reports.ts";
import { codecOf, instant } from "./parts.ts";
import { storedAs } from "./stored.ts";

/** So many always fit into an object: a report has at most some 150 bytes. */
export const MAX_INBOX_REPORTS = 5_000;

const hash = z.string().regex(/^[A-Za-z0-9_-]{1,16}$/);
const slug = z
  .string()
  .max(64)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/);

const report = z.union([
  z.tuple([slug, instant, hash, hash]).readonly(),
  z.tuple([slug, instant, hash, hash, z.enum(SYMPTOMS)]).readonly(),
]);

/** An object of the inbox of reports: all of them are read, or none. */
export const { encode: encodeInbox, decode: decodeInbox } = storedAs<readonly Report[]>(
  {
    name: "the inbox",
    format: "status-snapshot/inbox",
    foreign: "this is not an inbox of status-snapshot",
    maxMiB: 1,
    isPlain: true,
  },
  codecOf(
    z.strictObject({ reports: z.array(report).max(MAX_INBOX_REPORTS).readonly() }),
    ({ reports }): readonly Report[] =>
      reports.map(([slug, atMs, network, block, symptom]) => {
        return { slug, atMs, network, block, ...(symptom === undefined ? {} : { symptom }) };
      }),
    (reports) => ({
      reports: reports.map(({ slug, atMs, network, block, symptom }) => {
        const common = [slug, atMs, network, block] as const;
        return symptom === undefined ? common : ([...common, symptom] as const);
      }),
    }),
  ),
);
