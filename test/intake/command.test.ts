import { cp, mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { decodeState } from "../../src/state/codec/state.ts";
import { atDepth, isFull } from "../depth.ts";
import { until } from "../cli/cli.ts";
import {
  addressOf,
  type Posted,
  type RunningIntake,
  startIntake as startIntakeAt,
} from "../cli/running-intake.ts";
import type { Workspace } from "../cli/workspace.ts";
import { takeStateAway } from "../cli/take-state-away.ts";
import { useCliFixture } from "../cli/cli-fixture.ts";

const { workspace } = useCliFixture(!isFull);
const CATALOGUE = ["--catalogue", "catalogue.json"];
const BEHIND_PROXY = ["--set", "proxy=127.0.0.1"];
const JOURNAL = ["--set", "journal=journal"];
const MINUTE_MS = 60_000;
/** The start of a five-minute slot. */
const NOON = Date.parse("2026-11-01T12:00:00Z");

async function startIntake(one: Workspace, ...args: readonly string[]): Promise<RunningIntake> {
  const intake = await startIntakeAt([...CATALOGUE, ...args], { cwd: one.folder });
  onTestFinished(intake.kill);
  return intake;
}

/** A workspace with documents, and an intake behind a proxy. */
async function startBehindProxy(...args: readonly string[]) {
  const one = await workspace();
  expect(await one.run()).toMatchObject({ code: 0 });
  return { one, intake: await startIntake(one, ...BEHIND_PROXY, ...args) };
}

async function refresh(one: Workspace, atMs?: number): Promise<void> {
  const at = atMs === undefined ? [] : ["--at", new Date(atMs).toISOString()];
  expect(await one.cli(["refresh", ...CATALOGUE, ...at])).toMatchObject({ code: 0 });
}

const dayOf = async (one: Workspace, slug = "alpha"): Promise<number> =>
  (await one.detail(slug)).reportsDay;

/** All reports in the state, including duplicates, which the counts per network hide. */
async function rawOf(one: Workspace, slug: string): Promise<number> {
  const decoded = decodeState(await readFile(join(one.folder, ".state/state.json.gz")));
  if (decoded.kind !== "ok") throw new Error(decoded.message);
  const { minutes = [] } = decoded.value.reports.ledger.services.get(slug) ?? {};
  return minutes.reduce((sum, [, , raw]) => sum + raw, 0);
}

const statusesOf = (answers: readonly Posted[]): ReadonlySet<number> =>
  new Set(answers.map(({ status }) => status));

const inboxOf = (one: Workspace): Promise<readonly string[]> =>
  readdir(join(one.folder, ".state/inbox")).catch(() => []);

/** All output and files of the program as text, decompressed. */
async function readEverything(one: Workspace, intake: RunningIntake): Promise<string> {
  const entries = await readdir(one.folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = files.map(async ({ parentPath, name }) => {
    const bytes = await readFile(join(parentPath, name)).catch(() => Buffer.alloc(0));
    const isPacked = name.endsWith(".gz") && bytes.length > 0;
    return `${name}\n${(isPacked ? gunzipSync(bytes) : bytes).toString("latin1")}`;
  });
  return [intake.log(), ...(await Promise.all(texts))].join("\n");
}

/** Other forms of an address: without the last part, or its four bytes in hexadecimal. */
function spellingsOf(address: string): readonly string[] {
  const parts = address.split(".");
  const hex = parts.map((part) => Number(part).toString(16).padStart(2, "0")).join("");
  return [parts.slice(0, 3).join("."), hex];
}

async function expectNoAddress(
  one: Workspace,
  intake: RunningIntake,
  addresses: readonly string[],
): Promise<void> {
  const everything = (await readEverything(one, intake)).toLowerCase();
  const found = addresses.flatMap(spellingsOf).filter((text) => everything.includes(text));
  expect(found).toEqual([]);
}

test("a report is published in the detail soon after its 202, and the list stays", async () => {
  const { one, intake } = await startBehindProxy();
  const list = await one.list();
  for (let number = 1; number <= 3; number += 1) {
    const answer = await intake.post("alpha", { from: addressOf(number) });
    expect(answer.status).toBe(202);
    expect(JSON.parse(answer.body)).toEqual({
      slug: "alpha",
      reportsHour: number,
      reportsDay: number,
    });
    await until("it is published", async () => (await dayOf(one)) === number);
  }
  expect(await one.detail("alpha")).toMatchObject({ reportsHour: 3, reportsDay: 3, code: "ok" });
  expect(await one.detail("beta")).toMatchObject({ reportsHour: 0, reportsDay: 0 });
  expect(await one.list()).toEqual(list);
  expect(await intake.stop()).toBe(0);
  expect(await inboxOf(one)).toEqual([]);
  await refresh(one);
  expect(await dayOf(one)).toBe(3);
});

test("a plain form is redirected to the page; invalid reports are refused", async () => {
  const { one, intake } = await startBehindProxy();
  const form = {
    "Content-Type": "application/x-www-form-urlencoded",
    Accept: "text/html,application/xhtml+xml",
  };
  const from = addressOf(1);
  const sent = await intake.post("alpha", { from, headers: form, body: "symptom=slow" });
  expect(sent).toMatchObject({ status: 303, headers: { location: "/status/alpha#reported" } });
  expect(await intake.post("omega", { from })).toMatchObject({ status: 404 });
  expect(await intake.post("alpha", { from, body: "x".repeat(1_025) })).toMatchObject({
    status: 413,
  });
  const foreign = { Origin: "https://elsewhere.example" };
  expect(await intake.post("alpha", { from, headers: foreign })).toMatchObject({ status: 403 });
  await until("the form is published", async () => (await dayOf(one)) === 1);
});

test.runIf(isFull)(
  "a plain form is redirected below the path of the website, in its language",
  async () => {
    const { intake } = await startBehindProxy(
      "--base-url",
      "https://status.example.ru/status-site/",
    );
    const headers = {
      "Content-Type": "application/x-www-form-urlencoded",
      Accept: "text/html",
      Origin: "https://status.example.ru",
    };
    const led = async (body: string) =>
      (await intake.post("alpha", { from: addressOf(1), headers, body })).headers.location;
    expect(await led("")).toBe("/status-site/status/alpha#reported");
    expect(await led("language=en")).toBe("/status-site/en/status/alpha#reported");
    expect(intake.log()).not.toContain("--base-url");
  },
);

/** With many more: `test/system/reports-flood.test.ts`. */
const POSTS = 1_500;
const OTHERS = 31;

test.skipIf(isFull)(
  `${POSTS} posts from one address count once, and do not delay other clients`,
  async () => {
    // With a journal, because a flood can delay a write to the inbox until the report is refused.
    const { one, intake } = await startBehindProxy(...JOURNAL);
    const angry: Promise<Posted>[] = [];
    const others: Promise<Posted>[] = [];
    for (let number = 0; number < POSTS; number += 1) {
      angry.push(intake.post("alpha", { from: "198.51.100.7" }));
      if (number % Math.ceil(POSTS / OTHERS) !== 0) continue;
      const slug = others.length < 20 ? "alpha" : "beta";
      others.push(intake.post(slug, { from: addressOf(others.length) }));
    }
    const answers = await Promise.all(angry);
    expect(statusesOf(answers)).toEqual(new Set([202, 429]));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(POSTS / 2);
    expect(refused.every(({ headers }) => Number(headers["retry-after"]) >= 1)).toBe(true);
    expect(statusesOf(await Promise.all(others))).toEqual(new Set([202]));
    // The documents of one publish are written concurrently.
    await until("those of alpha are published", async () => (await dayOf(one)) === 21);
    await until("those of beta are published", async () => (await dayOf(one, "beta")) === 11);
    await intake.stop();
    await refresh(one);
    expect([await dayOf(one), await dayOf(one, "beta")]).toEqual([21, 11]);
  },
);

test.runIf(isFull)("X-Forwarded-For is trusted only behind a configured proxy", async () => {
  const one = await workspace();
  const open = await startIntake(one);
  for (const number of [1, 2, 3]) {
    expect(await open.post("alpha", { from: addressOf(number) })).toMatchObject({ status: 202 });
  }
  await open.stop();
  await refresh(one);
  expect(await dayOf(one)).toBe(1);
  const behind = await startIntake(one, ...BEHIND_PROXY);
  for (const number of [1, 2, 3]) {
    // The client has invented the left entry.
    const from = `203.0.113.${number}, ${addressOf(number)}`;
    expect(await behind.post("beta", { from })).toMatchObject({ status: 202 });
    await behind.post("beta", { from: `192.0.2.${number}, ${addressOf(number)}` });
  }
  await behind.stop();
  await refresh(one);
  expect(await dayOf(one, "beta")).toBe(3);
});

test("kill -9 after a 202 loses no report, counts none twice, and leaks no address", async () => {
  const one = await workspace();
  const addresses: string[] = [];
  for (let round = 1; round <= atDepth(1, 4); round += 1) {
    const intake = await startIntake(one, ...BEHIND_PROXY, ...JOURNAL);
    const from = addressOf(round);
    addresses.push(from);
    const answer = await intake.post("alpha", { from });
    await intake.kill();
    expect(answer.status).toBe(202);
    await expectNoAddress(one, intake, addresses);
    // An object that is written again after a lost answer must not count twice.
    const left = await inboxOf(one);
    await mkdir(join(one.folder, "copy"), { recursive: true });
    for (const name of left) {
      await cp(join(one.folder, ".state/inbox", name), join(one.folder, "copy", name));
    }
    await refresh(one);
    expect({ round, day: await dayOf(one) }).toEqual({ round, day: round });
    expect(await inboxOf(one)).toEqual([]);
    await mkdir(join(one.folder, ".state/inbox"), { recursive: true });
    for (const name of left) {
      await cp(join(one.folder, "copy", name), join(one.folder, ".state/inbox", name));
    }
    await refresh(one);
    expect({ round, day: await dayOf(one) }).toEqual({ round, day: round });
    expect({ round, raw: await rawOf(one, "alpha") }).toEqual({ round, raw: round });
    expect(await inboxOf(one)).toEqual([]);
  }
});

test("reports in the journal while the store is down count once, even after kill -9", async () => {
  const { one, intake } = await startBehindProxy(...JOURNAL);
  const addresses = Array.from({ length: 20 }, (_, number) => addressOf(number));
  const send = (to: RunningIntake, from: number, until_: number): Promise<readonly Posted[]> =>
    Promise.all(addresses.slice(from, until_).map((one_) => to.post("alpha", { from: one_ })));
  const giveBack = await takeStateAway(one);
  expect(statusesOf(await send(intake, 0, 10))).toEqual(new Set([202]));
  expect(await intake.health()).toMatchObject({ keeping: "journal", journalReports: 10 });
  await expectNoAddress(one, intake, addresses);
  await giveBack();
  await until("the journal is counted", async () => (await dayOf(one)) === 10);
  const giveBackAgain = await takeStateAway(one);
  expect(statusesOf(await send(intake, 10, 20))).toEqual(new Set([202]));
  await intake.kill();
  await giveBackAgain();
  const next = await startIntake(one, ...BEHIND_PROXY, ...JOURNAL);
  await until("the journal of the killed intake is counted", async () => (await dayOf(one)) === 20);
  await until("the journal is empty", async () => {
    const { journalReports } = Object(await next.health());
    return journalReports === 0;
  });
  await next.stop();
  await refresh(one);
  expect(await rawOf(one, "alpha")).toBe(20);
  expect(await one.detail("alpha")).toMatchObject({ reportsHour: 20, reportsDay: 20 });
  await expectNoAddress(one, intake, addresses);
});

test("`report add` counts the given number of reports at the given time", async () => {
  const one = await workspace();
  await refresh(one);
  const add = (...args: readonly string[]) =>
    one.cli(["report", "add", "alpha", ...CATALOGUE, ...args]);
  const now = await add("--count", "3", "--symptom", "login");
  expect(now).toMatchObject({ code: 0 });
  expect(now.stdout).toContain("Counted 3 of alpha: 3 in the last hour, 3 in the last 24 hours.");
  expect(await one.detail("alpha")).toMatchObject({ reportsHour: 3, reportsDay: 3 });
  const twoHoursAgo = new Date(Date.now() - 120 * MINUTE_MS).toISOString();
  expect(await add("--count", "5", "--at", twoHoursAgo)).toMatchObject({ code: 0 });
  await refresh(one);
  expect(await one.detail("alpha")).toMatchObject({ reportsHour: 3, reportsDay: 8 });
  const wrong = await one.cli(["report", "add", "alhpa", ...CATALOGUE, "--count", "0"]);
  expect(wrong).toMatchObject({ code: 2 });
  expect(wrong.stderr).toContain("--count 0");
  expect(wrong.stderr).toContain("alhpa");
});

test("many networks of one owner raise the published counts by 15 in an hour", async () => {
  const { one, intake } = await startBehindProxy();
  const owners = {
    alpha: (n: number) => `2a00:1fa0:${n.toString(16)}::9`,
    beta: (n: number) => `128.7.${n}.9`,
  };
  const expectShare = (count: number, others = 0): void => {
    expect(count).toBeGreaterThanOrEqual(15 + others);
    // The hour may end meanwhile, and the next one counts from zero.
    expect(count).toBeLessThanOrEqual(30 + others);
  };
  const hourIn = ({ body }: Posted): number => JSON.parse(body).reportsHour;
  for (const [slug, addressOfOwner] of Object.entries(owners)) {
    const numbers = Array.from({ length: 90 }, (_, place) => place);
    const answers = await Promise.all(
      numbers.map((n) => intake.post(slug, { from: addressOfOwner(n) })),
    );
    expect(statusesOf(answers)).toEqual(new Set([202]));
    expectShare(Math.max(...answers.map(hourIn)));
    await until("all are counted", async () => (await rawOf(one, slug)) === numbers.length);
    await until("it is published", async () => (await dayOf(one, slug)) >= 15);
    const { reportsHour, reportsDay } = await one.detail(slug);
    expectShare(reportsHour);
    expect(reportsDay).toBe(reportsHour);
  }
  const at = new Date().toISOString();
  const explained = await one.cli(["explain", "alpha", ...CATALOGUE, "--at", at]);
  expect(explained.stdout).toMatch(/Not counted in the last hour: [67]\d networks of a block/u);
  expectShare(hourIn(await intake.post("alpha", { from: addressOf(1) })), 1);
});

test.runIf(isFull)(
  "a surge of reports makes the verdict a live spike, and its end reverts it",
  async () => {
    const one = await workspace();
    const at = (minutes: number): string => new Date(NOON + minutes * MINUTE_MS).toISOString();
    expect(await one.run(["--at", at(-5)])).toMatchObject({ code: 0 });
    const { updated } = await one.list();
    const add = (slug: string, count: number, minutes: number) =>
      one.cli(["report", "add", slug, ...CATALOGUE, "--count", String(count), "--at", at(minutes)]);
    // A service without seven days of history needs 15 networks.
    expect(await add("alpha", 20, -2)).toMatchObject({ code: 0 });
    expect(await add("beta", 14, -2)).toMatchObject({ code: 0 });
    expect(await one.codes()).toEqual({ alpha: "ok", beta: "ok", gamma: "ok" });
    await refresh(one, NOON + 1_000);
    const during = await one.list();
    expect(during).toMatchObject({
      updated,
      services: [
        { slug: "alpha", code: "spike", live: true },
        { slug: "beta", code: "ok", live: false },
        { slug: "gamma", code: "ok", live: false },
      ],
    });
    expect(await one.detail("alpha")).toMatchObject({ code: "spike", live: true, reportsHour: 20 });
    const explain = (minutes: number) =>
      one.cli(["explain", "alpha", "--catalogue", "catalogue.json", "--at", at(minutes)]);
    expect((await explain(1)).stdout).toContain(
      "Last 15 minutes evaluated: 20 networks in 20 blocks",
    );
    await refresh(one, NOON + 12 * MINUTE_MS);
    expect(await one.codes()).toMatchObject({ alpha: "spike" });
    // Without a new run the measurement would be too old after 20 minutes.
    expect(await one.run(["--at", at(15)])).toMatchObject({ code: 0 });
    expect(await one.codes()).toMatchObject({ alpha: "spike" });
    const { updated: later } = await one.list();
    await refresh(one, NOON + 25 * MINUTE_MS);
    expect(await one.codes()).toEqual({ alpha: "ok", beta: "ok", gamma: "ok" });
    expect(await one.detail("alpha")).toMatchObject({ live: false, reportsHour: 20 });
    await refresh(one, NOON + 70 * MINUTE_MS);
    expect(await one.detail("alpha")).toMatchObject({ reportsHour: 0, reportsDay: 20 });
    expect((await one.list()).updated).toBe(later);
  },
);

test.runIf(isFull)("the pages follow the documents when reports have ended", async () => {
  const { one, intake } = await startBehindProxy();
  for (const number of [1, 2, 3]) {
    expect(await intake.post("alpha", { from: addressOf(number) })).toMatchObject({ status: 202 });
  }
  const hourOnPage = async (): Promise<string | undefined> => {
    const page = (await one.published()).get("en/status/alpha.html") ?? "";
    return /data-hour="(?<hour>\d+)"/u.exec(page)?.groups?.["hour"];
  };
  await until("the page counts them", async () => (await hourOnPage()) === "3");
  expect(await dayOf(one)).toBe(3);
});
