import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Webhook } from "standardwebhooks";
import { makePushKey, pushKeysOf } from "../../src/setup/files/push-key.ts";
import { startCli } from "../cli/cli.ts";
import { createSubscriber } from "../notify/decrypt-push.ts";
import { PATIENCE_MS } from "../patience.ts";
import { expectAccessible, type OwnerSite, startOwnerSite, textOf } from "./owner-site.ts";
import { read } from "./site-visitors.ts";

let site: OwnerSite;
let publicKey = "";
beforeAll(async () => {
  const key = await makePushKey();
  ({ publicKey } = pushKeysOf(key));
  site = await startOwnerSite(["--set", `alertsKey=${publicKey}`]);
  await writeFile(join(site.folder, "notifier.key"), JSON.stringify(key));
}, PATIENCE_MS);
afterAll(() => site.close());

/** Tells owners once. */
async function notify(): Promise<void> {
  const args = ["notify", "--key", "notifier.key", ...site.guard];
  const { ended } = startCli(args, { cwd: site.folder, timeoutMs: PATIENCE_MS });
  await ended;
}

/** Until the channel is in the state, where the notifier finds it. */
async function notifyUntil(path: string): Promise<void> {
  await expect
    .poll(
      async () => {
        await notify();
        return site.received.filter((one) => one.path === path).length;
      },
      { timeout: PATIENCE_MS, interval: 2_000 },
    )
    .toBeGreaterThan(0);
}

async function openMonitor(page: Page): Promise<void> {
  await page.goto(await site.own(page));
  await page.locator("#alerts:not([hidden])").waitFor();
}

test("an owner adds a webhook with the keyboard, hears from it, and removes it", async () => {
  const { page, complaints } = await site.visit("/monitor/new");
  await openMonitor(page);
  await expectAccessible(page);
  await page.locator("#webhook").fill("ftp://x");
  await page.keyboard.press("Enter");
  await expect.poll(() => textOf(page, "#alerts .answer")).toContain("https://");
  expect(await page.locator("#webhook").getAttribute("aria-invalid")).toBe("true");
  await page.locator("#webhook").fill(`${site.shopUrl}hook`);
  await page.keyboard.press("Enter");
  await page.locator("#secret:not([hidden])").waitFor();
  const secret = await textOf(page, "#webhook-secret");
  expect(secret).toMatch(/^whsec_[\w+/]{32}$/u);
  expect(await textOf(page, "#channels")).toContain(`Вебхук ${site.shopUrl}hook`);
  await expectAccessible(page);
  await notifyUntil("/hook");
  const [{ headers, body } = { headers: {}, body: Buffer.alloc(0) }] = site.received;
  expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: "channel.added" });
  await page.reload();
  await page.locator("#channels li").waitFor();
  expect(await page.locator("#secret").isVisible()).toBe(false);
  await page.locator("#channels button").press("Enter");
  await expect.poll(() => page.locator("#channels li").count()).toBe(0);
  expect(await textOf(page, "#alerts .answer")).toContain("Убрали");
  expect(complaints).toEqual([]);
});

/** In place of the service of the browser's maker, which a test cannot reach. */
function subscribeWith(toJson: object): string {
  return `PushManager.prototype.subscribe = async (options) => {
    window.subscribedWith = options;
    return { toJSON: () => (${JSON.stringify(toJson)}) };
  }`;
}

const READ_NOTICES = `navigator.serviceWorker.ready
  .then((registration) => registration.getNotifications())
  .then((all) => JSON.stringify(all.map(({ title, body }) => ({ title, body }))))`;

test("an owner is told in the browser, which shows what the notifier has sent", async () => {
  const subscriber = createSubscriber();
  const endpoint = `${site.shopUrl}push`;
  const subscription = { endpoint, expirationTime: null, keys: subscriber.keys };
  const { page, complaints } = await site.visit("/en/monitor/new", "en", async (fresh) => {
    await fresh.addInitScript(subscribeWith(subscription));
  });
  await openMonitor(page);
  await page.locator("#push").press("Enter");
  await expect.poll(() => textOf(page, "#alerts .answer")).toContain("Done");
  const options = await read<object>(page, "window.subscribedWith");
  expect(options).toEqual({ userVisibleOnly: true, applicationServerKey: publicKey });
  await notifyUntil("/push");
  const sent = site.received.find(({ path }) => path === "/push");
  const data = subscriber.decrypt(sent?.body ?? Buffer.alloc(0));
  const session = await page.context().newCDPSession(page);
  const registrationId = new Promise<string>((resolve) => {
    session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const [first] = registrations;
      if (first !== undefined) resolve(first.registrationId);
    });
  });
  await session.send("ServiceWorker.enable");
  const origin = site.url;
  const delivery = { origin, registrationId: await registrationId, data };
  // A service worker that is still being installed loses a message; a second one with the same tag replaces the first.
  const shown = async (): Promise<unknown> => {
    await session.send("ServiceWorker.deliverPushMessage", delivery);
    return JSON.parse(String(await page.evaluate(READ_NOTICES)));
  };
  await expect
    .poll(shown, { interval: 500 })
    .toEqual([
      { title: "Alerts are on", body: "We will tell you here when Мой магазин stops opening." },
    ]);
  expect(complaints).toEqual([]);
});
