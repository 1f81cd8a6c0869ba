import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SHIPPED_CATALOGUE } from "../../src/setup/shipped-files.ts";
import { parseCatalogue } from "../../src/services/catalogue/parse-catalogue.ts";
import type { ChannelActions } from "../../src/notify/channels/kind.ts";
import { CHANNEL_KINDS } from "../../src/notify/channels/kinds.ts";
import { type KnownServices, parseChannels } from "../../src/notify/services/parse-channels.ts";

const KNOWN: KnownServices = {
  byCategory: new Map([
    ["banks", ["sberbank", "tbank"]],
    ["social", ["vk"]],
  ]),
  isWhole: true,
};
const TELEGRAM = 'id: main, kind: telegram, chat: "@status_ru", token: { env: TOKEN }';

function problemsOf(text: string, known = KNOWN): readonly string[] {
  const parsed = parseChannels(text, known);
  return parsed.kind === "ok"
    ? []
    : parsed.problems.map(
        ({ line, column, path, message }) => `${line}:${column} ${path}: ${message}`,
      );
}

const one = (channel: string): string => `channels:\n  - { ${channel} }\n`;

test("each kind has its own keys, and defaults", () => {
  const text = `channels:
  - { ${TELEGRAM} }
  - { id: banks, kind: max, chat: "-77", token: { file: /run/token }, base: "https://relay.example/", categories: [banks], services: [vk], language: en }
  - { id: hook, kind: webhook, url: https://hook.example/, secret: { env: HOOK } }
  - { id: mail, kind: exec, command: [mail, -s, Status] }
`;
  expect(parseChannels(text, KNOWN)).toEqual({
    kind: "ok",
    warnings: [],
    channels: [
      {
        id: "main",
        kind: "telegram",
        chat: "@status_ru",
        token: { env: "TOKEN" },
        base: "https://api.telegram.org",
        language: "ru",
        slugs: undefined,
      },
      {
        id: "banks",
        kind: "max",
        chat: "-77",
        token: { file: "/run/token" },
        base: "https://relay.example",
        language: "en",
        slugs: new Set(["vk", "sberbank", "tbank"]),
      },
      {
        id: "hook",
        kind: "webhook",
        url: "https://hook.example/",
        secret: { env: "HOOK" },
        language: "ru",
        slugs: undefined,
      },
      {
        id: "mail",
        kind: "exec",
        command: ["mail", "-s", "Status"],
        language: "ru",
        slugs: undefined,
      },
    ],
  });
});

describe("a mistake is named with its place", () => {
  test.each([
    ["", "1:1 : "],
    ["channels: []", "1:11 channels: is empty; add a channel."],
    [
      one("id: main, kind: telegram"),
      '2:5 channels[0]: a telegram channel needs "chat"; add this key.',
    ],
    [
      one(`${TELEGRAM}, url: https://a.example/`),
      '2:81 channels[0].url: a telegram channel has no "url"; remove it.',
    ],
    [one(TELEGRAM.replace("telegram", "telegramm")), 'did you mean "telegram"'],
    [one(TELEGRAM.replace('"@status_ru"', "status")), "channels[0].chat: not a chat"],
    [one(TELEGRAM.replace('"@status_ru"', "-100")), "put it in quotes"],
    [one(TELEGRAM.replace("telegram", "max")), "channels[0].chat: not a chat; write its number"],
    [
      one(TELEGRAM.replace("env: TOKEN", "env: TOKEN, file: x")),
      "write { env: NAME } or { file: PATH }",
    ],
    [
      one(TELEGRAM.replace("{ env: TOKEN }", "123:secret")),
      "channels[0].token: expected a mapping",
    ],
    [one(`${TELEGRAM}, base: "ftp://x/"`), "not an absolute http or https URL"],
    [one(`${TELEGRAM}, languge: en`), 'did you mean "language"?'],
    [
      one(`${TELEGRAM}, services: [sberbnk]`),
      'the catalogue has no service "sberbnk"; did you mean "sberbank"?',
    ],
    [
      one(`${TELEGRAM}, categories: [cars]`),
      'the catalogue has no category "cars", so the channel is not told of it; remove it.',
    ],
    [one(`${TELEGRAM}, services: []`), "leave the key out for all services"],
    [one("id: mail, kind: exec, command: []"), "is empty; write the program"],
    [
      `channels:\n  - { ${TELEGRAM} }\n  - { ${TELEGRAM} }`,
      "3:11 channels[1].id: another channel has the same id",
    ],
  ])("%j", (text, words) => {
    expect(problemsOf(text).join("\n")).toContain(words);
    expect(problemsOf(text)).toMatchSnapshot();
  });

  test("and an unknown name is only a warning where the website may know more", () => {
    const text = one(`${TELEGRAM}, services: [other], categories: [banke]`);
    expect(parseChannels(text, { ...KNOWN, isWhole: false })).toMatchObject({
      kind: "ok",
      channels: [{ slugs: new Set(["other"]) }],
      warnings: [
        {
          line: 2,
          column: 87,
          message:
            'the catalogue has no service "other"; remove it, or give the catalogue that has it with --catalogue.',
        },
        {
          column: 108,
          message:
            'the catalogue has no category "banke", so the channel is not told of it; did you mean "banks"?',
        },
      ],
    });
  });

  test("and the last of many services is suggested too", () => {
    const slugs = Array.from({ length: 200 }, (_, place) => `service-${place}`);
    const known = { byCategory: new Map([["all", [...slugs, "sberbank"]]]), isWhole: true };
    const problems = problemsOf(one(`${TELEGRAM}, services: [sberbnk]`), known);
    expect(problems).toEqual([expect.stringContaining('did you mean "sberbank"?')]);
  });
});

