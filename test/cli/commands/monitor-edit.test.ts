import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { decodeState, encodeState } from "../../../src/state/codec/state.ts";
import { writeSmallCatalogue } from "../../setup/small-catalogue.ts";
import { makeScratchFolder } from "../../store/scratch.ts";
import { eventsNamed } from "../cli.ts";
import { startLoopbackS3 } from "../loopback-s3.ts";
import { runHere } from "../run-here.ts";

const URL_OF_SHOP = "https://shop.example.ru/";
const LATER = "Its badges may still be there; the next run removes them.";
const REGISTRY = "list.jsonl";
const STATE = "state/state.json.gz";

/** A folder with a catalogue, in which `monitor` edits. */
function openFolder() {
  const folder = makeScratchFolder();
  writeSmallCatalogue(folder);
  const options = ["--catalogue", "catalogue.yaml", "--no-services"];
  const edit = (...args: readonly string[]) => runHere(["monitor", ...args, ...options], folder);
  return { folder, edit, options };
}

test("an edit that is published later says so", async () => {
  const { folder, options } = openFolder();
  const s3 = await startLoopbackS3();
  const stores = ["--state", s3.url("state"), "--monitors", s3.url(REGISTRY)];
  const say = async (...args: readonly string[]): Promise<string> => {
    const line = ["monitor", ...args, ...options, ...stores];
    const { stdout, stderr } = await runHere(line, folder, s3.env, AbortSignal.abort("aborted"));
    expect(eventsNamed(stderr, "failed")).toEqual([]);
    return stdout;
  };
  let isWritten = false;
  // The registry takes the edit, and cannot be read after it.
  s3.moods.isRefused = (method, key) => {
    isWritten ||= method === "PUT" && key === REGISTRY;
    return isWritten && method === "GET" && key === REGISTRY;
  };
  expect(await say("add", URL_OF_SHOP, "--id", "shop", "--public")).toBe(
    `Added shop (${URL_OF_SHOP}).\nIts badge is not written yet; it comes with the next run.\n`,
  );
  s3.moods.isRefused = () => false;
  expect(await say("publish", "shop")).toBe("shop is public.\nBadge: /api/m/shop/badge.svg\n");
  // Another writer wins the next generation before this one removes anything.
  s3.moods.hold = async (method, key) => {
    if (method !== "HEAD" || key !== STATE) return;
    const decoded = decodeState(s3.objects.get(key) ?? Buffer.alloc(0));
    if (decoded.kind !== "ok") throw new Error(decoded.message);
    const { publication } = decoded.value;
    const next = { ...publication, generation: publication.generation + 1 };
    s3.objects.set(key, Buffer.from(encodeState({ ...decoded.value, publication: next })));
  };
  expect(await say("unpublish", "shop")).toBe(
    `shop is not public. It is still checked. ${LATER}\n`,
  );
  expect(await say("remove", "shop")).toBe(`Removed shop from the registry. ${LATER}\n`);
});

test("an edit that cannot be published says so, and stays", async () => {
  const { folder, edit } = openFolder();
  mkdirSync(join(folder, ".state"));
  writeFileSync(join(folder, ".state/state.json.gz"), "");
  const { code, stdout, stderr } = await edit("add", URL_OF_SHOP, "--id", "shop");
  expect([code, stdout]).toEqual([1, ""]);
  expect(eventsNamed(stderr, "warning")).toMatchObject([
    { message: "The registry is changed, but could not be published; the next run will do that." },
  ]);
  expect((await runHere(["monitor", "check"], folder)).stdout).toContain("1 monitor");
});

test("a host that is unblocked has the monitors that it had", async () => {
  const { edit } = openFolder();
  expect(await edit("unblock", "shop.example.ru")).toMatchObject({
    code: 0,
    stdout: "shop.example.ru is not blocked any more; 0 monitors of its owners as before.\n",
  });
});

test("a monitor has the label that it is given, and badges that say so", async () => {
  const { folder, edit } = openFolder();
  const added = await edit("add", URL_OF_SHOP, "--id", "shop", "--public", "--label", "Лавка");
  expect(added).toMatchObject({
    code: 0,
    stdout: `Added shop (${URL_OF_SHOP}).\nBadge: /api/m/shop/badge.svg\n`,
  });
  const badge = readFileSync(join(folder, "public/api/m/shop/badge.json"), "utf8");
  expect(JSON.parse(badge)).toMatchObject({ label: "Лавка" });
});

test("a registry that cannot be written fails the edit, and publishes nothing", async () => {
  const { folder, options } = openFolder();
  const s3 = await startLoopbackS3();
  s3.moods.isRefused = (method) => method === "PUT";
  const args = ["monitor", "add", URL_OF_SHOP, ...options, "--monitors", s3.url(REGISTRY)];
  const { code, stdout, stderr } = await runHere(args, folder, s3.env);
  expect([code, stdout]).toEqual([1, ""]);
  expect(eventsNamed(stderr, "failed")).toMatchObject([
    { message: expect.stringContaining("AccessDenied") },
  ]);
  expect(existsSync(join(folder, "public"))).toBe(false);
});

test("an entry that is left out is told with an edit and with the list", async () => {
  const { folder, edit } = openFolder();
  const wrong = '{"id":"a","url":"https://a.example:8443/"}\n';
  writeFileSync(join(folder, REGISTRY), `${wrong}{"id":"b","url":"https://b.example/"}\n`);
  const registry = ["--monitors", REGISTRY];
  const warning = {
    message: expect.stringMatching(/^list\.jsonl:1:\d+: url: port 8443 .* is left out/u),
  };
  const edited = await edit("publish", "b", ...registry);
  expect(edited.code).toBe(0);
  expect(eventsNamed(edited.stderr, "warning")).toMatchObject([warning]);
  const list = await runHere(["monitor", "list", ...registry], folder);
  expect(eventsNamed(list.stderr, "warning")).toMatchObject([warning]);
  expect(
    list.stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.split(/ {2,}/u)),
  ).toEqual([
    ["ID", "PUBLIC", "STATE", "SINCE (UTC)", "30 DAYS", "URL", "WHY"],
    ["b", "public", "not checked yet", "-", "-", "https://b.example/"],
  ]);
});
