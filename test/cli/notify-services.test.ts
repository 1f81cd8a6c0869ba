import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  type FakeReceivers,
  MAX_TOKEN,
  nameOf,
  startReceivers,
  TELEGRAM_TOKEN,
} from "../notify/fake-receivers.ts";
import { SHIPPED_CATALOGUE } from "../../src/cli/shipped-files.ts";
import { eventsNamed } from "./cli.ts";
import { runHere } from "./run-here.ts";

const RUN_S = 300;
const T0 = Date.UTC(2026, 10, 24, 9) / 1_000;
const SECRET = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
const CHAT = "@status_ru";

let receivers: FakeReceivers;
let folder = "";
beforeAll(async () => {
  receivers = await startReceivers();
});
afterAll(() => receivers.close());
beforeEach(async () => {
  receivers.reset();
  folder = await mkdtemp(join(tmpdir(), "notify-"));
  await write("token", `${TELEGRAM_TOKEN}\n`);
  await useChannels(TELEGRAM());
  return () => rm(folder, { recursive: true });
});

const write = (name: string, text: string) => writeFile(join(folder, name), text, { mode: 0o700 });

const TELEGRAM = (more = "") =>
  `{ id: main, kind: telegram, chat: "${CHAT}", token: { file: token }, base: "${receivers.url}/telegram"${more} }`;
const MAX = (more = "") =>
  `{ id: max, kind: max, chat: "-77", token: { env: MAX_TOKEN }, base: "${receivers.url}/max/", language: en${more} }`;
const HOOK = () =>
  `{ id: hook, kind: webhook, url: "${receivers.url}/hook", secret: { env: HOOK_SECRET }, language: en }`;

const useChannels = (...channels: readonly string[]) =>
  write("channels.yaml", `channels:\n${channels.map((one) => `  - ${one}\n`).join("")}`);

const ENV = { MAX_TOKEN, HOOK_SECRET: SECRET };
const GUARD = () => ["--allow-private", "127.0.0.1/32", "--allow-port", String(receivers.port)];

function cli(args: readonly string[]) {
  return runHere(args, folder, ENV);
}

/** One look of the notifier, so many seconds after the start. */
async function look(atS: number, code = 0) {
  const at = new Date((T0 + atS) * 1_000).toISOString();
  const told = await cli([
    "notify",
    ...["--changes", `${receivers.url}/site`, "--channels", "channels.yaml", "--at", at],
    ...GUARD(),
  ]);
  expect([told.stderr, told.code]).toEqual([expect.anything(), code]);
  return told.stderr;
}

/** A run of the publisher, so many seconds after the start, with changes of verdicts. */
function run(atS: number, changes: Readonly<Record<string, string>> = {}, surge = false): void {
  const { world } = receivers;
  world.updated = T0 + atS;
  for (const [slug, code] of Object.entries(changes)) {
    const before = world.codes.get(slug) ?? "ok";
    world.changes.push({ slug, at: T0 + atS, before, code: code as "ok", surge });
    world.codes.set(slug, code as "ok");
  }
}

const heard = () => receivers.world.telegram.get(CHAT) ?? [];
const textsOf = () => heard().map(({ texts }) => texts);
const ledgerText = async () =>
  gunzipSync(await readFile(join(folder, ".ledger", "services.json.gz"))).toString();

function begin(...slugs: readonly string[]): void {
  for (const slug of slugs) receivers.world.codes.set(slug, "ok");
  run(0);
}

const CALM = ["c1", "c2", "c3", "c4", "c5", "c6"];

