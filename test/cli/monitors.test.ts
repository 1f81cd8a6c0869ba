import { once } from "node:events";
import { appendFile, readFile, rm, stat, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { BADGE_NAMES } from "./badge-names.ts";
import { isFull } from "../depth.ts";
import { eventsNamed, until } from "./cli.ts";
import type { Workspace } from "./workspace.ts";
import { useCliFixture } from "./cli-fixture.ts";

const { workspace, internet } = useCliFixture(true);

/** Names of the published objects of a monitor. */
async function badgesOf(one: Workspace, id: string): Promise<readonly string[]> {
  const prefix = `api/m/${id}/`;
  return [...(await one.documents()).keys()]
    .filter((path) => path.startsWith(prefix))
    .map((path) => path.slice(prefix.length));
}

async function shown(one: Workspace, id: string): Promise<unknown> {
  const text = await readFile(join(one.folder, `public/api/m/${id}/badge.json`), "utf8");
  return JSON.parse(text);
}

const PUBLIC_REQUESTS = z.object({ read: z.number(), find: z.number(), write: z.number() });
const PUBLISHED = z.object({
  written: z.number(),
  requests: z.object({ public: PUBLIC_REQUESTS }).transform((requests) => requests.public),
});

const registry = (one: Workspace, text: string): Promise<void> =>
  writeFile(join(one.folder, "monitors.yaml"), text);

const at = (minutes: number): string =>
  new Date(Date.UTC(2026, 10, 21, 12, minutes)).toISOString().replace(".000", "");

/** Commands that only publish have fewer options than `run`. */
const PUBLISHING = ["--catalogue", "catalogue.json"];

describe("the life of a monitor", () => {
  test.skipIf(isFull)(
    "has badges before their URL is printed, and none after its removal",
    async () => {
      const one = await workspace();
      await one.set("shop", { kind: "page" });
      const url = `https://${one.host("shop")}/`;
      const added = await one.cli(
        [
          "monitor",
          "add",
          url,
          "--id",
          "shop",
          "--public",
          "--base-url",
          "https://x.example/",
        ].concat(PUBLISHING, ["--at", at(0)]),
      );
      expect(added).toMatchObject({ code: 0 });
      expect(added.stdout).toBe(
        `Added shop (${url}).\nBadge: https://x.example/api/m/shop/badge.svg\n`,
      );
      expect(await badgesOf(one, "shop")).toEqual(BADGE_NAMES);
      expect(await shown(one, "shop")).toMatchObject({ message: "нет данных" });

      const first = await one.run(["--at", at(5)]);
      expect(first.stdout).toContain("| 1 monitor: 1 healthy, 0 failing |");
      expect(await shown(one, "shop")).toMatchObject({ label: "аптайм", message: "100%" });

      await one.set("shop", { kind: "page", status: 404 });
      const second = await one.run(["--at", at(10)]);
      expect(second.stdout).toContain("| 1 monitor: 0 healthy, 1 failing |");
      expect(await shown(one, "shop")).toMatchObject({ message: "50.00%" });

      const again = await one.run(["--at", at(10)]);
      expect(again.stdout).toContain("0 removed");
      expect(await shown(one, "shop")).toMatchObject({ message: "50.00%" });

      const list = await one.cli(["monitor", "list"]);
      expect(list.stdout).toMatch(
        /^ID +PUBLIC +STATE +SINCE \(UTC\) +30 DAYS +URL +WHY\nshop +public +failing +2026-11-21 12:10 +50\.00% .*http-unexpected-status/u,
      );

      const off = await one.cli(["monitor", "unpublish", "shop", ...PUBLISHING, "--at", at(11)]);
      expect(off).toMatchObject({
        code: 0,
        stdout: "shop is not public: its badges are gone. It is still checked.\n",
      });
      expect(await badgesOf(one, "shop")).toEqual([]);

      await one.cli(["monitor", "publish", "shop", ...PUBLISHING, "--at", at(12)]);
      expect(await shown(one, "shop")).toMatchObject({ message: "50.00%" });

      expect(
        await one.cli(["monitor", "remove", "shop", ...PUBLISHING, "--at", at(13)]),
      ).toMatchObject({ code: 0 });
      expect(await badgesOf(one, "shop")).toEqual([]);
      expect((await one.cli(["monitor", "list"])).stdout).toBe(
        "The registry has no monitors. `status-snapshot monitor add URL` adds one.\n",
      );
    },
  );

  test.runIf(isFull)(
    "after a change of its id, the next run removes the objects of the old one",
    async () => {
      const one = await workspace();
      await one.set("shop", { kind: "page" });
      const entry = (id: string): string =>
        `monitors:\n  - { id: ${id}, url: "https://${one.host("shop")}/", public: true }\n`;
      await registry(one, entry("old"));
      await one.run(["--at", at(0)]);
      expect(await badgesOf(one, "old")).toEqual(BADGE_NAMES);
      await registry(one, entry("new"));
      await one.run(["--at", at(5)]);
      expect(await badgesOf(one, "old")).toEqual([]);
      expect(await badgesOf(one, "new")).toEqual(BADGE_NAMES);
    },
  );
});

/** Adds a host that accepts HTTP connections and never answers. Returns its connections. */
async function openGate(one: Workspace, name: string): Promise<ReadonlySet<Socket>> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => sockets.add(socket.on("error", () => undefined)));
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  // The address of a server on TCP that listens.
  const { port } = server.address() as AddressInfo;
  await appendFile(join(one.folder, "hosts.txt"), `\n${one.host(name)}:80:127.0.0.1:${port}`);
  return sockets;
}

