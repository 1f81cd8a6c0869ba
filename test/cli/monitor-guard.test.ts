import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isFull } from "../depth.ts";
import { eventsNamed, type CliResult } from "./cli.ts";
import type { Workspace } from "./workspace.ts";
import { useCliFixture } from "./cli-fixture.ts";

const { workspace, internet } = useCliFixture(true);

const registry = (one: Workspace, url: string): Promise<void> =>
  writeFile(
    join(one.folder, "monitors.yaml"),
    `monitors:\n  - { id: shop, url: "${url}", public: true }\n`,
  );

/** Message and colour of the badge. */
async function badgeOf(one: Workspace): Promise<string> {
  const text = await readFile(join(one.folder, "public/api/m/shop/badge.json"), "utf8");
  const { message, color } = JSON.parse(text) as { message: string; color: string };
  return `${message} ${color}`;
}

const pageOf = (one: Workspace): Promise<string> =>
  readFile(join(one.folder, "public/en/m/shop.html"), "utf8");

const listOf = async (one: Workspace): Promise<string> =>
  (await one.cli(["monitor", "list"])).stdout.split("\n").slice(1).join("\n");

let names = 0;

/** A workspace with a monitor whose name is looked up in DNS, and where 127.0.0.1 may be connected to. */
async function lookedUp() {
  names += 1;
  const one = await workspace();
  const host = `led-away-${names}.example.ru`;
  const resolve = (...addresses: readonly string[]): void =>
    internet().setDns(host, { kind: "answer", addresses });
  resolve("127.0.0.1");
  await registry(one, `https://${host}/`);
  let minute = 0;
  /** Options of the next run, five minutes later. */
  const optionsOf = (...args: readonly string[]): readonly string[] => {
    const at = new Date(Date.UTC(2026, 10, 21, 12, (minute += 5))).toISOString();
    const dns = ["--dns", `127.0.0.1:${internet().dnsPort}`];
    const port = ["--connect-to", `${host}:443::${internet().tlsPort}`];
    return ["--at", at.replace(".000", ""), ...dns, ...port, ...args];
  };
  const run = (...args: readonly string[]): Promise<CliResult> =>
    one.run(["--log", "debug", ...optionsOf(...args)]);
  /** The same as a process, with the pretty log. */
  const runPretty = (...args: readonly string[]): Promise<CliResult> =>
    one.program(["run", ...one.options, ...optionsOf(...args), "--log", "pretty"]);
  const open = ["--allow-private", "127.0.0.1/32"] as const;
  return { one, host, resolve, run, runPretty, open };
}

const checks = ({ stdout }: CliResult): string =>
  /\| (\d+ monitors?: [^|]*) \|/u.exec(stdout)?.[1] ?? stdout;

