import * as z from "zod";
import { type Language, LANGUAGES } from "../../contract/codes/language.ts";
import { isObject } from "../../model/errors.ts";
import { ID_TEXT, refuseRepeated, strictMapping } from "../../yaml/check-shape.ts";
import type { Finding } from "../../yaml/problem.ts";
import { readYamlAs } from "../../yaml/read-yaml-as.ts";
import type { Located } from "../../yaml/strict-yaml.ts";
import { suggestWord } from "../../yaml/suggest.ts";
import { CHANNEL_KINDS, KIND_NAMES, type KindName, type KindSettings } from "../channels/kinds.ts";

const MAX_BYTES = 256 * 1024;
const MAX_CHANNELS = 64;

/** A channel of the operator, as channels.yaml has it. */
export type ServiceChannel = KindSettings & {
  readonly id: string;
  readonly language: Language;
  /** Only these services; undefined: all. Those of chosen categories are among them. */
  readonly slugs: ReadonlySet<string> | undefined;
};

const NAMES = z.array(z.string()).min(1, "is empty; leave the key out for all services.");

const COMMON = {
  id: ID_TEXT,
  kind: z.enum(KIND_NAMES),
  language: z.exactOptional(z.enum(LANGUAGES)),
  services: z.exactOptional(NAMES),
  categories: z.exactOptional(NAMES),
};

type Settings = Readonly<Record<string, z.ZodType>>;

const ANY = z.unknown().optional();
const SETTINGS_OF_ALL: Settings = Object.fromEntries(
  Object.values(CHANNEL_KINDS).flatMap(({ settings }) =>
    Object.keys(settings).map((key) => [key, ANY]),
  ),
);

/** A channel whose kind is not known: only what all kinds have in common is checked. */
const OF_NO_KIND = strictMapping({ ...COMMON, ...SETTINGS_OF_ALL });

/** By kind. Keys that are missing, or belong to other kinds, are left to `faultsInKeys`. */
const SCHEMAS = new Map<unknown, z.ZodType>(
  Object.entries(CHANNEL_KINDS).map(([kind, { settings }]) => {
    const own = Object.entries<z.ZodType>(settings).map(([key, one]) => [key, one.optional()]);
    return [kind, strictMapping({ ...COMMON, ...SETTINGS_OF_ALL, ...Object.fromEntries(own) })];
  }),
);

const CHANNEL = z.unknown().transform((value, { issues }): RawChannel => {
  const kind = isObject(value) ? KIND_NAMES.find((name) => name === value["kind"]) : undefined;
  const read = (SCHEMAS.get(kind) ?? OF_NO_KIND).safeParse(value);
  for (const issue of read.error?.issues ?? []) issues.push(issue as z.core.$ZodRawIssue);
  if (kind !== undefined && isObject(value)) issues.push(...faultsInKeys(kind, value));
  return read.data as RawChannel;
});

function faultsInKeys(kind: KindName, value: Readonly<Record<string, unknown>>) {
  const settings: Settings = CHANNEL_KINDS[kind].settings;
  const complain = (path: string[], message: string) => ({
    code: "custom" as const,
    input: value,
    path,
    message,
  });
  const missing = Object.entries(settings).filter(
    ([key, one]) => !(key in value) && !one.safeParse(undefined).success,
  );
  const foreign = Object.keys(SETTINGS_OF_ALL).filter((key) => key in value && !(key in settings));
  return [
    ...missing.map(([key]) => complain([], `a ${kind} channel needs "${key}"; add this key.`)),
    ...foreign.map((key) => complain([key], `a ${kind} channel has no "${key}"; remove it.`)),
  ];
}

const CHANNELS = strictMapping({
  channels: z
    .array(CHANNEL)
    .min(1, "is empty; add a channel.")
    .max(MAX_CHANNELS, `has too many channels; give at most ${MAX_CHANNELS}.`)
    .check(refuseRepeated("channel", "id")),
});

type RawChannel = z.output<typeof OF_NO_KIND> & KindSettings;

export interface KnownServices {
  /** Slugs of each category, by its id. */
  readonly byCategory: ReadonlyMap<string, readonly string[]>;
  /** False: the website may have others, and an upgrade other ones than before, so an unknown name is only a warning. */
  readonly isWhole: boolean;
}

/** Gives the channels, or every problem at once, sorted by position. Never throws. Source: docs/notify.md, "channels.yaml". */
export function parseChannels(source: Uint8Array | string, known: KnownServices) {
  const yaml = readYamlAs(source, MAX_BYTES, CHANNELS, (root) =>
    known.isWhole ? findStrangers(root, known) : [],
  );
  if (yaml.kind === "invalid") return yaml;
  const channels = yaml.value.channels.map((raw) => toChannel(raw, known));
  const warnings = yaml.problemsOf(findStrangers(yaml.root, known));
  return { kind: "ok" as const, channels, warnings };
}

function findStrangers(root: Located, { byCategory, isWhole }: KnownServices): readonly Finding[] {
  const names = {
    services: { what: "service", all: [...byCategory.values()].flat(), effect: "" },
    // Nothing but the catalogue says which services it has.
    categories: {
      what: "category",
      all: [...byCategory.keys()],
      effect: ", so the channel is not told of it",
    },
  };
  const list = root.parts.get("channels")?.node.parts ?? new Map<PropertyKey, never>();
  return [...list].flatMap(([index, { node: channel }]) =>
    (["services", "categories"] as const).flatMap((key) =>
      [...(channel.parts.get(key)?.node.parts ?? [])].flatMap(([at, { node }]) => {
        const { value, offset } = node;
        const { what, all, effect } = names[key];
        if (typeof value !== "string" || all.includes(value)) return [];
        const message = `the catalogue has no ${what} "${value.slice(0, 60)}"${effect}; ${toHint(value, all, isWhole)}`;
        return [{ offset, path: ["channels", index, key, at], message }];
      }),
    ),
  );
}

function toHint(written: string, known: readonly string[], isWhole: boolean): string {
  const word = suggestWord(written, known, known.length);
  if (word !== undefined) return `did you mean "${word}"?`;
  return isWhole ? "remove it." : "remove it, or give the catalogue that has it with --catalogue.";
}

function toChannel(raw: RawChannel, { byCategory }: KnownServices): ServiceChannel {
  const { services, categories, language = LANGUAGES[0], ...others } = raw;
  const isAll = services === undefined && categories === undefined;
  const chosen = (categories ?? []).flatMap((category) => byCategory.get(category) ?? []);
  const slugs = isAll ? undefined : new Set([...(services ?? []), ...chosen]);
  return { ...others, language, slugs };
}
