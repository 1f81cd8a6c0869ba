import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { makePushKey, pushKeysOf } from "../../src/setup/files/push-key.ts";
import { createVisitorReader } from "../../src/state/visitor-shards.ts";
import { openStore } from "../../src/store/open.ts";
import { type RunningCli, servedAt } from "../cli/cli.ts";
import { useCliFixture } from "../cli/cli-fixture.ts";
import type { Workspace } from "../cli/workspace.ts";
import { createSubscriber } from "../notify/decrypt-push.ts";
import { PATIENCE_MS } from "../patience.ts";
import { openBrowser } from "./browser.ts";
import { expectAccessible, PHONE, textOf } from "./owner-site.ts";
import { read } from "./site-visitors.ts";

const { workspace } = useCliFixture();
/** For a notice that should not come. */
const TRIAL_MS = 500;

const ABOUT = "follow: { telegram: https://t.me/example, max: https://max.ru/example }\n";

interface World {
  readonly one: Workspace;
  readonly url: string;
  readonly guard: readonly string[];
  readonly publicKey: string;
  readonly pushUrl: string;
  readonly received: Buffer[];
  readonly browser: Browser;
  readonly serving: RunningCli;
  readonly close: () => Promise<void>;
}

let world: World;

beforeAll(async () => {
  const one = await workspace();
  const key = await makePushKey();
  const { publicKey } = pushKeysOf(key);
  await writeFile(join(one.folder, "notifier.key"), JSON.stringify(key));
  const about = ABOUT.replaceAll(/^(?=.)/gmu, "  ");
  const settings = `reports: on\nalertsKey: ${publicKey}\nabout:\n${about}`;
  await writeFile(join(one.folder, "site.yaml"), settings);
  const received: Buffer[] = [];
  const service = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push(Buffer.concat(chunks));
      response.writeHead(201).end();
    });
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  const { port } = service.address() as AddressInfo;
  const guard = ["--allow-private", "127.0.0.1/32", "--allow-port", String(port)];
  const { code, stderr } = await one.run();
  if (code !== 0) throw new Error(stderr);
  const serving = one.start(
    ["serve", "--catalogue", "catalogue.json", ...guard, "--port", "0"],
    {},
  );
  const url = await servedAt(serving);
  const browser = await openBrowser();
  const pushUrl = `http://127.0.0.1:${port}/push`;
  const close = async (): Promise<void> => {
    await browser.close();
    serving.child.kill("SIGINT");
    await serving.ended;
    service.close();
  };
  world = { one, url, guard, publicKey, pushUrl, received, browser, serving, close };
}, PATIENCE_MS);
afterAll(() => world.close());

/** In place of the service of the browser's maker, which a test cannot reach. The subscription outlives a page. */
function subscribeWith(endpoint: string, keys: object): string {
  return `(() => {
    const flag = "test:subscribed";
    const subscription = {
      endpoint: ${JSON.stringify(endpoint)},
      toJSON: () => (${JSON.stringify({ endpoint, expirationTime: null, keys })}),
      unsubscribe: async () => { localStorage.removeItem(flag); return true; },
    };
    PushManager.prototype.subscribe = async (options) => {
      window.subscribedWith = options;
      localStorage.setItem(flag, "yes");
      return subscription;
    };
    PushManager.prototype.getSubscription = async () =>
      localStorage.getItem(flag) === null ? null : subscription;
  })()`;
}

async function openContext(options: object, keys: object = {}): Promise<BrowserContext> {
  const context = await world.browser.newContext({ viewport: PHONE, locale: "ru", ...options });
  onTestFinished(() => context.close());
  await context.addInitScript(subscribeWith(world.pushUrl, keys));
  return context;
}

async function openPage(context: BrowserContext, path: string) {
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(world.url + path);
  return { page, complaints };
}

async function visitors() {
  const opened = await openStore(`file:${join(world.one.folder, ".state")}`, { role: "private" });
  if (opened.kind === "refused") throw new Error(opened.message);
  return createVisitorReader(opened.store)();
}

