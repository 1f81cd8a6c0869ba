import { expect, test } from "vitest";
import { isFull } from "../depth.ts";
import { eventsNamed } from "./cli.ts";
import { type Workspace, named } from "./workspace.ts";
import { useCliFixture } from "./cli-fixture.ts";

const { workspace } = useCliFixture(true);

const at = (minute: number): string =>
  new Date(Date.UTC(2026, 10, 1, 12, minute)).toISOString().replace(".000", "");

async function runAt(one: Workspace, minute: number) {
  const result = await one.run(["--at", at(minute)]);
  expect(result).toMatchObject({ code: 0 });
  return result;
}

async function explain(one: Workspace, slug: string, minute: number): Promise<string> {
  const args = ["explain", slug, "--catalogue", "catalogue.json", "--at", at(minute)];
  return (await one.cli(args)).stdout;
}

const BANK = [
  {
    slug: "bank",
    endpoints: [{ host: "main" }, { host: "online", critical: true }, { host: "cdn" }],
  },
];

test.skipIf(isFull)(
  "a failing critical endpoint is an outage although the main site works",
  async () => {
    const one = await workspace(BANK);
    await runAt(one, 0);
    await one.set("online", { kind: "tcp-refused" });
    await runAt(one, 5);
    expect(await explain(one, "bank", 5)).toContain("one endpoint fails while the others");
    expect(await one.codes()).toEqual({ bank: "ok" });
    await runAt(one, 10);
    expect(await one.codes()).toEqual({ bank: "fail" });
    expect(await explain(one, "bank", 10)).toMatch(
      /\(site online, critical\)\n +the server refused the connection \[tcp-refused\]/u,
    );
  },
);

test.skipIf(isFull)(
  "a maintenance page with a 200 is an outage, a page that mentions it is not",
  async () => {
    const one = await workspace(BANK);
    const page = (body: string) =>
      ({ kind: "page", body, headers: { "content-type": "text/html; charset=utf-8" } }) as const;
    await one.set(
      "online",
      page("<title>Вход</title><p>Ведутся технические работы.</p><form><input></form>"),
    );
    await runAt(one, 0);
    expect(await one.codes()).toEqual({ bank: "ok" });
    await one.set("online", page("<title>Технические работы</title><h1>Скоро вернёмся</h1>"));
    await runAt(one, 5);
    expect(await one.codes()).toEqual({ bank: "fail" });
    expect(await explain(one, "bank", 5)).toMatch(
      /\(site online, critical\)\n +the page says that maintenance is under way/u,
    );
  },
);

test.runIf(isFull)(
  "an outage that alternates between 502 and silence has one beginning",
  async () => {
    const one = await workspace(BANK);
    await runAt(one, 0);
    const since: unknown[] = [];
    for (const [minute, kind] of [
      [5, "tcp-refused"],
      [10, "page"],
      [15, "tls-close"],
    ] as const) {
      await one.set("online", kind === "page" ? { kind, status: 502 } : { kind });
      await runAt(one, minute);
      since.push([(await one.detail("bank")).code, (await one.detail("bank")).since]);
    }
    const beganAt = Date.parse(at(5)) / 1_000;
    // The first failure is held for one run; the second has its beginning.
    expect(since).toEqual([
      ["ok", Date.parse(at(0)) / 1_000],
      ["err", beganAt],
      ["fail", beganAt],
    ]);
    expect(await explain(one, "bank", 15)).toContain(
      `since is ${at(5)}: the checks have found it down from then on`,
    );
  },
);

