import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { SitePeople, SiteSettings } from "../model/site-settings.ts";
import { checkedText, checkShape, strictMapping } from "../yaml/check-shape.ts";
import { type Finding, toProblems } from "../yaml/problem.ts";
import { type Located, readStrictYaml } from "../yaml/strict-yaml.ts";
import { suggestWord } from "../yaml/suggest.ts";
import { faultInName, readUrl } from "../yaml/validators.ts";
import type { Flags } from "./options/options.ts";
import type { Parsed } from "./parse-options.ts";
import { describeProblems, describeReadError } from "./files/named-files.ts";

const MAX_BYTES = 64 * 1024;

/** What was decided, and sentences about what may be a mistake. */
export interface ReadSiteSettings {
  /** The decisions that were given; the state keeps the others. */
  readonly settings: Partial<SiteSettings>;
  readonly warnings: readonly string[];
}

/**
 * The decisions that were given.
 *
 * @param categories ids of the catalogue.
 */
export async function readSiteSettings(
  { about: file, pushKey, isSelfService, reportUrl }: Flags<"publish">,
  categories: readonly string[],
): Promise<Parsed<ReadSiteSettings>> {
  const about = await readAbout(file, categories);
  if ("problem" in about) return about;
  const { people, warnings } = about.value;
  return {
    value: {
      settings: {
        ...(pushKey === undefined ? {} : { pushKey }),
        ...(isSelfService === undefined ? {} : { isSelfService }),
        ...(reportUrl === undefined ? {} : { reportUrl }),
        ...(people === undefined ? {} : { people }),
      },
      warnings,
    },
  };
}

async function readAbout(
  file: string | undefined,
  categories: readonly string[],
): Promise<Parsed<Partial<ParsedAbout> & Pick<ParsedAbout, "warnings">>> {
  if (file === undefined) return { value: { warnings: [] } };
  const source = await readFile(file).catch(describeReadError);
  if ("problem" in source) return { problem: `--about ${file}: ${source.problem}` };
  return parseAbout(file, source, categories);
}

/** A file of `--about`. */
export interface ParsedAbout {
  readonly people: SitePeople;
  /** Categories that the catalogue does not have, a line each. An upgrade that removes one must not stop runs. */
  readonly warnings: readonly string[];
}

/**
 * The people behind a website, from a YAML file; or its problems, a line each. Never throws.
 *
 * @param categories ids of the catalogue.
 */
export function parseAbout(
  file: string,
  source: Uint8Array | string,
  categories: readonly string[],
): Parsed<ParsedAbout> {
  const yaml = readStrictYaml(source, MAX_BYTES);
  const isEmpty = yaml.kind !== "unreadable" && (yaml.root.value ?? null) === null;
  if (isEmpty && yaml.findings.length === 0) return { value: { people: {}, warnings: [] } };
  const describe = (findings: readonly Finding[]): readonly string[] =>
    describeProblems(`--about ${file}`, toProblems(yaml.text, findings));
  if (yaml.kind === "unreadable") return { problem: describe(yaml.findings).join("\n") };
  const shaped = checkShape(yaml.root, PEOPLE);
  const findings = [...yaml.findings, ...(shaped.kind === "ok" ? [] : shaped.findings)];
  if (findings.length > 0 || shaped.kind !== "ok")
    return { problem: describe(findings).join("\n") };
  const warnings = describe(findStrangers(yaml.root, categories));
  return { value: { people: shaped.value, warnings } };
}

/** Categories of channels that the catalogue does not have. */
function findStrangers(root: Located, known: readonly string[]): readonly Finding[] {
  const links: Located["parts"] =
    root.parts.get("follow")?.node.parts.get("categories")?.node.parts ?? new Map();
  return [...links].flatMap(([key, { offset }]) => {
    const id = String(key);
    if (known.includes(id)) return [];
    const word = suggestWord(id, known);
    const hint = word === undefined ? "remove it." : `did you mean "${word}"?`;
    const message = `there is no such category in the catalogue, so no page shows its channels; ${hint}`;
    return [{ offset, path: ["follow", "categories", id], message }];
  });
}

const name = checkedText(faultInName);

const link = checkedText((text) => {
  const isLink = /^mailto:[^\s@<>"]+@[^\s@<>"]+$/u.test(text) || !("fault" in readUrl(text));
  return isLink
    ? undefined
    : "write a URL such as https://example.ru/ or mailto:status@example.ru.";
});

/** A link that visitors of every page may follow. */
const channelLink = checkedText((text) => {
  const isWeb = !("fault" in readUrl(text)) && /^https:\/\//iu.test(text);
  return isWeb ? undefined : "write the URL of a channel such as https://t.me/status_example.";
});

const CHANNELS = { telegram: z.exactOptional(channelLink), max: z.exactOptional(channelLink) };

const NO_CATEGORY = "not the id of a category; the catalogue has them.";

const CATEGORIES = z.record(z.string(), strictMapping(CHANNELS)).superRefine((links, context) => {
  for (const id of Object.keys(links))
    if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/u.test(id))
      context.addIssue({ code: "custom", path: [id], message: NO_CATEGORY });
});

const FOLLOW = strictMapping({
  ...CHANNELS,
  categories: z.exactOptional(CATEGORIES),
});

const PEOPLE = strictMapping({
  operator: z.exactOptional(name),
  contact: z.exactOptional(link),
  source: z.exactOptional(link),
  wrongVerdict: z.exactOptional(link),
  addSite: z.exactOptional(link),
  follow: z.exactOptional(FOLLOW),
});