/** Shows in the browser what was sent, as the service of its maker would. */
async function deliver(page: Page, data: string): Promise<readonly unknown[]> {
  const session = await page.context().newCDPSession(page);
  const registrationId = new Promise<string>((resolve) => {
    session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL.endsWith("/status/"));
      if (own !== undefined) resolve(own.registrationId);
    });
  });
  await session.send("ServiceWorker.enable");
  const delivery = { origin: world.url, registrationId: await registrationId, data };
  const readNotices = `navigator.serviceWorker.getRegistration("/status/")
    .then((registration) => registration.getNotifications())
    .then((all) => JSON.stringify(all.map(({ title, body, tag, data }) => ({ title, body, tag, data }))))`;
  // A service worker that is still being installed loses a message; a second one with the same tag replaces the first.
  let shown: readonly unknown[] = [];
  await expect
    .poll(
      async () => {
        await session.send("ServiceWorker.deliverPushMessage", delivery);
        shown = JSON.parse(String(await page.evaluate(readNotices)));
        return shown.length;
      },
      { interval: 500, timeout: PATIENCE_MS },
    )
    .toBe(1);
  // A trial of the subscription has no text, and shows nothing.
  await session.send("ServiceWorker.deliverPushMessage", { ...delivery, data: "" });
  await page.waitForTimeout(TRIAL_MS);
  expect(JSON.parse(String(await page.evaluate(readNotices)))).toEqual(shown);
  return shown;
}

async function focusByKeyboard(page: Page, id: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press("Tab");
    if ((await read<string>(page, "document.activeElement.id")) === id) return;
  }
  throw new Error(`Tab does not reach #${id}`);
}

test("a visitor follows by keyboard, is told in the browser, and follows no more", async () => {
  const { one, guard, publicKey, received } = world;
  const subscriber = createSubscriber();
  const context = await openContext({ permissions: ["notifications"] }, subscriber.keys);
  const { page, complaints } = await openPage(context, "/status/beta");
  await page.locator("#push:not([hidden])").waitFor();
  // The script has compared the page with the data, and its answers are still there.
  await page.locator("body.fresh").waitFor();
  expect(await page.locator("body.half").count()).toBe(0);
  await expectAccessible(page);
  await focusByKeyboard(page, "push-one");
  await page.keyboard.press("Enter");
  await expect.poll(() => textOf(page, "#push-one")).toBe("Отключить уведомления");
  expect(await textOf(page, "#push-state")).toBe("Уведомления об этом сервисе включены.");
  const options = await read<object>(page, "window.subscribedWith");
  expect(options).toEqual({ userVisibleOnly: true, applicationServerKey: publicKey });
  await expectAccessible(page);
  const [stored] = await visitors();
  expect(stored).toMatchObject({ endpoint: world.pushUrl, services: ["beta"], language: "ru" });

  const other = await openPage(context, "/en/status/gamma");
  await other.page.locator("#push:not([hidden])").waitFor();
  expect(await textOf(other.page, "#push-state")).toBe(
    "Services with notifications in this browser: 1.",
  );
  await other.page.locator("#push-one").press("Enter");
  await expect.poll(() => textOf(other.page, "#push-one")).toBe("Turn notifications off");
  await expectAccessible(other.page);
  await expect
    .poll(async () => (await visitors()).map(({ services }) => services))
    .toEqual([["beta", "gamma"]]);

  await one.set("beta", { kind: "tcp-refused" });
  for (const _ of [1, 2]) expect(await one.run()).toMatchObject({ code: 0 });
  const names = ["--key", "notifier.key", "--catalogue", "catalogue.json"];
  expect(await one.cli(["notify", ...names, ...guard])).toMatchObject({ code: 0 });
  expect(received.filter(({ length }) => length === 0)).toHaveLength(1);
  const told = received.filter(({ length }) => length > 0);
  expect(told).toHaveLength(1);
  const shown = await deliver(page, subscriber.decrypt(told[0] ?? Buffer.alloc(0)));
  expect(shown).toEqual([
    {
      title: expect.stringContaining("Сервис beta"),
      body: expect.stringContaining("Сбой: не открывается"),
      tag: "service.beta",
      data: expect.stringMatching(/\/status\/beta$/u),
    },
  ]);

  await page.reload();
  await expect.poll(() => textOf(page, "#push-one")).toBe("Отключить уведомления");
  await page.locator("#push-one").press("Enter");
  await expect.poll(() => textOf(page, "#push-state")).toBe("Уведомления отключены.");
  await expect
    .poll(async () => (await visitors()).map(({ services }) => services))
    .toEqual([["gamma"]]);
  await page.locator("#push-all").press("Enter");
  await expect.poll(async () => (await visitors()).length).toBe(0);
  await expect.poll(() => read<string>(page, "document.activeElement.id")).toBe("push-one");
  expect(await read(page, "localStorage.getItem('follow')")).toBeNull();
  expect(await read(page, "localStorage.getItem('test:subscribed')")).toBeNull();
  expect([...complaints, ...other.complaints]).toEqual([]);
});

