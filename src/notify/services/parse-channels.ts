import * as z from "zod";
import { LANGUAGES } from "../../site/words/language.ts";
import { checkedText, checkShape, strictMapping } from "../../yaml/check-shape.ts";
import { type Finding, type Problem, toProblems } from "../../yaml/problem.ts";
import { type Located, readStrictYaml } from "../../yaml/strict-yaml.ts";
import { suggestWord } from "../../yaml/suggest.ts";
import { readUrl } from "../../yaml/validators.ts";
import { MAX_BASE } from "../channels/max.ts";
import { TELEGRAM_BASE } from "../channels/telegram.ts";
import type { SecretPlace, ServiceChannel } from "./channel.ts";

const MAX_BYTES = 256 * 1024;
const MAX_CHANNELS = 64;
const MAX_ID_LENGTH = 32;
const MAX_WORDS = 32;

const KINDS = ["telegram", "max", "webhook", "exec"] as const;

/** Keys of each kind, apart from those that every channel may have. */
const NEEDS: Readonly<Record<(typeof KINDS)[number], readonly string[]>> = {
  telegram: ["chat", "token"],
  max: ["chat", "token"],
  webhook: ["url", "secret"],
  exec: ["command"],
};
const MAY: Readonly<Record<(typeof KINDS)[number], readonly string[]>> = {
  telegram: ["base"],
  max: ["base"],
  webhook: [],
  exec: [],
};
const OF_ONE_KIND = ["chat", "token", "base", "url", "secret", "command"] as const;

const ID = checkedText((written) => {
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/u.test(written))
    return "not an id; use lowercase letters and digits, in groups joined by single hyphens.";
  return written.length > MAX_ID_LENGTH
    ? `is ${written.length} characters long; use at most ${MAX_ID_LENGTH}.`
    : undefined;
});

const URL_TEXT = checkedText((written) => {
  const read = readUrl(written);
  return "fault" in read ? read.fault : undefined;
});

const NAME_OF_CHAT = /^@[A-Za-z]\w{3,63}$/u;
const NUMBER_OF_CHAT = /^-?\d{1,19}$/u;

const SECRET = strictMapping({
  env: z.exactOptional(
    checkedText((written) =>
      /^[A-Za-z_]\w{0,127}$/u.test(written)
        ? undefined
        : "not the name of an environment variable; use letters, digits and underscores.",
    ),
  ),
  file: z.exactOptional(
    checkedText((written) => (written === "" ? "is empty; name a file." : undefined)),
  ),
}).check(({ value, issues }) => {
  if ((value.env === undefined) === (value.file === undefined))
    issues.push({
      code: "custom",
      input: value,
      path: [],
      message: "a secret is in one place; write { env: NAME } or { file: PATH }.",
    });
});

const NAMES = z.array(z.string()).min(1, "is empty; leave the key out for all services.");

const CHANNEL = strictMapping({
  id: ID,
  kind: z.enum(KINDS),
  language: z.exactOptional(z.enum(LANGUAGES)),
  services: z.exactOptional(NAMES),
  categories: z.exactOptional(NAMES),
  chat: z.exactOptional(z.string()),
  token: z.exactOptional(SECRET),
  base: z.exactOptional(URL_TEXT),
  url: z.exactOptional(URL_TEXT),
  secret: z.exactOptional(SECRET),
  command: z.exactOptional(
    z
      .array(checkedText((word) => (word.includes("\0") ? "has a null character." : undefined)))
      .min(1, "is empty; write the program and its arguments, each an item of a list.")
      .max(MAX_WORDS, `has too many words; give at most ${MAX_WORDS}.`),
  ),
}).check(({ value, issues }) => {
  const { kind } = value;
  const complain = (path: readonly string[], message: string): void =>
    void issues.push({ code: "custom", input: value, path: [...path], message });
  for (const key of NEEDS[kind])
    if (!(key in value)) complain([], `a ${kind} channel needs "${key}"; add this key.`);
  for (const key of OF_ONE_KIND)
    if (key in value && ![...NEEDS[kind], ...MAY[kind]].includes(key))
      complain([key], `a ${kind} channel has no "${key}"; remove it.`);
  const { chat } = value;
  if (chat === undefined || NUMBER_OF_CHAT.test(chat)) return;
  if (kind === "telegram" && !NAME_OF_CHAT.test(chat))
    complain(
      ["chat"],
      'not a chat; write "@name" of a channel, or the number of a chat in quotes.',
    );
  if (kind === "max") complain(["chat"], "not a chat; write its number in quotes.");
});