describe("a change", () => {
  test("is told in every channel once it has lasted, and a young message is changed when it is over", async () => {
    await write(
      "mail.mjs",
      'import { readFileSync, appendFileSync } from "node:fs"; appendFileSync("mail", readFileSync(0)); appendFileSync("env", JSON.stringify(process.env));',
    );
    await useChannels(
      TELEGRAM(),
      MAX(),
      HOOK(),
      `{ id: mail, kind: exec, command: ["${process.execPath}", mail.mjs] }`,
    );
    begin("sber", ...CALM);
    await look(10);
    run(300, { sber: "fail" });
    expect(eventsNamed(await look(310), "notices-sent")).toEqual([]);
    run(600);
    const told = await look(610);
    expect(eventsNamed(told, "notices-sent")).toMatchObject([{ delivered: 4, failed: 0 }]);
    run(1020, { sber: "ok" });
    await look(1030);
    expect(textsOf().flat().length).toBe(1);
    run(1320);
    await look(1330);
    await look(1345);

    const link = (home: string, word: string) =>
      `<a href="${receivers.url}/site${home}/status/sber">${word}</a>`;
    const name = nameOf("sber").replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    expect(heard()).toEqual([
      {
        id: "7",
        isSilent: false,
        texts: [
          `<b>🔴 ${name}</b>\nСбой: не открывается\nС 24 ноября, 12:05 МСК. До этого: «Работает».\n${link("", "Подробнее")}`,
          `<b>🟢 ${name}</b>\nСнова работает, через 12 минут. Было: «Сбой: не открывается».\n${link("", "Подробнее")}`,
        ],
      },
    ]);
    expect(receivers.world.max.get("-77")?.map(({ texts }) => texts)).toEqual([
      [
        `<b>🔴 ${name}</b>\nOutage: does not open\nSince 24 November, 12:05 MSK. Before: “Working”.\n${link("/en", "Details")}`,
        `<b>🟢 ${name}</b>\nWorks again after 12 minutes. Before: “Outage: does not open”.\n${link("/en", "Details")}`,
      ],
    ]);
    const hooks = receivers.world.hooks.map(({ headers, body }) => {
      const id = headers["webhook-id"] ?? "";
      const time = new Date(Number(headers["webhook-timestamp"]) * 1_000);
      expect(headers["webhook-signature"]).toBe(new Webhook(SECRET).sign(id, time, body));
      return { id, ...JSON.parse(body) };
    });
    const common = {
      slug: "sber",
      name: nameOf("sber"),
      changes: 1,
      page: `${receivers.url}/site/en/status/sber`,
    };
    const page = `${receivers.url}/site/en/`;
    expect(hooks).toEqual([
      {
        id: `sber.${T0 + 300}.fail`,
        type: "service.changed",
        timestamp: new Date((T0 + 300) * 1_000).toISOString(),
        data: {
          page,
          services: [{ ...common, before: "ok", code: "fail", color: "bad", at: T0 + 300 }],
        },
      },
    ]);
    const mails = (await readFile(join(folder, "mail"), "utf8")).trim().split("\n");
    expect(mails.map((line) => JSON.parse(line))).toMatchObject([
      {
        id: `sber.${T0 + 300}.fail`,
        language: "ru",
        text: expect.stringContaining("Сбой: не открывается"),
      },
    ]);
    // Without a message to change, the recovery waits for the end of the quiet.
    run(1620);
    await look(1630);
    expect(JSON.parse(receivers.world.hooks.at(-1)?.body ?? "{}")).toMatchObject({
      type: "service.changed",
      data: { services: [{ before: "fail", code: "ok", troubleSeconds: 720 }] },
    });
    expect(textsOf().flat().length).toBe(2);

    const environment = await readFile(join(folder, "env"), "utf8");
    const help = (await cli(["notify", "--help"])).stdout;
    const everything = [told, environment, help, await ledgerText()].join("\n");
    for (const secret of [TELEGRAM_TOKEN, MAX_TOKEN, SECRET])
      expect(everything).not.toContain(secret);
  });

  test("with a surge of reports is told at once, and any other only if the list confirms it", async () => {
    begin("sber", "vk", ...CALM);
    await look(10);
    run(300, { sber: "err" }, true);
    await look(310);
    expect(textsOf().length).toBe(1);
    run(600, { vk: "slow" });
    // The list is newer than the log: the next run found it well again.
    run(900);
    receivers.world.codes.set("vk", "ok");
    await look(910);
    expect(textsOf().length).toBe(1);
    receivers.world.codes.set("vk", "slow");
    await look(920);
    expect(heard().map(({ isSilent }) => isSilent)).toEqual([false, true]);
  });

  test("is told nowhere while no run counts, and after it", async () => {
    begin("sber", ...CALM);
    await look(10);
    run(300, { sber: "fail" });
    run(600);
    const paused = await look(600 + 901);
    expect(eventsNamed(paused, "alerts-paused")).toMatchObject([{ updatedMs: (T0 + 600) * 1_000 }]);
    expect(textsOf()).toEqual([]);
    run(1_800);
    await look(1_810);
    expect(textsOf().length).toBe(1);
  });
});

