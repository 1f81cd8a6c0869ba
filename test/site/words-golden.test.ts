import { expect, test } from "vitest";
import { LANGUAGES } from "../../src/contract/codes/language.ts";
import {
  describeAlert,
  describeDigest,
  describeLink,
  describeNews,
  describeTest,
  type MonitorAlert,
  type ServiceNews,
} from "../../src/site/words/alert.ts";
import { ownerScriptWords } from "../../src/site/words/pages/owner-script.ts";
import { scriptWords } from "../../src/site/words/pages/script.ts";
import { NOW_MS } from "./site-fixture.ts";
import { readPlainExports } from "../plain-exports.ts";

test("every table of words is what it was, in both languages", async () => {
  const folder = new URL("../../src/site/words/", import.meta.url);
  const text = await readPlainExports(folder, () => true);
  await expect(text).toMatchFileSnapshot("golden/words.txt");
});

const ALERT: MonitorAlert = {
  kind: "changed",
  name: "Shop",
  after: "failing",
  code: "tcp-timeout",
  beforeMs: 4_000_000,
  changes: 3,
};
const NEWS: ServiceNews = { name: "VTB", before: "ok", code: "fail", atMs: NOW_MS, changes: 1 };
const OVER: ServiceNews = { ...NEWS, before: "fail", code: "ok" };

test("the words of scripts and of messages are what they were, in both languages", async () => {
  const texts = LANGUAGES.map((language) => ({
    script: scriptWords(language),
    owners: ownerScriptWords(language),
    alerts: [
      ALERT,
      { ...ALERT, after: "healthy" as const },
      { ...ALERT, kind: "flapping" as const },
      { ...ALERT, kind: "flapping" as const, after: "healthy" as const },
      { ...ALERT, kind: "added" as const },
    ].map((alert) => describeAlert(alert, language)),
    news: [NEWS, OVER, { ...OVER, beganMs: NOW_MS - 4_000_000 }, { ...NEWS, changes: 5 }].map(
      (news) => describeNews(news, language),
    ),
    digests: [1_000, 40].map((most) =>
      describeDigest([NEWS, { ...OVER, name: "Ozon" }, { ...NEWS, name: "MTS" }], language, most),
    ),
    test: describeTest(language),
    link: describeLink(language),
  }));
  await expect(`${JSON.stringify(texts, undefined, 1)}\n`).toMatchFileSnapshot(
    "golden/messages.txt",
  );
});
