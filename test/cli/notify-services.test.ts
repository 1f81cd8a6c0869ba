import { readFile } from "node:fs/promises";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { MAX_TOKEN, nameOf, TELEGRAM_TOKEN } from "../notify/fake-receivers.ts";
import { eventsNamed } from "./cli.ts";
import { CALM, SECRET, T0, useNotifyFixture } from "./notify-fixture.ts";

const fixture = useNotifyFixture();
const { receivers, path, write, useChannels, telegram, max, hook } = fixture;
const { cli, look, run, begin, heard, textsOf, ledgerText } = fixture;

describe("a change", () => {
  test("is told in every channel once it has lasted, and changed when it is over", async () => {
    await write(
      "mail.mjs",
      'import { readFileSync, appendFileSync } from "node:fs"; appendFileSync("mail", readFileSync(0)); appendFileSync("env", JSON.stringify(process.env));',
    );
    await useChannels(
      telegram(),
      max(),
      hook(),
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
      `<a href="${receivers().url}/site${home}/status/sber">${word}</a>`;
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
    expect(
      receivers()
        .world.max.get("-77")
        ?.map(({ texts }) => texts),
    ).toEqual([
      [
        `<b>🔴 ${name}</b>\nOutage: does not open\nSince 24 November, 12:05 MSK. Before: “Working”.\n${link("/en", "Details")}`,
        `<b>🟢 ${name}</b>\nWorks again after 12 minutes. Before: “Outage: does not open”.\n${link("/en", "Details")}`,
      ],
    ]);
    const hooks = receivers().world.hooks.map(({ headers, body }) => {
      const id = headers["webhook-id"] ?? "";
      const time = new Date(Number(headers["webhook-timestamp"]) * 1_000);
      expect(headers["webhook-signature"]).toBe(new Webhook(SECRET).sign(id, time, body));
      return { id, ...JSON.parse(body) };
    });
    const common = {
      slug: "sber",
      name: nameOf("sber"),
      changes: 1,
      page: `${receivers().url}/site/en/status/sber`,
    };
    const page = `${receivers().url}/site/en/`;
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
    const mails = (await readFile(path("mail"), "utf8")).trim().split("\n");
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
    expect(JSON.parse(receivers().world.hooks.at(-1)?.body ?? "{}")).toMatchObject({
      type: "service.changed",
      data: { services: [{ before: "fail", code: "ok", troubleSeconds: 720 }] },
    });
    expect(textsOf().flat().length).toBe(2);

    const environment = await readFile(path("env"), "utf8");
    const help = (await cli(["notify", "--help"])).stdout;
    const everything = [told, environment, help, await ledgerText()].join("\n");
    for (const secret of [TELEGRAM_TOKEN, MAX_TOKEN, SECRET])
      expect(everything).not.toContain(secret);
  });

  test("with a surge is told at once, and any other only if the list confirms it", async () => {
    begin("sber", "vk", ...CALM);
    await look(10);
    run(300, { sber: "err" }, true);
    await look(310);
    expect(textsOf().length).toBe(1);
    run(600, { vk: "slow" });
    // The list is newer than the log: the next run found it well again.
    run(900);
    receivers().world.codes.set("vk", "ok");
    await look(910);
    expect(textsOf().length).toBe(1);
    receivers().world.codes.set("vk", "slow");
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

  test("of one service are told at most once in a quarter of an hour", async () => {
    begin("sber", ...CALM);
    await look(10);
    for (let at = 1; at <= 12; at += 1) {
      run(at * 300, { sber: at % 2 === 0 ? "ok" : "fail" });
      await look(at * 300 + 10);
    }
    expect(textsOf().map(([text]) => text?.split("\n")[1])).toEqual([
      "4 перемены с прошлого сообщения. Сейчас: «Работает».",
      "4 перемены с прошлого сообщения. Сейчас: «Работает».",
      "4 перемены с прошлого сообщения. Сейчас: «Работает».",
    ]);
  });

  test("reach only the channels that chose their services", async () => {
    await useChannels(telegram(", services: [vk], categories: [banks]"), max(", services: [ozon]"));
    begin("sberbank", "vk", "ozon", "c1");
    await look(10);
    run(300, { sberbank: "fail", vk: "fail", c1: "fail" });
    run(600);
    await look(610);
    expect(textsOf().length).toBe(1);
    expect(receivers().world.max.size).toBe(0);
  });
});

describe("a channel that fails", () => {
  test("is tried again when it says, whatever is wrong, and never dropped", async () => {
    begin("sber", ...CALM);
    await look(10);
    const answers = [
      {
        status: 429,
        body: { ok: false, description: "Too Many Requests", parameters: { retry_after: 120 } },
      },
      { status: 403, body: { ok: false, description: `Forbidden: ${TELEGRAM_TOKEN} was kicked` } },
    ];
    receivers().world.trouble = () => answers.shift();
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

  test("as a program says why, without the secrets of any channel", async () => {
    await write("refuse.sh", `echo "no: ${TELEGRAM_TOKEN}" >&2; exit 75\n`);
    await useChannels(telegram(), "{ id: mail, kind: exec, command: [sh, refuse.sh] }");
    begin("sber", ...CALM);
    await look(10);
    run(300, { sber: "fail" });
    run(600);
    expect(eventsNamed(await look(610), "channel-failed")).toMatchObject([
      { channel: "mail", reason: "exit 75, try later: no: …", tries: 1 },
    ]);
    expect(textsOf().length).toBe(1);
  });

  test("for a day hears one message, and the ledger is empty then", async () => {
    begin("sber", "vk", "ozon", ...CALM);
    await look(10);
    receivers().world.trouble = () => ({ status: 502 });
    for (let hour = 1; hour <= 24; hour += 1) {
      run(hour * 3_600, {
        sber: hour % 2 === 0 ? "ok" : "fail",
        ...(hour === 5 ? { vk: "slow" } : {}),
      });
      run(hour * 3_600 + 300);
      await look(hour * 3_600 + 300 + 10);
    }
    run(25 * 3_600, { ozon: "partial" });
    run(25 * 3_600 + 300);
    receivers().world.trouble = undefined;
    // The next try is an hour after the last one.
    run(26 * 3_600);
    await look(26 * 3_600 + 10);
    expect(textsOf().length).toBe(1);
    expect(textsOf()[0]?.[0]).toContain("3 сервиса изменили состояние");
    const [[, ledger]] = JSON.parse(await ledgerText()).channels;
    expect(ledger).toMatchObject({ waiting: [], offered: [], tries: 0 });
  });

  test("gets a new message if the old one can no longer be changed", async () => {
    begin("sber", ...CALM);
    await look(10);
    run(300, { sber: "fail" });
    run(600);
    await look(610);
    heard().splice(0);
    run(900, { sber: "ok" });
    run(1_200);
    await look(1_210);
    expect(receivers().world.asked.slice(-2)).toEqual(["editMessageText", "sendMessage"]);
    expect(textsOf()).toEqual([[expect.stringContaining("Снова работает, через 10 минут.")]]);
  });
});

test("a channel that is added later is told of what happens then", async () => {
  await useChannels(max(", services: [vk]"));
  begin("sber", ...CALM);
  await look(10);
  run(300, { sber: "fail" });
  run(600);
  await look(610);
  await useChannels(max(", services: [vk]"), telegram());
  run(900, { c1: "slow" });
  run(1_200);
  await look(1_210);
  expect(textsOf()).toEqual([[expect.stringContaining("Работает медленно")]]);
});

describe("the log", () => {
  test("brings up no past, to a new notifier or after the state was lost", async () => {
    begin("sber", "vk", ...CALM);
    run(300, { sber: "fail", c1: "slow" });
    run(2_400);
    await look(2_410);
    await look(2_420);
    expect(textsOf()).toEqual([]);
    receivers().world.changes.splice(0);
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
      receivers().world.pages.set(path, { status, body });
      const isRead = words === "";
      expect(await look(610, isRead ? 0 : 1)).toContain(words);
      expect(textsOf()).toEqual([]);
    },
  );
});