describe("many changes", () => {
  test("85 at once are one message that Telegram takes", async () => {
    const slugs = Array.from({ length: 85 }, (_, at) => `service-with-a-long-name-${at}`);
    begin(...slugs);
    await look(10);
    run(300, Object.fromEntries(slugs.map((slug, at) => [slug, at < 60 ? "fail" : "slow"])));
    run(600);
    await look(610);
    expect(heard().length).toBe(1);
    const [[text = ""] = []] = textsOf();
    expect(text).toContain("<b>85 сервисов изменили состояние</b>\n🔴 Сбой: не открывается (60): ");
    expect(text).toMatch(/\nи ещё \d+\n<a href="[^"]+\/site\/">Подробнее<\/a>$/u);
    expect(text.length).toBeGreaterThan(1_500);
    expect(text.length).toBeLessThanOrEqual(4_096);
  });

  test("a service that does not come to rest is told at most once in a quarter of an hour", async () => {
    begin("sber", ...CALM);
    await look(10);
    for (let at = 1; at <= 12; at += 1) {
      run(at * RUN_S, { sber: at % 2 === 0 ? "ok" : "fail" });
      await look(at * RUN_S + 10);
    }
    expect(textsOf().map(([text]) => text?.split("\n")[1])).toEqual([
      "4 перемены с прошлого сообщения. Сейчас: «Работает».",
      "4 перемены с прошлого сообщения. Сейчас: «Работает».",
      "4 перемены с прошлого сообщения. Сейчас: «Работает».",
    ]);
  });

  test("reach only the channels that chose their services", async () => {
    await useChannels(TELEGRAM(", services: [vk], categories: [banks]"), MAX(", services: [ozon]"));
    begin("sberbank", "vk", "ozon", "c1");
    await look(10);
    run(300, { sberbank: "fail", vk: "fail", c1: "fail" });
    run(600);
    await look(610);
    expect(textsOf().length).toBe(1);
    expect(receivers.world.max.size).toBe(0);
  });
});

