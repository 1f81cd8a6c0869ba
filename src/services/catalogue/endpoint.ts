import * as z from "zod";
import { statuses, wholeWithin } from "../../model/monitor/monitor-schema.ts";
import { REFUSALS } from "../../model/service/catalogue.ts";
import { registrableDomainOf } from "../../model/registrable-domain.ts";
import { checkedText, strictMapping } from "../../yaml/check-shape.ts";
import { faultInText, readUrl } from "../../yaml/validators.ts";

const MAX_SITES = 8;
const MAX_TEXT_LENGTH = 1_000;
const MAX_MARKER_LENGTH = 200;
const MAX_UNWANTED_TEXTS = 8;

/** A text of one line, shown to people. */
export const LINE = checkedText((written) => faultInText(written, MAX_TEXT_LENGTH));

const MARKER = checkedText((written) => faultInText(written, MAX_MARKER_LENGTH));

/** The normal form of a URL; any other text stays as it is. */
export function normalUrl(text: string): string {
  const read = readUrl(text);
  return "href" in read ? read.href : text;
}

/** A URL that can be probed, in its normal form. */
export const ADDRESS = checkedText((written) => {
  const read = readUrl(written);
  return "fault" in read ? read.fault : undefined;
}).transform(normalUrl);

const STATUS = wholeWithin(100, 999, "not an HTTP status; write a whole number from 100 to 999.");

const DENIED = strictMapping({
  status: z.exactOptional(STATUS),
  body: z.exactOptional(MARKER),
  location: z.exactOptional(MARKER),
}).refine(
  (rule) => Object.keys(rule).length > 0,
  "says nothing; give at least one of status, body and location.",
);

/** @param what one of them, in words: "text". */
export function shortList<T extends z.ZodType>(item: T, what: string, most: number, give = "give") {
  return z
    .array(item)
    .min(1, `is empty; ${give} at least one ${what}, or remove the key.`)
    .max(most, `has too many ${what}s; give at most ${most}.`);
}

/** One text, or a list of them. */
const UNWANTED_TEXTS = z.preprocess(
  (written) => (typeof written === "string" ? [written] : written),
  shortList(MARKER, "text", MAX_UNWANTED_TEXTS),
);

const SITE = checkedText((written) =>
  registrableDomainOf(written) === written && written.includes(".")
    ? undefined
    : "not a site; write a registrable domain such as example.ru, without www.",
);

/** An endpoint as the catalogue has it; what vantages are asked follows from it. */
export const ENDPOINT = strictMapping({
  url: ADDRESS,
  what: LINE,
  whatRu: z.exactOptional(LINE),
  critical: z.exactOptional(z.boolean()),
  expect: z.exactOptional(statuses(STATUS)),
  trust: z.exactOptional(z.enum(["public", "national"])),
  denied: z.exactOptional(DENIED),
  body: z.exactOptional(MARKER),
  notBody: z.exactOptional(UNWANTED_TEXTS),
  location: z.exactOptional(MARKER),
  leadsTo: z.exactOptional(shortList(SITE, "site", MAX_SITES, "name")),
  redirects: z.exactOptional(z.literal("answer")),
  works: z.exactOptional(z.literal("answer")),
  refuses: z.exactOptional(
    z
      .array(z.enum(REFUSALS))
      .min(1, "is empty; name whom the owner refuses, or remove the key.")
      .refine((list) => new Set(list).size === list.length, "names one twice; remove one."),
  ),
});