test.skipIf(isFull)(
  "failures that begin together are held, and published in the second run",
  async () => {
    const slugs = ["alpha", "beta", "gamma", "delta"];
    const one = await workspace(named(...slugs));
    const all = (code: string) => Object.fromEntries(slugs.map((slug) => [slug, code]));
    await runAt(one, 0);
    for (const slug of slugs) await one.set(slug, { kind: "tcp-refused" });
    const held = await runAt(one, 5);
    expect(await one.codes()).toEqual(all("ok"));
    expect(held.stdout).toContain(`Failures held, not published yet: ${slugs.join(", ")}.`);
    expect(eventsNamed(held.stderr, "failures-held")).toMatchObject([
      { level: "warn", slugs, causes: ["common-cause"] },
    ]);
    const why = await explain(one, "alpha", 5);
    expect(why).toContain(`A failure is held: "failing" since ${at(5)}, one run has found it`);
    expect(why).toContain("4 services failed together, more than chance explains");
    await runAt(one, 10);
    expect(await one.codes()).toEqual(all("fail"));
    expect(await one.detail("alpha")).toMatchObject({ since: Date.parse(at(5)) / 1_000 });
    // All sites of the simulated internet have one address.
    expect(await explain(one, "alpha", 10)).toContain(
      "It is down or slow together with others that share a cause: the network 127.0.0.0/16.",
    );
  },
);

test.runIf(isFull)(
  "a failure while half of the domestic networks are cut is held, then none",
  async () => {
    const one = await workspace(named("alpha", "beta"));
    await runAt(one, 0);
    for (const host of ["d1", "d2", "alpha"]) await one.set(host, { kind: "tcp-refused" });
    const codes: unknown[] = [];
    for (const minute of [5, 10, 15, 20]) {
      await runAt(one, minute);
      codes.push((await one.codes())["alpha"]);
    }
    expect(codes).toEqual(["ok", "ok", "ok", "none"]);
    expect(await one.codes()).toMatchObject({ beta: "ok" });
    expect(await explain(one, "alpha", 20)).toContain(
      "Why: the runner reaches only a part of the domestic networks.",
    );
    for (const host of ["d1", "d2"]) await one.set(host, { kind: "page" });
    await runAt(one, 25);
    expect(await one.detail("alpha")).toMatchObject({
      code: "fail",
      since: Date.parse(at(5)) / 1_000,
    });
  },
);

test.skipIf(isFull)(
  "an endpoint that has never answered does not count, and is named",
  async () => {
    const one = await workspace(BANK);
    await one.set("cdn", { kind: "tcp-refused" });
    const result = await runAt(one, 0);
    expect(await one.codes()).toEqual({ bank: "ok" });
    const url = `https://${one.host("cdn")}/`;
    expect(result.stdout).toContain(`Never healthy, and not counted: ${url}.`);
    expect(await explain(one, "bank", 0)).toContain(`${url} does not count: it has never answered`);
    const doctor = await one.cli(["doctor", "--catalogue", "catalogue.json"]);
    expect(doctor.stdout).toMatch(
      new RegExp(`warn +endpoints that count +not counted: ${url}`, "u"),
    );
  },
);

test.skipIf(isFull)("an audit needs a day of runs, and then proposes lines", async () => {
  const one = await workspace(BANK);
  const audit = (...args: readonly string[]) =>
    one.cli(["catalogue", "audit", "--catalogue", "catalogue.json", ...args]);
  await one.set("cdn", { kind: "redirect-loop" });
  await runAt(one, 0);
  const early = await audit();
  expect(early).toMatchObject({ code: 0 });
  expect(early.stdout).toContain("An audit needs two of them");
  await runAt(one, 24 * 60);
  const found = await audit();
  expect(found).toMatchObject({ code: 0 });
  expect(found.stdout).toContain(`bank: https://${one.host("cdn")}/`);
  expect(found.stdout).toContain("      redirects: answer");
  expect(JSON.parse((await audit("--json")).stdout)).toMatchObject({
    kind: "audited",
    runs: 2,
    findings: expect.arrayContaining([expect.objectContaining({ kind: "unproven", slug: "bank" })]),
  });
  expect(await audit("--state", "s3://")).toMatchObject({ code: 2 });
});
