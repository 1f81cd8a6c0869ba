import { copyFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { SHIPPED_CATALOGUE } from "../../src/setup/shipped-files.ts";
import { TELEGRAM_TOKEN } from "../notify/fake-receivers.ts";
import { eventsNamed, problemsOf } from "./cli.ts";
import { CHAT, useNotifyFixture } from "./notify-fixture.ts";

const fixture = useNotifyFixture();
const { receivers, path, write, useChannels, telegram, max, hook } = fixture;
const { cli, begin, textsOf, guard, website } = fixture;

describe("the settings", () => {
  test("say what is missing, with line and column, and repeat no secret", async () => {
    const start = ["notify", "--changes", `${receivers().url}/site`];
    expect((await cli(start)).stderr).toContain("--channels is missing");
    expect((await cli(["notify", "--channels", "channels.yaml"])).stderr).toContain(
      "--changes is missing",
    );
    await write("token", "no token at all");
    const wrong = await cli([...start, "--channels", "channels.yaml"]);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain("has no token of a Telegram bot");
    expect(wrong.stderr).not.toContain("no token at all");
    await useChannels(telegram(", services: [sberbnk]"));
    await write("token", TELEGRAM_TOKEN);
    // The website may know a service that the shipped catalogue does not.
    const words =
      /channels\.yaml:2:\d+: channels\[0\]\.services\[0\]: .+did you mean \\"sberbank\\"/u;
    const unknown = await cli([...start, "--channels", "channels.yaml"]);
    expect([unknown.code, unknown.stderr]).toEqual([0, expect.stringMatching(words)]);
    await copyFile(SHIPPED_CATALOGUE, path("own.yaml"));
    const catalogue = ["--catalogue", "own.yaml"];
    const refused = await cli([...start, "--channels", "channels.yaml", ...catalogue]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(words)]);
    const tried = await cli(["notify", "test", "main", "--channels", "channels.yaml", ...guard()]);
    expect([tried.code, tried.stderr]).toEqual([0, expect.stringMatching(words)]);
  });

  test("are tried with one message that says that it is a test", async () => {
    await useChannels(telegram(), max(), hook(), '{ id: mail, kind: exec, command: ["false"] }');
    const start = ["notify", "test", "--channels", "channels.yaml", ...guard()];
    expect(await cli([...start, "main"])).toMatchObject({
      code: 0,
      stdout: "main (telegram): arrived, as message 7.\n",
    });
    expect(await cli([...start, "max", "--changes", receivers().url])).toMatchObject({ code: 0 });
    expect(await cli([...start, "hook"])).toMatchObject({
      code: 0,
      stdout: "hook (webhook): arrived.\n",
    });
    const lost = await cli([...start, "mail"]);
    expect([lost.code, eventsNamed(lost.stderr, "failed")]).toMatchObject([
      1,
      [{ message: "mail (exec): did not arrive: exit 1." }],
    ]);
    const unknown = await cli([...start, "nobody"]);
    expect([unknown.code, problemsOf(unknown.stderr)]).toEqual([
      2,
      ['channels.yaml: it has no channel "nobody", but main, max, hook, mail.'],
    ]);
    expect(textsOf()).toEqual([
      ["<b>Проверка оповещений</b>\nЭто проверка: с сервисами ничего не случилось."],
    ]);
    expect(receivers().world.max.get("-77")?.[0]?.texts[0]).toContain("This is a test");
    expect(JSON.parse(receivers().world.hooks[0]?.body ?? "")).toMatchObject({
      type: "channel.test",
    });
  });

  test("are checked by doctor, which sends nothing to people", async () => {
    await useChannels(
      telegram(),
      max(),
      hook(),
      `{ id: mail, kind: exec, command: ["${process.execPath}"] }`,
      '{ id: lost, kind: exec, command: ["no-such-program"] }',
      telegram().replace("main", "strange").replace(CHAT, "@nobody_here"),
      hook().replace("hook,", "closed,").replace(`:${receivers().port}/`, ":1/"),
    );
    begin("sber");
    const checked = await cli(["doctor", "--json", ...website(), ...guard()]);
    expect(checked).toMatchObject({ code: 1, stderr: "" });
    const checks = JSON.parse(checked.stdout) as { name: string; result: string; detail: string }[];
    expect(checks.map(({ name, result }) => [name, result])).toEqual([
      ["--channels", "ok"],
      ["ledger", "ok"],
      ["ledger writers", "ok"],
      ["ledger privacy", "ok"],
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
    expect(lost).toContain("no-such-program is not a program that may be started here");
    expect(strange).toContain("getChat: status 400: Bad Request: chat not found");
    expect(closed).toContain("port 1 is not allowed");
    const asked = receivers().world.asked.filter((one) => !one.startsWith("GET /site"));
    expect(asked.toSorted()).toEqual([
      "GET /chats/-77",
      "GET /me",
      "getChat",
      "getChat",
      "getMe",
      "getMe",
    ]);
    expect(receivers().world.hooks).toEqual([]);
  });
});