test("a browser that ends its subscription is forgotten at its next visit", async () => {
  const context = await openContext({ permissions: ["notifications"] }, createSubscriber().keys);
  const { page } = await openPage(context, "/status/alpha");
  await page.locator("#push-one").press("Enter");
  await expect.poll(() => textOf(page, "#push-one")).toBe("Отключить уведомления");
  expect(await visitors()).toHaveLength(1);
  await page.evaluate("localStorage.removeItem('test:subscribed')");
  await page.reload();
  await expect.poll(async () => (await visitors()).length).toBe(0);
  await expect.poll(() => textOf(page, "#push-one")).toBe("Включить уведомления");
});

test("a visitor whose browser shows no notices reads why, and has no button", async () => {
  const { page, complaints } = await openPage(
    await openContext({ permissions: [] }),
    "/status/alpha",
  );
  await page.locator("#push:not([hidden])").waitFor();
  expect(await page.locator("#push-one").isVisible()).toBe(false);
  expect(await textOf(page, "#push-state")).toContain("Разрешите их в настройках браузера");
  await expectAccessible(page);
  expect(complaints).toEqual([]);
});

const SAFARI = "AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6";
const ON_PHONE = `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${SAFARI} Mobile/15E148 Safari/604.1`;
const ON_MAC = `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${SAFARI} Safari/605.1.15`;

test.each([
  ["a phone of Apple outside the home screen", ON_PHONE, true, "На экран „Домой“"],
  ["a tablet of Apple, which says that it is a Mac", ON_MAC, true, "На экран „Домой“"],
  ["a Mac", ON_MAC, false, "приватном окне"],
])("on %s the page says what to do", async (_, userAgent, hasTouch, expected) => {
  const context = await openContext({ userAgent, hasTouch });
  await context.addInitScript("delete window.PushManager");
  const { page } = await openPage(context, "/status/alpha");
  await page.locator("#push:not([hidden])").waitFor();
  expect(await textOf(page, "#push-state")).toContain(expected);
  expect(await page.locator("#push-one").isVisible()).toBe(false);
});

test("a window that takes no notices says so, and has no button", async () => {
  const context = await openContext({});
  await context.addInitScript("delete window.PushManager");
  const { page } = await openPage(context, "/status/alpha");
  await expect.poll(() => textOf(page, "#push-state")).toContain("приватном окне");
  expect(await page.locator("#push-one").isVisible()).toBe(false);
});

const HANGING = "PushManager.prototype.subscribe = () => new Promise(() => {})";
const failing = (name: string): string =>
  `PushManager.prototype.subscribe = () => Promise.reject(new DOMException("", "${name}"))`;

test.each([
  ["does not answer", HANGING, 20_000, "Подпишитесь на канал в Telegram или MAX"],
  ["fails", failing("AbortError"), 0, "Подпишитесь на канал в Telegram или MAX"],
  ["refuses", failing("NotAllowedError"), 0, "приватном окне"],
])("a visitor whose push service %s reads what to do", async (_, script, waitMs, expected) => {
  const context = await openContext({ permissions: ["notifications"] });
  await context.addInitScript(script);
  const page = await context.newPage();
  await page.clock.install();
  await page.goto(`${world.url}/status/alpha`);
  await page.locator("#push-one").press("Enter");
  if (waitMs > 0) {
    await expect.poll(() => textOf(page, "#push-state")).toBe("Включаем…");
    await page.clock.fastForward(waitMs);
  }
  await expect.poll(() => textOf(page, "#push-state")).toContain(expected);
  expect(await textOf(page, "#push-one")).toBe("Включить уведомления");
  expect(await visitors()).toEqual([]);
});

test("without a script the card has links only", async () => {
  const context = await openContext({ javaScriptEnabled: false });
  const { page } = await openPage(context, "/status/alpha");
  expect(await page.locator("#push").isVisible()).toBe(false);
  const links = await page.locator("section:has(#follow) .links a").allTextContents();
  expect(links.slice(0, 3)).toEqual(["Канал в Telegram", "Канал в MAX", "Лента изменений (Atom)"]);
});

test("the script of the switch is small, and only pages of services load it", async () => {
  const files = await world.one.published();
  expect((await readFile("dist/web/follow.js")).byteLength).toBeLessThan(6 * 1_024);
  const loading = [...files].filter(([, text]) => text.includes("/follow.js?v="));
  const pages = ["alpha", "beta", "gamma"].flatMap((slug) => [
    `en/status/${slug}`,
    `status/${slug}`,
  ]);
  const withoutSuffix = loading.map(([path]) => path.replace(/\.html$/u, ""));
  expect(withoutSuffix.toSorted()).toEqual(pages.toSorted());
});