const CHANNELS = strictMapping({
  channels: z
    .array(CHANNEL)
    .min(1, "is empty; add a channel.")
    .max(MAX_CHANNELS, `has too many channels; give at most ${MAX_CHANNELS}.`)
    .check(({ value, issues }) => {
      for (const [index, { id }] of value.entries())
        if (value.findIndex((other) => other.id === id) < index)
          issues.push({
            code: "custom",
            input: id,
            path: [index, "id"],
            message: "another channel has the same id; each needs its own.",
          });
    }),
});

type RawChannel = z.output<typeof CHANNEL>;

/** What a channel may be limited to. */
export interface KnownServices {
  /** Slugs of each category, by its id. */
  readonly byCategory: ReadonlyMap<string, readonly string[]>;
  /** False: the website may have others, and an upgrade other ones than before, so an unknown name is only a warning. */
  readonly isWhole: boolean;
}

export type ParsedChannels =
  | {
      readonly kind: "ok";
      readonly channels: readonly ServiceChannel[];
      readonly warnings: readonly Problem[];
    }
  | { readonly kind: "invalid"; readonly problems: readonly Problem[] };

/**
 * Parses `channels.yaml`. Either gives the channels, or every problem at once, sorted by position. Never throws. Source: docs/notify.md,
 * "channels.yaml".
 */
export function parseChannels(source: Uint8Array | string, known: KnownServices): ParsedChannels {
  const yaml = readStrictYaml(source, MAX_BYTES);
  const { text } = yaml;
  if (yaml.kind === "unreadable")
    return { kind: "invalid", problems: toProblems(text, yaml.findings) };
  const shaped = checkShape(yaml.root, CHANNELS);
  const strangers = findStrangers(yaml.root, known);
  const findings = [
    ...yaml.findings,
    ...(shaped.kind === "ok" ? [] : shaped.findings),
    ...(known.isWhole ? strangers : []),
  ];
  if (shaped.kind !== "ok" || findings.length > 0)
    return { kind: "invalid", problems: toProblems(text, findings) };
  const channels = shaped.value.channels.map((raw) => toChannel(raw, known));
  return { kind: "ok", channels, warnings: toProblems(text, strangers) };
}

/** Names of services and categories that are not known. */
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
        const message = `there is no ${what} "${value.slice(0, 60)}" in the catalogue${effect}; ${toHint(value, all, isWhole)}`;
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
  const { id, kind, language = LANGUAGES[0], services, categories } = raw;
  const isAll = services === undefined && categories === undefined;
  const chosen = (categories ?? []).flatMap((category) => byCategory.get(category) ?? []);
  const slugs = isAll ? undefined : new Set([...(services ?? []), ...chosen]);
  const common = { id, language, slugs };
  if (kind === "exec") {
    const [program = "", ...args] = raw.command ?? [];
    return { ...common, kind, command: [program, ...args] };
  }
  if (kind === "webhook")
    return { ...common, kind, url: raw.url ?? "", secret: toPlace(raw.secret) };
  const base = (raw.base ?? (kind === "max" ? MAX_BASE : TELEGRAM_BASE)).replace(/\/+$/u, "");
  return { ...common, kind, chat: raw.chat ?? "", token: toPlace(raw.token), base };
}

function toPlace({ env, file }: NonNullable<RawChannel["token"]> = {}): SecretPlace {
  return env === undefined ? { file: file ?? "" } : { env };
}
