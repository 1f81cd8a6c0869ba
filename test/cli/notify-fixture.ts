import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import {
  type ChatMessage,
  type FakeReceivers,
  MAX_TOKEN,
  startReceivers,
  TELEGRAM_TOKEN,
} from "../notify/fake-receivers.ts";
import { catalogueWith } from "../setup/small-catalogue.ts";
import { runHere } from "./run-here.ts";

/** Start of the tests, Unix seconds. */
export const T0 = Date.UTC(2026, 10, 24, 9) / 1_000;
export const SECRET = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
export const CHAT = "@status_ru";
/** Services that do nothing, so that one is not a third of all. */
export const CALM = ["c1", "c2", "c3", "c4", "c5", "c6"];

/** Smaller than the one shipped, which would take most of the time of a look. */
const CATALOGUE = ["--catalogue", "catalogue.yaml"];

const ENV = { MAX_TOKEN, HOOK_SECRET: SECRET };

/** A website with channels, and a notifier in this process. Call it at the top of a test file. */
export function useNotifyFixture() {
  let receivers: FakeReceivers | undefined;
  let folder = "";
  const open = (): FakeReceivers => {
    if (receivers === undefined) throw new Error("the receivers start before the tests");
    return receivers;
  };
  const write = (name: string, text: string) =>
    writeFile(join(folder, name), text, { mode: 0o700 });
  const useChannels = (...channels: readonly string[]) =>
    write("channels.yaml", `channels:\n${channels.map((one) => `  - ${one}\n`).join("")}`);
  const telegram = (more = "") =>
    `{ id: main, kind: telegram, chat: "${CHAT}", token: { file: token }, base: "${open().url}/telegram"${more} }`;
  const max = (more = "") =>
    `{ id: max, kind: max, chat: "-77", token: { env: MAX_TOKEN }, base: "${open().url}/max/", language: en${more} }`;
  const hook = () =>
    `{ id: hook, kind: webhook, url: "${open().url}/hook", secret: { env: HOOK_SECRET }, language: en }`;
  const guard = () => ["--allow-private", "127.0.0.1/32", "--allow-port", String(open().port)];
  const website = () => ["--changes", `${open().url}/site`, "--channels", "channels.yaml"];
  const cli = (args: readonly string[]) => runHere(args, folder, ENV);

  /** One look of the notifier, so many seconds after the start. */
  const look = async (atS: number, code = 0) => {
    const at = new Date((T0 + atS) * 1_000).toISOString();
    const told = await cli(["notify", "--at", at, ...CATALOGUE, ...website(), ...guard()]);
    expect([told.stderr, told.code]).toEqual([expect.anything(), code]);
    return told.stderr;
  };

  /** A run of the publisher, so many seconds after the start, with changes of verdicts. */
  const run = (atS: number, changes: Readonly<Record<string, string>> = {}, surge = false) => {
    const { world } = open();
    world.updated = T0 + atS;
    for (const [slug, code] of Object.entries(changes)) {
      const before = world.codes.get(slug) ?? "ok";
      world.changes.push({ slug, at: T0 + atS, before, code: code as "ok", surge });
      world.codes.set(slug, code as "ok");
    }
  };
  const begin = (...slugs: readonly string[]) => {
    for (const slug of slugs) open().world.codes.set(slug, "ok");
    run(0);
  };
  const heard = (): ChatMessage[] => open().world.telegram.get(CHAT) ?? [];
  const textsOf = () => heard().map(({ texts }) => texts);
  const ledgerText = async () =>
    gunzipSync(await readFile(join(folder, ".ledger", "services.json.gz"))).toString();

  beforeAll(async () => {
    receivers = await startReceivers();
  });
  afterAll(() => receivers?.close());
  beforeEach(async () => {
    open().reset();
    folder = await mkdtemp(join(tmpdir(), "notify-"));
    await write("token", `${TELEGRAM_TOKEN}\n`);
    await write("catalogue.yaml", catalogueWith("sberbank", "vk", "ozon"));
    await useChannels(telegram());
    return () => rm(folder, { recursive: true });
  });
  const path = (name: string) => join(folder, name);
  return {
    receivers: open,
    path,
    write,
    useChannels,
    telegram,
    max,
    hook,
    guard,
    website,
    cli,
    look,
    run,
    begin,
    heard,
    textsOf,
    ledgerText,
  };
}
