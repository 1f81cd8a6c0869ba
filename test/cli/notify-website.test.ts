import { join } from "node:path";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { startReceivers, TELEGRAM_TOKEN } from "../notify/fake-receivers.ts";
import { useCliFixture } from "./cli-fixture.ts";
import { runHere } from "./run-here.ts";
import { named } from "./workspace.ts";

const { workspace } = useCliFixture(true);

test("what a run publishes is what a channel is told", async () => {
  const receivers = await startReceivers();
  onTestFinished(receivers.close);
  const one = await workspace(named("alpha", "beta", "gamma", "delta"));
  await writeFile(
    join(one.folder, "channels.yaml"),
    `channels:\n  - { id: main, kind: telegram, chat: "@status_en", token: { env: TOKEN }, base: "${receivers.url}/telegram", language: en }\n`,
  );
  expect(await one.run()).toMatchObject({ code: 0 });
  const website = await serveFolder(join(one.folder, "public"));
  const startMs = Date.now();
  const timeOf = (slots: number) => ["--at", new Date(startMs + slots * 300_000).toISOString()];
  const guard = ["--allow-private", "127.0.0.1/32", "--allow-port", String(receivers.port)];
  const step = async (slots: number) => {
    expect(await one.run(timeOf(slots))).toMatchObject({ code: 0 });
    const args = ["notify", "--changes", website, "--channels", "channels.yaml"];
    const told = await runHere([...args, ...guard, ...timeOf(slots + 0.1)], one.folder, {
      TOKEN: TELEGRAM_TOKEN,
    });
    expect([told.stderr, told.code]).toEqual([expect.anything(), 0]);
    return (receivers.world.telegram.get("@status_en") ?? []).map(({ texts }) => texts);
  };
  expect(await step(1)).toEqual([]);
  await one.set("beta", { kind: "tcp-refused" });
  expect(await step(2)).toEqual([]);
  const failing = await step(3);
  expect(failing).toEqual([[expect.stringContaining("Outage: does not open\nSince ")]]);
  expect(failing[0]?.[0]).toContain(`<a href="${website}/en/status/beta">Details</a>`);
  expect(await step(4)).toEqual(failing);
});

/** Serves the JSON documents of a folder. */
async function serveFolder(folder: string): Promise<string> {
  const server = createServer((request, response) => {
    const path = join(folder, request.url ?? "");
    readFile(path.endsWith(".json") ? path : `${path}.json`).then(
      (body) => response.end(body),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