describe("a healthy monitor", () => {
  test.skipIf(isFull)(
    "fails with a redirect to 127.0.0.1, which its badge shows, until it is back",
    async () => {
      const one = await workspace();
      await one.set("shop", { kind: "page" });
      await registry(one, `https://${one.host("shop")}/`);
      const run = (minute: number): Promise<CliResult> =>
        one.run(["--at", `2026-11-21T12:${minute}:00Z`, "--log", "debug"]);
      await run(10);
      expect(await badgeOf(one)).toMatch(/^100% /u);
      const green = await badgeOf(one);

      await one.set("shop", { kind: "redirect", to: "http://127.0.0.1/" });
      const led = await run(15);
      expect(checks(led)).toBe("1 monitor: 0 healthy, 1 failing");
      expect(eventsNamed(led.stderr, "monitors-finished")).toMatchObject([
        { healthy: 0, failing: 1, refused: 0 },
      ]);
      const refused = { level: "warn", count: 1, ids: ["shop"] };
      expect(eventsNamed(led.stderr, "monitors-newly-refused")).toMatchObject([refused]);
      expect(await badgeOf(one)).toMatch(/^50\.00% /u);
      expect((await badgeOf(one)).split(" ")[1]).not.toBe(green.split(" ")[1]);
      expect(await listOf(one)).toMatch(
        /shop +public +failing +2026-11-21 12:15 +50\.00% .*it redirects to an address that we do not open \[redirect-refused\]/u,
      );
      expect(await pageOf(one)).toMatch(
        /data-condition="failing"[^]*it redirects to an address that we do not open/u,
      );

      await one.set("shop", { kind: "page" });
      expect(checks(await run(20))).toBe("1 monitor: 1 healthy, 0 failing");
      expect(await badgeOf(one)).toMatch(/^66\.66% /u);
    },
  );

  test.skipIf(isFull)(
    "fails if its name leads to 10.0.0.1, which did not count before it was healthy",
    async () => {
      const { one, run, open, resolve } = await lookedUp();
      resolve("10.0.0.1");
      const never = await run(...open);
      expect(checks(never)).toBe("1 monitor: 0 healthy, 0 failing, 1 refused");
      expect(eventsNamed(never.stderr, "monitors-newly-refused")).toEqual([]);
      expect(await badgeOf(one)).toMatch(/^нет данных /u);
      expect(await listOf(one)).toMatch(/ refused .* - .*\[dns-special-address\]/u);

      resolve("127.0.0.1");
      expect(checks(await run(...open))).toBe("1 monitor: 1 healthy, 0 failing");
      expect(await badgeOf(one)).toMatch(/^100% /u);

      resolve("10.0.0.1");
      expect(checks(await run(...open))).toBe("1 monitor: 0 healthy, 1 failing");
      expect(await badgeOf(one)).toMatch(/^50\.00% /u);
      expect(await listOf(one)).toMatch(
        / failing .*DNS gave an address that no site on the internet can have \[dns-special-address\]/u,
      );
    },
  );

  test.runIf(isFull)(
    "fails in each run if its name leads to 10.0.0.1, and is logged once",
    async () => {
      const { one, run, open, resolve } = await lookedUp();
      await run(...open);
      resolve("10.0.0.1");
      const told = [];
      for (const _ of [1, 2, 3]) {
        const { stderr } = await run(...open);
        told.push(eventsNamed(stderr, "monitors-newly-refused").length);
      }
      expect(told).toEqual([1, 0, 0]);
      expect(await badgeOf(one)).toMatch(/^25\.00% /u);
    },
  );

  test.runIf(isFull)(
    "fails after an edit of its URL, because the record belongs to the id",
    async () => {
      const { one, host, run, open } = await lookedUp();
      await run(...open);
      const other = `edited-${host}`;
      internet().setDns(other, { kind: "answer", addresses: ["10.0.0.1"] });
      await registry(one, `https://${other}/`);
      expect(checks(await run(...open))).toBe("1 monitor: 0 healthy, 1 failing");
      expect(await badgeOf(one)).toMatch(/^50\.00% /u);
    },
  );

  test.runIf(isFull)("fails without --allow-private, with a warning", async () => {
    const { one, run, runPretty, open } = await lookedUp();
    await run(...open);
    const closed = await runPretty();
    expect(checks(closed)).toBe("1 monitor: 0 healthy, 1 failing");
    expect(closed.stderr).toContain(
      'Warning: monitors that were healthy lead to addresses, ports or redirects that are not checked, which counts as failing: shop. "monitor list" says why; --allow-private and --allow-port permit your own.\n',
    );
    expect(await badgeOf(one)).toMatch(/^50\.00% /u);
  });
});

describe("a name with public addresses and others", () => {
  test.skipIf(isFull)(
    "is healthy with a warning in the log, in the list and on the page",
    async () => {
      const { one, run, open, resolve } = await lookedUp();
      resolve("10.0.0.1", "127.0.0.1");
      const mixed = await run(...open);
      expect(checks(mixed)).toBe("1 monitor: 1 healthy, 0 failing");
      expect(eventsNamed(mixed.stderr, "monitors-mixed-addresses")).toMatchObject([
        { level: "warn", count: 1, ids: ["shop"] },
      ]);
      expect(await badgeOf(one)).toMatch(/^100% /u);
      expect(await listOf(one)).toMatch(
        / healthy .* DNS also gives addresses for its name that no site .*\[mixed-addresses\]/u,
      );
      expect(await pageOf(one)).toContain("it may not open for some visitors");
    },
  );

  test.runIf(isFull)("is logged once, and no longer shown with only public ones", async () => {
    const { one, run, open, resolve } = await lookedUp();
    resolve("10.0.0.1", "127.0.0.1");
    await run(...open);
    const again = await run(...open);
    expect(eventsNamed(again.stderr, "monitors-mixed-addresses")).toEqual([]);
    const rows: unknown = JSON.parse((await one.cli(["monitor", "list", "--json"])).stdout);
    expect(rows).toMatchObject([{ state: "healthy", warning: "mixed-addresses" }]);
    resolve("127.0.0.1");
    await run(...open);
    expect(await listOf(one)).not.toContain("mixed-addresses");
    expect(await pageOf(one)).not.toContain("it may not open for some visitors");
  });
});

describe("a resolver that lies about an anchor", () => {
  test.skipIf(isFull)(
    "is not trusted for monitors: the badge stays, and the log says why",
    async () => {
      const { one, run, open, resolve } = await lookedUp();
      await run(...open);
      resolve("10.0.0.1");
      await one.set("d1", { kind: "dns", dns: { kind: "answer", addresses: ["10.0.0.1"] } });
      const lied = await run(...open);
      expect(lied.code).toBe(0);
      expect(checks(lied)).toBe("1 monitor: 0 healthy, 0 failing, 1 skipped");
      expect(eventsNamed(lied.stderr, "resolver-not-trusted")).toMatchObject([
        { level: "warn", anchors: [`https://${one.host("d1")}/`], count: 1 },
      ]);
      expect(eventsNamed(lied.stderr, "monitors-newly-refused")).toEqual([]);
      expect(await badgeOf(one)).toMatch(/^100% /u);
    },
  );
});
