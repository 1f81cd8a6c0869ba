import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { type CliResult, eventsNamed } from "./cli.ts";
import { useCliFixture } from "./cli-fixture.ts";
import { startLoopbackS3, type LoopbackS3 } from "./loopback-s3.ts";

const { workspace } = useCliFixture(true);

const ADDRESS = "https://status.example/sub";

/** A workspace that publishes to a bucket, and its public objects. */
async function openBucket() {
  const [one, s3] = [await workspace(), await startLoopbackS3()];
  const stores = ["--store", s3.url("public"), "--state", s3.url("state"), "--log", "debug"];
  const publicKeys = (): readonly string[] =>
    [...s3.objects.keys()].filter((key) => key.startsWith("public/"));
  return {
    one,
    s3,
    run: (...args: readonly string[]) => one.run([...stores, ...args], s3.env),
    refresh: (...args: readonly string[]) =>
      one.cli(["refresh", "--catalogue", "catalogue.json", ...stores, ...args], s3.env),
    // The evidence names no address, so it needs none.
    pages: () =>
      publicKeys().filter(
        (key) =>
          !/^public\/(?:api|evidence|history|changes|accuracy|operators|archive)\/|^public\/metrics$/u.test(
            key,
          ),
      ),
    documents: () => publicKeys().filter((key) => key.startsWith("public/api/")),
    page: () => s3.objects.get("public/index.html")?.toString() ?? "",
  };
}

function doubtsIn(result: CliResult) {
  expect(result.code).toBe(0);
  return eventsNamed(result.stderr, "site-without-address");
}

/** Publishes like an old version, which assumed an address if none was given. */
function forgetAddress({ objects }: LoopbackS3): void {
  const state = JSON.parse(gunzipSync(objects.get("state/state.json.gz") ?? "").toString());
  expect(state.baseUrl).toBe("http://127.0.0.1:8080");
  objects.set("state/state.json.gz", gzipSync(JSON.stringify({ ...state, baseUrl: null })));
}

test("without an address a bucket gets no pages, and each command warns once", async () => {
  const { run, refresh, pages, documents, one } = await openBucket();
  const line = JSON.stringify({ id: "shop", url: `https://${one.host("alpha")}/`, public: true });
  await writeFile(join(one.folder, "monitors.jsonl"), `${line}\n`);
  for (const result of [
    await run("--monitors", "monitors.jsonl"),
    await run("--monitors", "monitors.jsonl"),
    await refresh("--monitors", "monitors.jsonl"),
  ]) {
    expect(doubtsIn(result)).toMatchObject([{ level: "warn", assumedUrl: null }]);
  }
  expect(pages()).toEqual([]);
  expect(documents()).toContain("public/api/v1/status/alpha");
  expect(documents()).toContain("public/api/m/shop/badge.svg");
});

test("an address that was given once is kept, and the website is published", async () => {
  const { run, refresh, pages, page } = await openBucket();
  expect(doubtsIn(await run())).toHaveLength(1);
  expect(doubtsIn(await refresh("--base-url", ADDRESS))).toEqual([]);
  expect(pages()).toEqual(expect.arrayContaining(["public/index.html", "public/sitemap.xml"]));
  expect(doubtsIn(await run())).toEqual([]);
  expect(page()).toContain(`<link rel="canonical" href="${ADDRESS}/"/>`);
});

test("a website with an assumed address keeps it, with a warning, until one is given", async () => {
  const { s3, run, refresh, pages, page } = await openBucket();
  expect(doubtsIn(await refresh("--base-url", "http://127.0.0.1:8080"))).toEqual([]);
  forgetAddress(s3);
  const before = pages();
  expect(before.length).toBeGreaterThan(20);
  expect(doubtsIn(await run())).toMatchObject([{ assumedUrl: "http://127.0.0.1:8080" }]);
  // The second publish draws pictures.
  expect(pages()).toEqual(expect.arrayContaining([...before]));
  // The pages show the new run.
  expect(page()).toContain("beta");
  expect(s3.objects.get("public/status/alpha")?.toString()).toContain('data-code="ok"');
  expect(doubtsIn(await run("--base-url", ADDRESS))).toEqual([]);
  expect(page()).not.toContain("127.0.0.1");
});

test("a folder needs no address", async () => {
  const one = await workspace();
  expect(doubtsIn(await one.run(["--log", "debug"]))).toEqual([]);
  expect((await one.published()).get("index.html")).toContain('href="http://127.0.0.1:8080/"');
});

test("doctor reports the address of the website, and warns if a bucket has none", async () => {
  const { one, s3, refresh } = await openBucket();
  const examine = async (...args: readonly string[]) => {
    const command = ["doctor", "--json", "--catalogue", "catalogue.json", "--dns", "127.0.0.1:9"];
    const { stdout } = await one.cli([...command, ...args], s3.env);
    const checks: readonly { readonly name: string }[] = JSON.parse(stdout);
    return checks.find(({ name }) => name === "website");
  };
  const bucket = ["--store", s3.url("public"), "--state", s3.url("state")];
  expect(await examine(...bucket)).toMatchObject({
    result: "warn",
    detail: expect.stringMatching(/^left out, .*--base-url \(STATUS_SNAPSHOT_BASE_URL\)/u),
  });
  expect(await examine(...bucket, "--base-url", ADDRESS)).toMatchObject({
    result: "ok",
    detail: `served at ${ADDRESS}`,
  });
  expect(await examine()).toMatchObject({
    result: "ok",
    detail: "served at http://127.0.0.1:8080, where `serve` answers",
  });
  expect((await refresh("--base-url", "http://127.0.0.1:8080")).code).toBe(0);
  expect(await examine(...bucket)).toMatchObject({
    result: "ok",
    detail: "served at http://127.0.0.1:8080, as stored in the state",
  });
  expect(await examine(...bucket, "--base-url", ADDRESS)).toMatchObject({
    detail: `served at ${ADDRESS}, until now at http://127.0.0.1:8080`,
  });
  forgetAddress(s3);
  expect(await examine(...bucket)).toMatchObject({
    result: "warn",
    detail: expect.stringMatching(/^its pages name http:\/\/127\.0\.0\.1:8080, /u),
  });
});

test("an address with a password is refused, because it would be published", async () => {
  const one = await workspace();
  const { code, stderr } = await one.run(["--base-url", "https://me:secret@status.example"]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("--base-url: give a URL without")]);
  expect(stderr).not.toContain("secret");
});

test("a channel of a category that the catalogue does not have is a warning", async () => {
  const { one, refresh } = await openBucket();
  const link = "{ telegram: https://t.me/example }";
  const about = `about:\n  follow:\n    categories:\n      all: ${link}\n      al: ${link}\n`;
  await writeFile(join(one.folder, "site.yaml"), about);
  const { code, stderr } = await refresh();
  expect([code, eventsNamed(stderr, "warning")]).toMatchObject([
    0,
    [
      {
        message: expect.stringMatching(/^about\.follow\.categories\.al: .*did you mean "all"\?$/u),
      },
    ],
  ]);
});