/** Last change of each badge of a monitor in the file system. */
async function badgeTimes(one: Workspace, id: string): Promise<readonly number[]> {
  const folder = join(one.folder, "public/api/m", id);
  const files = BADGE_NAMES.map((name) => stat(join(folder, name)));
  return (await Promise.all(files)).map(({ ctimeMs }) => ctimeMs);
}

describe("an unchanged badge", () => {
  test.skipIf(isFull)("is not written", async () => {
    const one = await workspace();
    await one.set("shop", { kind: "page" });
    await registry(
      one,
      `monitors:\n  - { id: shop, url: "https://${one.host("shop")}/", public: true }\n`,
    );
    await one.run(["--at", at(0)]);
    const written = await badgeTimes(one, "shop");
    expect(await one.run(["--at", at(5)])).toMatchObject({ code: 0 });
    expect(await badgeTimes(one, "shop")).toEqual(written);
  });

  test.skipIf(isFull)("that is gone from a directory is back before its check ends", async () => {
    const one = await workspace();
    await one.set("shop", { kind: "page" });
    const url = `https://${one.host("shop")}/`;
    await registry(one, `monitors:\n  - { id: shop, url: "${url}", public: true }\n`);
    await one.run(["--at", at(0)]);
    await rm(join(one.folder, "public/api/m/shop/badge.svg"));
    const { stderr } = await one.run(["--at", at(5)]);
    expect(await badgesOf(one, "shop")).toEqual(BADGE_NAMES);
    const [withServices, withChecks] = z.array(PUBLISHED).parse(eventsNamed(stderr, "published"));
    expect(withServices?.requests.write).toBeGreaterThan(0);
    // Requests are counted from the start of the run: the second publish made none for what the first had looked at.
    expect(withChecks).toMatchObject({ written: 0, requests: withServices?.requests });
  });
});

describe("the expectations of a monitor", () => {
  test.skipIf(isFull)(
    "are statuses and a text of the body; a refused address is not down",
    async () => {
      const one = await workspace();
      for (const name of ["gone", "text", "other"]) {
        await one.set(name, {
          kind: "page",
          status: name === "gone" ? 410 : 200,
          body: "в наличии",
        });
      }
      const url = (name: string): string => `"https://${one.host(name)}/"`;
      await registry(
        one,
        [
          "monitors:",
          `  - { id: gone, url: ${url("gone")}, expect: [410], public: true }`,
          `  - { id: text, url: ${url("text")}, body: "в наличии", public: true }`,
          `  - { id: other, url: ${url("other")}, body: "нет такого", public: true }`,
          `  - { id: inside, url: "https://inside.example.ru/", public: true }`,
          "",
        ].join("\n"),
      );
      // The name has to come from DNS, so that the address guard applies.
      internet().setDns("inside.example.ru", { kind: "answer", addresses: ["127.0.0.1"] });
      const result = await one.run(["--at", at(0), "--dns", `127.0.0.1:${internet().dnsPort}`]);
      expect(result.stdout).toContain("| 4 monitors: 2 healthy, 1 failing, 1 refused |");
      expect(await shown(one, "inside")).toMatchObject({ message: "нет данных" });
      expect((await one.cli(["monitor", "list"])).stdout).toMatch(
        /inside .*refused.*dns-special-address/u,
      );
    },
  );
});

