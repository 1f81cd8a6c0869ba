import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { expect, onTestFinished, test } from "vitest";
import { createSubscriber } from "../notify/decrypt-push.ts";
import { eventsNamed } from "./cli.ts";
import { useCliFixture } from "./cli-fixture.ts";
import { askOwnersOf } from "./ask-owners.ts";
import { startIntake } from "./running-intake.ts";

const { workspace } = useCliFixture(true);
const CATALOGUE = ["--catalogue", "catalogue.json"];

/** A site and its owner's receivers. */
async function startSite() {
  const files = new Map([["/", "<title>Shop</title>"]]);
  const received: { path: string; headers: Record<string, string>; body: Buffer }[] = [];
  const site = { files, received, isBroken: false, url: "", port: 0 };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const path = request.url ?? "";
      if (request.method === "POST") {
        const headers = request.headers as Record<string, string>;
        received.push({ path, headers, body: Buffer.concat(chunks) });
        response.writeHead(path === "/gone" ? 410 : 201).end();
        return;
      }
      const text = files.get(path);
      if (site.isBroken) response.destroy();
      else response.writeHead(text === undefined ? 404 : 200).end(text ?? "nothing");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  site.port = (server.address() as AddressInfo).port;
  site.url = `http://127.0.0.1:${site.port}/`;
  return site;
}

test("an owner is told by webhook and in a browser when the site fails and recovers", async () => {
  const one = await workspace();
  const site = await startSite();
  const guard = ["--allow-private", "127.0.0.1/32", "--allow-port", String(site.port)];
  const made = await one.cli(["notify", "keygen", "--key", "notifier.key"]);
  expect(made.stdout).toMatch(/^alertsKey: B[\w-]{86}\n$/u);
  expect((await stat(join(one.folder, "notifier.key"))).mode & 0o777).toBe(0o600);
  expect(await one.run()).toMatchObject({ code: 0 });
  const options = [
    ...CATALOGUE,
    "--set",
    "selfService=on",
    ...guard,
    "--set",
    made.stdout.trim().replace(": ", "="),
  ];
  const intake = await startIntake(options, { cwd: one.folder });
  onTestFinished(intake.kill);
  const ask = askOwnersOf(intake);
  const { id, token: key, challenge } = (await ask("POST", "", { body: { url: site.url } })).body;
  site.files.set(new URL(challenge.file.url).pathname, challenge.file.content);
  const proved = await ask("POST", `/${id}/verify`, { key });
  expect(proved.body).toMatchObject({ status: "proved" });
  const subscriber = createSubscriber();
  const open = async (body: object) => (await ask("POST", `/${id}/channels`, { key, body })).body;
  const hook = await open({ webhook: `${site.url}hook` });
  const push = { endpoint: `${site.url}push`, keys: subscriber.keys };
  await open({ push, language: "ru" });
  await open({ webhook: `${site.url}gone` });
  await intake.stop();

  const startMs = Date.now();
  const timeOf = (slots: number) => ["--at", new Date(startMs + slots * 300_000).toISOString()];
  const key0 = ["--key", "notifier.key", "--log", "debug"];
  const step = async (slots: number) => {
    expect(await one.run([...guard, ...timeOf(slots)])).toMatchObject({ code: 0 });
    const told = await one.cli(["notify", ...key0, ...guard, ...timeOf(slots + 0.3)]);
    expect(told).toMatchObject({ code: 0 });
    return told.stderr;
  };
  const first = await step(1);
  expect(eventsNamed(first, "notices-sent")).toMatchObject([{ delivered: 2, failed: 1 }]);
  expect(eventsNamed(first, "channel-stopped")).toMatchObject([{ monitor: id }]);
  site.isBroken = true;
  expect(eventsNamed(await step(2), "notices-sent")).toEqual([]);
  expect(eventsNamed(await step(3), "notices-sent")).toMatchObject([{ delivered: 2 }]);
  site.isBroken = false;
  expect(eventsNamed(await step(8), "notices-sent")).toEqual([]);
  const last = await step(9);

  const at = (path: string) => site.received.filter((received) => received.path === path);
  const hooks = at("/hook").map(({ headers, body }) => {
    const { "webhook-id": messageId = "", "webhook-timestamp": time = "" } = headers;
    const signed = new Webhook(hook.secret).sign(messageId, new Date(Number(time) * 1000), body);
    expect(headers["webhook-signature"]).toBe(signed);
    return JSON.parse(body.toString());
  });
  expect(hooks).toMatchObject([
    { type: "channel.added", data: { id, url: site.url } },
    { type: "monitor.failing", data: { before: "healthy", state: "failing", changes: 1 } },
    { type: "monitor.healthy", data: { state: "healthy", beforeSeconds: 6 * 300 } },
  ]);
  const shown = at("/push").map(({ body }) => JSON.parse(subscriber.decrypt(body)));
  expect(shown.map(({ title, body }) => [title, body])).toEqual([
    ["Оповещения включены", expect.stringContaining("перестанет открываться")],
    [`127.0.0.1:${site.port} не открывается`, expect.stringMatching(/^[А-Я].+\.$/u)],
    [`127.0.0.1:${site.port} снова работает`, "Сбой длился 30 минут."],
  ]);
  expect(at("/gone").length).toBe(1);
  const exported = await one.cli(["monitor", "export", id]);
  const stopped = JSON.parse(exported.stdout).channels.map(
    (channel: { url?: string; stoppedAtMs?: number }) => [channel.url, "stoppedAtMs" in channel],
  );
  expect(stopped).toContainEqual([`${site.url}gone`, true]);
  const logs = [intake.log(), first, last].join("\n");
  for (const secret of [hook.secret, subscriber.keys.auth]) expect(logs).not.toContain(secret);
});

test("a notifier without its settings says what is missing", async () => {
  const one = await workspace();
  const { code, stderr } = await one.cli(["notify", "--state", "http://x", "--dns", "nonsense"]);
  expect(code).toBe(2);
  expect(stderr).toContain("--key is missing");
  expect(stderr).toContain("--dns");
  const wrong = await one.cli(["notify", "--key", "catalogue.json"]);
  expect(wrong.stderr).toContain("notify keygen --key catalogue.json");
});
