import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createSubscriber } from "../notify/decrypt-push.ts";
import { eventsNamed } from "./cli.ts";
import { useCliFixture } from "./cli-fixture.ts";
import { startIntake } from "./running-intake.ts";

const { workspace } = useCliFixture(true);
const CATALOGUE = ["--catalogue", "catalogue.json"];

/** In place of the service of a maker of browsers. `/made-up` is not known, and `/gone` no longer after its trial. */
async function startPushService() {
  const received: { path: string; headers: Record<string, string>; body: Buffer }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const path = request.url ?? "";
      const headers = request.headers as Record<string, string>;
      const body = Buffer.concat(chunks);
      received.push({ path, headers, body });
      const isGone = path === "/made-up" || (path === "/gone" && body.length > 0);
      response.writeHead(isGone ? 410 : 201).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { received, port, url: `http://127.0.0.1:${port}/` };
}

test("visitors are told in their browsers of the services that they follow alone", async () => {
  const one = await workspace();
  const service = await startPushService();
  const guard = ["--allow-private", "127.0.0.1/32", "--allow-port", String(service.port)];
  const made = await one.cli(["notify", "keygen", "--key", "notifier.key"]);
  const key = ["--set", made.stdout.trim().replace(": ", "=")];
  const startMs = Date.now();
  const timeOf = (slots: number) => ["--at", new Date(startMs + slots * 300_000).toISOString()];
  const site = ["--base-url", "https://status.example.ru"];
  expect(await one.run([...site, ...timeOf(0)])).toMatchObject({ code: 0 });
  const intake = await startIntake([...CATALOGUE, ...guard, ...key], { cwd: one.folder });
  onTestFinished(intake.kill);
  const subscriber = createSubscriber();
  const subscribe = async (name: string, services: readonly string[], language: string) => {
    const subscription = { endpoint: service.url + name, keys: subscriber.keys };
    const response = await fetch(`${intake.url}/push`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ subscription, services, language }),
    });
    expect([name, response.status]).toEqual([name, 201]);
    return (await response.json()) as { readonly id: string; readonly token: string };
  };
  const ru = await subscribe("ru", ["beta"], "ru");
  await subscribe("en", ["alpha", "beta", "gamma"], "en");
  await subscribe("other", ["gamma"], "ru");
  await subscribe("gone", ["beta"], "ru");
  await subscribe("made-up", ["beta"], "ru");
  await intake.stop();

  const notify = async (slots: number) => {
    const names = ["--key", "notifier.key", ...CATALOGUE, "--log", "debug"];
    const told = await one.cli(["notify", ...names, ...guard, ...timeOf(slots)]);
    expect(told).toMatchObject({ code: 0 });
    return told.stderr;
  };
  const step = async (slots: number) => {
    expect(await one.run([...guard, ...timeOf(slots)])).toMatchObject({ code: 0 });
    return notify(slots + 0.3);
  };
  const logs = [await step(1)];
  const tried = service.received.splice(0);
  expect(
    tried.map(({ path, headers, body }) => `${path} ${headers["ttl"]} ${body.length}`).toSorted(),
  ).toEqual(["/en 0 0", "/gone 0 0", "/made-up 0 0", "/other 0 0", "/ru 0 0"]);
  expect(eventsNamed(logs[0] ?? "", "subscriptions-ended")).toMatchObject([{ count: 1 }]);
  await one.set("beta", { kind: "tcp-refused" });
  logs.push(await step(2));
  expect(service.received).toEqual([]);
  const told = await step(3);
  expect(eventsNamed(told, "notices-sent")).toMatchObject([{ delivered: 2, failed: 1 }]);
  expect(eventsNamed(told, "subscriptions-ended")).toMatchObject([{ count: 1 }]);
  logs.push(told, await notify(3.4));
  const pathsSoFar = service.received.map(({ path }) => path).toSorted();
  expect(pathsSoFar).toEqual(["/en", "/gone", "/ru"]);
  await one.set("beta", { kind: "page", status: 200 });
  logs.push(await step(8), await step(9));

  const at = (name: string) =>
    service.received
      .filter(({ path }) => path === `/${name}`)
      .map(({ body }) => JSON.parse(subscriber.decrypt(body)));
  expect(at("ru")).toEqual([
    {
      title: expect.stringContaining("Сервис beta"),
      body: expect.stringMatching(/^[А-Я].+\n.+\.$/u),
      tag: "service.beta",
      url: "https://status.example.ru/status/beta",
    },
    {
      title: expect.stringContaining("Сервис beta"),
      body: expect.stringContaining("Снова работает"),
      tag: "service.beta",
      url: expect.stringMatching(/^https:\/\/status\.example\.ru\/status\/beta\/outages\/\d{12}$/u),
    },
  ]);
  expect(
    at("en").map(({ url, body }) => [url.replace(/\d{12}$/u, "…"), /^[A-Z]/u.test(body)]),
  ).toEqual([
    ["https://status.example.ru/en/status/beta", true],
    ["https://status.example.ru/en/status/beta/outages/…", true],
  ]);
  expect(at("other")).toEqual([]);
  expect(service.received.filter(({ path }) => path === "/gone")).toHaveLength(1);
  const topics = service.received.filter(({ path }) => path === "/ru").map((sent) => sent.headers);
  expect(topics[0]?.["topic"]).toMatch(/^[\w-]{32}$/u);
  expect(topics[1]?.["topic"]).toBe(topics[0]?.["topic"]);
  const everything = [intake.log(), ...logs].join("\n");
  for (const secret of [subscriber.keys.auth, ru.token, ru.id, `${service.url}ru`])
    expect(everything).not.toContain(secret);
});

test("an intake without the key of a notifier takes no subscriptions", async () => {
  const one = await workspace();
  expect(await one.run()).toMatchObject({ code: 0 });
  const intake = await startIntake(CATALOGUE, { cwd: one.folder });
  onTestFinished(intake.kill);
  const response = await fetch(`${intake.url}/push`, { method: "POST" });
  expect([response.status, await response.json()]).toMatchObject([404, { code: "off" }]);
});