describe("a channel that fails", () => {
  test("is tried again when it says, however its operator has wronged it, and never dropped", async () => {
    begin("sber", ...CALM);
    await look(10);
    const answers = [
      {
        status: 429,
        body: { ok: false, description: "Too Many Requests", parameters: { retry_after: 120 } },
      },
      { status: 403, body: { ok: false, description: `Forbidden: ${TELEGRAM_TOKEN} was kicked` } },
    ];
    receivers.world.trouble = () => answers.shift();
    run(300, { sber: "fail" });
    run(600);
    expect(eventsNamed(await look(610), "channel-failed")).toMatchObject([
      { channel: "main", reason: "status 429: Too Many Requests", tries: 1, level: "warn" },
    ]);
    expect(eventsNamed(await look(700), "channel-failed")).toEqual([]);
    expect(eventsNamed(await look(740), "channel-failed")).toMatchObject([
      { reason: "status 403: Forbidden: … was kicked", tries: 2 },
    ]);
    run(900);
    await look(910);
    expect(textsOf().length).toBe(1);
  });

  test("for a day hears one message, and the ledger is empty then", async () => {
    begin("sber", "vk", "ozon", ...CALM);
    await look(10);
    receivers.world.trouble = () => ({ status: 502 });
    for (let hour = 1; hour <= 24; hour += 1) {
      run(hour * 3_600, {
        sber: hour % 2 === 0 ? "ok" : "fail",
        ...(hour === 5 ? { vk: "slow" } : {}),
      });
      run(hour * 3_600 + RUN_S);
      await look(hour * 3_600 + RUN_S + 10);
    }
    run(25 * 3_600, { ozon: "partial" });
    run(25 * 3_600 + RUN_S);
    receivers.world.trouble = undefined;
    // The next try is an hour after the last one.
    run(26 * 3_600);
    await look(26 * 3_600 + 10);
    expect(textsOf().length).toBe(1);
    expect(textsOf()[0]?.[0]).toContain("3 сервиса изменили состояние");
    const [[, ledger]] = JSON.parse(await ledgerText()).channels;
    expect(ledger).toMatchObject({ waiting: [], offered: [], tries: 0 });
  });

  test("gets a message anew that cannot be changed any more", async () => {
    begin("sber", ...CALM);
    await look(10);
    run(300, { sber: "fail" });
    run(600);
    await look(610);
    heard().splice(0);
    run(900, { sber: "ok" });
    run(1_200);
    await look(1_210);
    expect(receivers.world.asked.slice(-2)).toEqual(["editMessageText", "sendMessage"]);
    expect(textsOf()).toEqual([[expect.stringContaining("Снова работает, через 10 минут.")]]);
  });
});

describe("the log", () => {
  test("brings up no past, to a new notifier or after the state was lost", async () => {
    begin("sber", "vk", ...CALM);
    run(300, { sber: "fail", c1: "slow" });
    run(2_400);
    await look(2_410);
    await look(2_420);
    expect(textsOf()).toEqual([]);
    receivers.world.changes.splice(0);
    run(3_000, { vk: "fail" });
    run(3_300);
    await look(3_310);
    expect(textsOf().length).toBe(1);
  });

  test.each([
    ["/site/changes/v1.json", 200, "<title>Parked</title>", "is not a document of this program"],
    ["/site/changes/v1.json", 200, '{"next":9,"changes":[]} ', ""],
    ["/site/changes/v1.json", 200, '{"next":9,"changes":[{"seq":3}]}', "changes.0"],
    ["/site/changes/v1.json", 503, "", "answered 503"],
    ["/site/changes/v1.json", 301, "", "answered 301"],
    ["/site/api/v1/status", 200, '{"updated":"now","services":[]}', "updated is not as expected"],
    [
      "/site/api/v1/status",
      200,
      "x".repeat(1_100_000),
      "cannot be read: UND_ERR_RES_EXCEEDED_MAX_SIZE",
    ],
  ])(
    "that is not ours, as %s with %i, is a warning, and nothing is told",
    async (path, status, body, words) => {
      begin("sber", ...CALM);
      await look(10);
      run(300, { sber: "fail" });
      run(600);
      receivers.world.pages.set(path, { status, body });
      const isRead = words === "";
      expect(await look(610, isRead ? 0 : 1)).toContain(words);
      expect(textsOf()).toEqual([]);
    },
  );
});