describe("a bound is tried on both sides", () => {
  const envOf = (length: number) => one(TELEGRAM.replace("TOKEN", "T".repeat(length)));
  const idOf = (length: number) => one(TELEGRAM.replace("main", "m".repeat(length)));
  const chatOf = (chat: string, kind = "telegram") =>
    one(`id: main, kind: ${kind}, chat: "${chat}", token: { env: TOKEN }`);
  const commandOf = (words: number) =>
    one(`id: mail, kind: exec, command: [${Array.from({ length: words }, () => "a").join()}]`);
  const channelsOf = (count: number) =>
    `channels:\n${Array.from({ length: count }, (_, at) => `  - { ${TELEGRAM.replace("main", `m${at}`)} }\n`).join("")}`;
  const bytesOf = (bytes: number) => one(TELEGRAM).padEnd(bytes, `# ${"x".repeat(97)}\n`);
  const at = "@status".padEnd(65, "x");

  test.each([
    ["a variable of 127 characters", envOf(127)],
    ["a variable of 128 characters", envOf(128)],
    ["a variable of one character", envOf(1)],
    ["an id of 32 characters", idOf(32)],
    ["a chat of four letters", chatOf("@abcd")],
    ["a chat of 64 letters", chatOf(at.slice(0, 65))],
    ["a chat with a number of 19 digits", chatOf("-1234567890123456789")],
    ["a chat of MAX with a number", chatOf("7", "max")],
    ["32 words", commandOf(32)],
    ["64 channels", channelsOf(64)],
    ["256 KiB", bytesOf(256 * 1024)],
  ])("%s is accepted", (_, text) => {
    expect(problemsOf(text)).toEqual([]);
  });

  test.each([
    ["a variable of 129 characters", envOf(129), "not the name of an environment variable"],
    ["a variable without a name", envOf(0), "expected"],
    ["a variable that begins with a digit", one(TELEGRAM.replace("TOKEN", "1T")), "not the name"],
    ["an id of 33 characters", idOf(33), "is 33 characters long; use at most 32."],
    ["a chat of three letters", chatOf("@abc"), "not a chat"],
    ["a chat of 65 letters", chatOf(`${at}x`), "not a chat"],
    ["a chat with a number of 20 digits", chatOf("12345678901234567890"), "not a chat"],
    ["a chat of MAX with a name", chatOf("@status", "max"), "not a chat; write its number"],
    ["33 words", commandOf(33), "has too many words; give at most 32."],
    ["65 channels", channelsOf(65), "has too many channels; give at most 64."],
    ["one byte more than 256 KiB", bytesOf(256 * 1024 + 1), "is over 262144 bytes"],
    ["a secret in no place", one(TELEGRAM.replace("env: TOKEN", "")), "a secret is in one place"],
    ["a file without a name", one(TELEGRAM.replace("env: TOKEN", 'file: ""')), "name a file"],
    ["a null character", one('id: a, kind: exec, command: ["a\\0"]'), "has a null character"],
  ])("%s is refused", (_, text, words) => {
    expect(problemsOf(text).join("\n")).toContain(words);
    expect(problemsOf(text).slice(-1)).toMatchSnapshot();
  });
});

test("each kind says what it has found, what to do, and what its secret is", () => {
  const said = Object.entries(CHANNEL_KINDS).map(([name, kind]) => {
    const {
      found,
      remedy,
      secret,
    }: Pick<ChannelActions<never>, "found" | "remedy" | "secret"> = kind;
    return { name, found, remedy, secret: secret?.faultIn("") };
  });
  expect(said).toMatchSnapshot();
});

test("every mistake of a channel is named at once", () => {
  const found = problemsOf(one("id: A, kind: telegram, chat: b, base: c, url: d, langage: ru"));
  expect(found.map((line) => line.replace(/^\S+ /u, "").slice(0, 40))).toEqual(
    [
      'channels[0]: a telegram channel needs "to',
      "channels[0].id: not an id; use lowercase ",
      'channels[0].chat: not a chat; write "@nam',
      "channels[0].base: not an absolute http or",
      "channels[0].url: a telegram channel has n",
      "channels[0].langage: unknown key; did you",
    ].map((line) => line.slice(0, 40)),
  );
  expect(problemsOf(one("id: A, kind: pigeon, language: no")).length).toBe(3);
  expect(problemsOf("channels: [5]")).toEqual([
    "1:12 channels[0]: expected a mapping of keys to values but found a number; write a mapping of keys to values here.",
  ]);
});

test("the example that operators copy is right, and has every kind", async () => {
  const text = await readFile(new URL("../../deploy/channels.yaml", import.meta.url));
  const catalogue = parseCatalogue(await readFile(SHIPPED_CATALOGUE));
  if (catalogue.kind !== "ok") throw new Error("the shipped catalogue is invalid");
  const { categories, services } = catalogue.catalogue;
  const slugsOf = (id: string) =>
    services.filter(({ category }) => category === id).map(({ slug }) => slug);
  const byCategory = new Map(categories.map(({ id }) => [id, slugsOf(id)]));
  const parsed = parseChannels(text, { byCategory, isWhole: true });
  expect(parsed).toMatchObject({ kind: "ok", warnings: [] });
  if (parsed.kind !== "ok") return;
  const kinds = new Set(parsed.channels.map(({ kind }) => kind));
  expect([...kinds].toSorted()).toEqual(["exec", "max", "telegram", "webhook"]);
});

test("no text makes it throw", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      parseChannels(text, KNOWN);
      parseChannels(one(`${TELEGRAM}, services: [${text}]`), KNOWN);
    }),
  );
});