describe("an invalid registry", () => {
  test.skipIf(isFull)("as a whole: exit 2, nothing is probed", async () => {
    const one = await workspace();
    await registry(one, "monitors: [");
    const result = await one.run();
    expect(result.code).toBe(2);
    expect(result.stderr).toContain("monitors.yaml:");
    expect(one.allConnections()).toBe(0);
  });

  test.skipIf(isFull)("in one entry: a warning, and the others are checked", async () => {
    const one = await workspace();
    await one.set("shop", { kind: "page" });
    await registry(
      one,
      `monitors:\n  - { id: bad, url: "http://127.0.0.1/" }\n  - { id: shop, url: "https://${one.host("shop")}/" }\n`,
    );
    const result = await one.run();
    expect(result.code).toBe(0);
    expect(result.stdout).toContain("| 1 monitor: 1 healthy, 0 failing |");
    const [warning] = eventsNamed(result.stderr, "warning");
    expect(JSON.stringify(warning)).toContain("monitors.yaml:2:");
  });

  test.runIf(isFull)(
    "in an entry without an id: only a monitor that is removed by name is removed",
    async () => {
      const one = await workspace();
      const entry = (id: string): string =>
        `  - { id: ${id}, url: "https://${one.host(id)}/", public: true }\n`;
      for (const id of ["shop", "blog"]) await one.set(id, { kind: "page" });
      await registry(one, `monitors:\n${entry("shop")}${entry("blog")}`);
      await one.run(["--at", at(0)]);
      await registry(one, `monitors:\n  - { url: "https://x.example.ru/" }\n${entry("shop")}`);
      const removed = await one.cli(["monitor", "remove", "shop", ...PUBLISHING, "--at", at(1)]);
      expect(removed).toMatchObject({
        code: 0,
        stdout: "Removed shop: its history and badges are gone.\n",
      });
      expect(await badgesOf(one, "shop")).toEqual([]);
      expect(await badgesOf(one, "blog")).toEqual(BADGE_NAMES);
    },
  );

  test.runIf(isFull)(
    "emptied by mistake: the history of many monitors stays, until --force",
    async () => {
      const one = await workspace();
      const names = ["a", "b", "c", "d", "e"];
      for (const name of names) await one.set(name, { kind: "page" });
      const entries = names.map(
        (name) => `  - { id: ${name}, url: "https://${one.host(name)}/", public: true }`,
      );
      await registry(one, ["monitors:", ...entries, ""].join("\n"));
      await one.run(["--at", at(0)]);
      await registry(one, "monitors: []\n");
      const held = await one.run(["--at", at(5)]);
      expect(eventsNamed(held.stderr, "monitors-withheld")).toMatchObject([{ count: 5 }]);
      expect(await badgesOf(one, "e")).toEqual(BADGE_NAMES);
      await one.run(["--at", at(10), "--force"]);
      expect(await badgesOf(one, "e")).toEqual([]);
    },
  );
});

describe("an edit", () => {
  test.skipIf(isFull)("of another registry ignores the default one", async () => {
    const one = await workspace();
    await registry(one, "monitors: [");
    const added = await one.cli(
      ["monitor", "add", "https://example.ru/", "--monitors", "mine.jsonl"].concat(PUBLISHING),
    );
    expect(added).toMatchObject({ code: 0 });
    expect(await readFile(join(one.folder, "mine.jsonl"), "utf8")).toContain("example.ru");
  });

  test.runIf(isFull)("before the first run sets `updated` once", async () => {
    const one = await workspace();
    for (const minute of [1, 2, 3]) {
      await one.cli(
        ["monitor", "add", `https://m${minute}.example.ru/`].concat(PUBLISHING, [
          "--at",
          at(minute),
        ]),
      );
    }
    expect((await one.list()).updated).toBe(Date.parse(at(1)) / 1_000);
  });

  test.skipIf(isFull)("that is refused changes nothing, and says what to fix", async () => {
    const one = await workspace();
    const refused = await one.cli(["monitor", "add", "http://10.0.0.1/", ...PUBLISHING]);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain("10.0.0.1 is not an address of a public website");
    const unknown = await one.cli(["monitor", "publish", "shop", ...PUBLISHING]);
    expect(unknown).toMatchObject({ code: 2, stdout: "" });
    expect(await one.documents()).toEqual(new Map());
  });
});

describe("a slow monitor", () => {
  test.skipIf(isFull)(
    "does not delay the services, which are published before it ends",
    async () => {
      const one = await workspace();
      // Its server does not answer until the services are published.
      const waiting = await openGate(one, "slow");
      await registry(
        one,
        `monitors:\n  - { id: slow, url: "http://${one.host("slow")}/", timeoutMs: 20000, public: true }\n`,
      );
      const running = one.start(["run", ...one.options, "--at", at(0), "--log", "debug"]);
      await until("the check is under way", () => waiting.size > 0);
      await until("the services are published", () => running.stderr().includes('"published"'));
      for (const socket of waiting) socket.destroy();
      const result = await running.ended;
      expect(result.stdout).toContain("| 1 monitor: 0 healthy, 1 failing |");
      const names = result.stderr
        .split("\n")
        .flatMap((line) => /"event":"(published|monitors-finished)"/u.exec(line)?.[1] ?? []);
      expect(names).toEqual(["published", "monitors-finished", "published"]);
      expect(await shown(one, "slow")).toMatchObject({ message: "0.00%" });
    },
  );
});