describe("the settings", () => {
  test("say what is missing, with line and column, and repeat no secret", async () => {
    const start = ["notify", "--changes", `${receivers.url}/site`];
    expect((await cli(start)).stderr).toContain("--channels is missing");
    expect((await cli(["notify", "--channels", "channels.yaml"])).stderr).toContain(
      "--changes is missing",
    );
    await write("token", "no token at all");
    const wrong = await cli([...start, "--channels", "channels.yaml"]);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain("has no token of a Telegram bot");
    expect(wrong.stderr).not.toContain("no token at all");
    await useChannels(TELEGRAM(", services: [sberbnk]"));
    await write("token", TELEGRAM_TOKEN);
    // The website may know a service that the shipped catalogue does not.
    const words =
      /channels\.yaml:2:\d+: channels\[0\]\.services\[0\]: .+did you mean \\"sberbank\\"/u;
    const unknown = await cli([...start, "--channels", "channels.yaml"]);
    expect([unknown.code, unknown.stderr]).toEqual([0, expect.stringMatching(words)]);
    await copyFile(SHIPPED_CATALOGUE, join(folder, "own.yaml"));
    const catalogue = ["--catalogue", "own.yaml"];
    const refused = await cli([...start, "--channels", "channels.yaml", ...catalogue]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(words)]);
  });

  test("are tried with one message that says that it is a test", async () => {
    await useChannels(TELEGRAM(), MAX(), HOOK(), '{ id: mail, kind: exec, command: ["false"] }');
    const start = ["notify", "test", "--channels", "channels.yaml", ...GUARD()];
    expect(await cli([...start, "main"])).toMatchObject({
      code: 0,
      stdout: "main (telegram): arrived, as message 7.\n",
    });
    expect(await cli([...start, "max", "--changes", receivers.url])).toMatchObject({ code: 0 });
    expect(await cli([...start, "hook"])).toMatchObject({
      code: 0,
      stdout: "hook (webhook): arrived.\n",
    });
    expect(await cli([...start, "mail"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("exit 1"),
    });
    expect(await cli([...start, "nobody"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("main, max, hook, mail"),
    });
    expect(textsOf()).toEqual([
      ["<b>Проверка оповещений</b>\nЭто проверка: с сервисами ничего не случилось."],
    ]);
    expect(receivers.world.max.get("-77")?.[0]?.texts[0]).toContain("This is a test");
    expect(JSON.parse(receivers.world.hooks[0]?.body ?? "")).toMatchObject({
      type: "channel.test",
    });
  });

  test("are checked by doctor, which sends nothing to people", async () => {
    await useChannels(
      TELEGRAM(),
      MAX(),
      HOOK(),
      `{ id: mail, kind: exec, command: ["${process.execPath}"] }`,
      '{ id: lost, kind: exec, command: ["no-such-program"] }',
      TELEGRAM().replace("main", "strange").replace(CHAT, "@nobody_here"),
      HOOK().replace("hook,", "closed,").replace(`:${receivers.port}/`, ":1/"),
    );
    begin("sber");
    const website = ["--changes", `${receivers.url}/site`, "--channels", "channels.yaml"];
    const checked = await cli(["doctor", "--json", ...website, ...GUARD()]);
    expect(checked).toMatchObject({ code: 1, stderr: "" });
    const checks = JSON.parse(checked.stdout) as { name: string; result: string; detail: string }[];
    expect(checks.map(({ name, result }) => [name, result])).toEqual([
      ["--channels", "ok"],
      ["--ledger", "ok"],
      ["--ledger writers", "ok"],
      ["--ledger privacy", "ok"],
      ["--changes", "ok"],
      ["channel main", "ok"],
      ["channel max", "ok"],
      ["channel hook", "ok"],
      ["channel mail", "ok"],
      ["channel lost", "fail"],
      ["channel strange", "fail"],
      ["channel closed", "fail"],
    ]);
    const [lost, strange, closed] = checks.slice(-3).map(({ detail }) => detail);
    expect(lost).toContain("no-such-program is no program that may be started here");
    expect(strange).toContain("getChat: status 400: Bad Request: chat not found");
    expect(closed).toContain("port 1 is not allowed");
    const asked = receivers.world.asked.filter((one) => !one.startsWith("GET /site"));
    expect(asked.toSorted()).toEqual([
      ...["GET /chats/-77", "GET /me", "getChat", "getChat", "getMe", "getMe"],
    ]);
    expect(receivers.world.hooks).toEqual([]);
  });
});
