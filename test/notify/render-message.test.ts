import { describe, expect, test } from "vitest";
import type { Message, Notice } from "../../src/notify/rules/change.ts";
import {
  type ChannelMessage,
  type RenderContext,
  renderHtml,
  renderMessage,
  toPayload,
  toPlain,
} from "../../src/notify/services/render-message.ts";
import { T0 } from "../model/samples.ts";

const CONTEXT: RenderContext = {
  baseUrl: "https://a.ru",
  language: "en",
  nameOf: (slug) => `<${slug} & "co">`,
  changeOf: () => undefined,
};
const notice = (more: Partial<Notice> = {}): Notice => ({
  subject: "vk",
  before: "ok",
  after: "fail",
  sinceMs: T0 - 60_000,
  atMs: T0,
  changes: 1,
  ...more,
});
const message = (more: Partial<Message> = {}): Message => ({
  id: "vk.1",
  kind: "changed",
  notices: [notice()],
  atMs: T0,
  ...more,
});
const TEST: ChannelMessage = { kind: "test", id: "t", atMs: T0 };
const digest = message({ kind: "digest" });
const well = message({ notices: [notice({ before: "fail", after: "ok" })] });
const withOutage = { changeOf: () => ({ outage: "vk.202611291200" }) };

describe("a message leads", () => {
  test.each<[string, ChannelMessage, Partial<RenderContext>, string]>([
    ["to the page of its service", message(), {}, "https://a.ru/en/status/vk"],
    ["to that in Russian", message(), { language: "ru" }, "https://a.ru/status/vk"],
    ["to the first page from a digest", digest, {}, "https://a.ru/en/"],
    ["to the first page from a test", TEST, { language: "ru" }, "https://a.ru/"],
    ["nowhere from a test if the website is not known", TEST, { baseUrl: "" }, ""],
    ["to its service while it lasts", message(), withOutage, "https://a.ru/en/status/vk"],
    [
      "to its outage once it is over",
      well,
      withOutage,
      "https://a.ru/en/status/vk/outages/202611291200",
    ],
    ["to its service if the outage has no page", well, {}, "https://a.ru/en/status/vk"],
  ])("%s", (_, one, more, url) => {
    expect(renderMessage(one, { ...CONTEXT, ...more }, 1_000).url).toBe(url);
  });
});

test.each<[ChannelMessage["kind"], ChannelMessage, boolean]>([
  ["changed", message(), false],
  ["changed", well, true],
  ["digest", { ...digest, notices: [...well.notices, notice()] }, false],
  ["test", TEST, false],
])("a %s message is shown without a sound only if nothing in it is down", (_, one, isSilent) => {
  expect(renderMessage(one, CONTEXT, 1_000).isSilent).toBe(isSilent);
});

test("names cannot make tags, and plain text has them as they are", () => {
  const { html } = renderHtml(message(), CONTEXT, 4_000);
  expect(html).toContain("&lt;vk &amp; &quot;co&quot;&gt;");
  const [first = ""] = html.split("\n");
  expect(first).toMatch(/^<b>[^<>"]+<\/b>$/u);
  expect(html.split("\n").at(-1)).toMatch(
    /^<a href="https:\/\/a\.ru\/en\/status\/vk">[^<>]+<\/a>$/u,
  );
  const plain = toPlain(renderMessage(message(), CONTEXT, 4_000)).split("\n");
  expect(plain[0]).toContain('<vk & "co">');
  expect(plain.at(-1)).toBe("https://a.ru/en/status/vk");
  const test = toPlain(renderMessage(TEST, { ...CONTEXT, baseUrl: "" }, 4_000));
  expect(test).not.toMatch(/\n$/u);
  expect(renderHtml(TEST, { ...CONTEXT, baseUrl: "" }, 4_000).html).not.toContain("<a ");
});

test.each([700, 1_500, 4_000])("a digest of many fits into %i characters of HTML", (most) => {
  const notices = Array.from({ length: 80 }, (_, at) => notice({ subject: `"${at}"` }));
  const { html } = renderHtml({ ...digest, notices }, CONTEXT, most);
  expect(html.length).toBeLessThanOrEqual(most);
});

test("a webhook has an unknown code as none, and no page without a website", () => {
  const notices = [notice({ before: "of-tomorrow", after: "of-tomorrow", beganMs: T0 - 1_499 })];
  const known = { ...CONTEXT, nameOf: () => "VK" };
  expect(toPayload(message({ notices }), known)).toEqual({
    type: "service.changed",
    timestamp: new Date(T0).toISOString(),
    data: {
      page: "https://a.ru/en/",
      services: [
        {
          slug: "vk",
          name: "VK",
          before: "none",
          code: "none",
          color: expect.any(String),
          at: T0 / 1_000,
          troubleSeconds: 1,
          changes: 1,
          page: "https://a.ru/en/status/vk",
        },
      ],
    },
  });
  expect(toPayload(TEST, { ...known, baseUrl: "" })).toEqual({
    type: "channel.test",
    timestamp: new Date(T0).toISOString(),
    data: { services: [] },
  });
});
