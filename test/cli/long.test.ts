import { rename, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { inboxKey, encodeInbox } from "../../src/state/inbox.ts";
import { createDirectoryStore } from "../../src/store/directory.ts";
import { isFull } from "../depth.ts";
import { eventsNamed, problemsOf, servedAt, until } from "./cli.ts";
import { useCliFixture } from "./cli-fixture.ts";

const { workspace } = useCliFixture(!isFull);

const published = (stderr: string): number =>
  stderr.split("\n").filter((line) => line.includes('"event":"published"')).length;

describe("watch", () => {
  test("runs every period, continues after a store fault, and ends with 0 on SIGTERM", async () => {
    const one = await workspace();
    const running = one.start(["watch", ...one.options, "--every", "1"]);
    await until("it has published twice", () => published(running.stderr()) >= 2);
    await rename(join(one.folder, "public"), join(one.folder, "away"));
    await writeFile(join(one.folder, "public"), "a file where the folder was");
    await until("a round failed", () => running.stderr().includes('"event":"failed"'));
    await rename(join(one.folder, "public"), join(one.folder, "wall"));
    await rename(join(one.folder, "away"), join(one.folder, "public"));
    const before = published(running.stderr());
    await until("it publishes again", () => published(running.stderr()) > before);
    running.child.kill("SIGTERM");
    const result = await running.ended;
    expect(result).toMatchObject({ code: 0 });
    expect(result.stderr).not.toMatch(/^ +at /mu);
    expect((await one.list()).services).toHaveLength(3);
  });

  test("stopped while it probes, it ends and leaves what was published as it was", async () => {
    const one = await workspace();
    await one.run();
    const before = await one.documents();
    await one.set("beta", { kind: "http-silence" });
    const asked = one.connections("beta");
    const running = one.start(["watch", ...one.options, "--every", "60"]);
    await until("it waits for beta", () => one.connections("beta") > asked);
    running.child.kill("SIGTERM");
    const result = await running.ended;
    expect(result).toMatchObject({ code: 0 });
    // The run must not have waited for the answer of beta.
    expect(eventsNamed(result.stderr, "run-stopped")).toHaveLength(1);
    expect(await one.documents()).toEqual(before);
  });

  test("publishes reports between its runs, keeps `updated`, and tells of a failure", async () => {
    const one = await workspace();
    const running = one.start(["watch", ...one.options, "--every", "3600"]);
    await until("it has published", () => published(running.stderr()) >= 1);
    const { updated } = await one.list();
    const report = { slug: "beta", atMs: Date.now(), network: "n", block: "b" };
    const object = { contentType: "application/json", cacheControl: "no-store" };
    const store = createDirectoryStore(join(one.folder, ".state"), { role: "private" });
    await store.write(inboxKey("1-x"), { ...object, body: encodeInbox([report]) });
    await until("it has published again", () => published(running.stderr()) >= 2);
    expect(await one.detail("beta")).toMatchObject({ reportsHour: 1, reportsDay: 1 });
    expect((await one.list()).updated).toBe(updated);
    await rename(join(one.folder, "public"), join(one.folder, "away"));
    await writeFile(join(one.folder, "public"), "a file where the folder was");
    await store.write(inboxKey("2-x"), { ...object, body: encodeInbox([report]) });
    const told = (): string => String(eventsNamed(running.stderr(), "warning").at(-1)?.["message"]);
    await until("it has failed", () =>
      told().startsWith("Reports could not be published: file:public"),
    );
    running.child.kill("SIGTERM");
    expect(await running.ended).toMatchObject({ code: 0 });
  });

  test("a stopped run is exit 1, because it published nothing", async () => {
    const one = await workspace();
    await one.set("beta", { kind: "http-silence" });
    const running = one.start(["run", ...one.options]);
    await until("it waits for beta", () => one.connections("beta") > 0);
    running.child.kill("SIGINT");
    expect(await running.ended).toMatchObject({ code: 1, stdout: "" });
    expect((await one.published()).size).toBe(0);
  });

  test("stopped while it publishes, it finishes the publication", async () => {
    const one = await workspace();
    const running = one.start(["run", ...one.options]);
    // The state is saved right before the documents; from then on a stop must not interrupt the publication.
    await until("the state is saved", () => one.hasState());
    running.child.kill("SIGTERM");
    expect(await running.ended).toMatchObject({ code: 0 });
    expect((await one.documents()).size).toBe(4);
  });

  test.each(["0", "soon", "1e9", "99999999999"])("--every %s is refused", async (every) => {
    const one = await workspace();
    const result = await one.cli([
      "watch",
      ...one.options,
      "--every",
      every,
      "--set",
      "deadline=0",
    ]);
    expect(result).toMatchObject({ code: 2 });
    expect(problemsOf(result.stderr)).toHaveLength(2);
    expect(one.allConnections()).toBe(0);
  });
});

describe("serve", () => {
  test("prints its URL, answers, and ends with exit 0 on SIGTERM", async () => {
    const one = await workspace();
    await one.run();
    const running = one.start(["serve", "--port", "0"]);
    const url = await servedAt(running);
    const answer = await fetch(`${url}/api/v1/status`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(await answer.json()).toEqual(await one.list());
    running.child.kill("SIGTERM");
    expect(await running.ended).toMatchObject({
      code: 0,
      stdout: `Serving file:public at ${url}, website and API\nTry ${url}/ and ${url}/api/v1/status (Ctrl-C stops)\n`,
      stderr: "",
    });
  });

  test("says what to do when nothing is published yet", async () => {
    const one = await workspace();
    const running = one.start(["serve", "--port", "0"]);
    await until("it warns", () => running.stderr().includes("\n"));
    running.child.kill("SIGTERM");
    const { code, stderr } = await running.ended;
    expect(code).toBe(0);
    expect(eventsNamed(stderr, "warning")).toMatchObject([
      {
        message:
          "nothing is published in file:public yet, so every answer is 404. Run `status-snapshot run` with the same --store; what it publishes shows at once.",
      },
    ]);
  });

  test("a port in use is exit 1, and an invalid port exit 2", async () => {
    const one = await workspace();
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const taken = await one.cli(["serve", "--port", String(port)]);
    server.close();
    expect(taken).toMatchObject({ code: 1, stdout: "" });
    expect(String(eventsNamed(taken.stderr, "failed")[0]?.["message"])).toContain(
      "another program",
    );
    const bad = await one.cli(["serve", "--port", "65536", "--store", "public"]);
    expect(bad).toMatchObject({ code: 2 });
    expect(problemsOf(bad.stderr)).toHaveLength(2);
  });
});
