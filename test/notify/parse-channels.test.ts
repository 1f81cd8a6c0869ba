import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SHIPPED_CATALOGUE } from "../../src/setup/shipped-files.ts";
import { parseCatalogue } from "../../src/services/catalogue/parse-catalogue.ts";
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
      'there is no service "sberbnk" in the catalogue; did you mean "sberbank"?',
    ],
    [
      one(`${TELEGRAM}, categories: [cars]`),
      'there is no category "cars" in the catalogue, so the channel is not told of it; remove it.',
    ],
    [one(`${TELEGRAM}, services: []`), "leave the key out for all services"],
    [one("id: mail, kind: exec, command: []"), "is empty; write the program"],
    [
      `channels:\n  - { ${TELEGRAM} }\n  - { ${TELEGRAM} }`,
      "3:11 channels[1].id: another channel has the same id",
    ],
  ])("%j", (text, words) => {
    expect(problemsOf(text).join("\n")).toContain(words);
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
            'there is no service "other" in the catalogue; remove it, or give the catalogue that has it with --catalogue.',
        },
        {
          column: 108,
          message:
            'there is no category "banke" in the catalogue, so the channel is not told of it; did you mean "banks"?',
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
