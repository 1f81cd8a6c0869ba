import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makePushKey, pushKeysOf, readKey } from "../../src/setup/files/push-key.ts";
import { prepareNotify } from "../../src/setup/notifier/notify-setup.ts";
import { NOTIFY, readFlags } from "../../src/setup/options/options.ts";
import { collectProblems } from "../../src/setup/parse-options.ts";
import { writeSmallCatalogue } from "./small-catalogue.ts";
import { makeScratchFolder } from "../store/scratch.ts";

const CHANNELS = "channels:\n  - { id: mail, kind: exec, command: [cat] }\n";

const IO = {
  env: {},
  setEnv: () => undefined,
  print: () => undefined,
  wallMs: () => 0,
  stop: new AbortController().signal,
  killGroup: () => undefined,
};

/** A folder with a key and a file of channels. */
async function openFolder() {
  const folder = makeScratchFolder();
  const [key, channels] = [join(folder, "key.json"), join(folder, "channels.yaml")];
  await writeFile(key, JSON.stringify(await makePushKey()));
  await writeFile(channels, CHANNELS);
  writeSmallCatalogue(folder);
  return { folder, key, channels };
}

function prepare(given: Readonly<Record<string, string>>, folder: string) {
  const problems = collectProblems();
  const stores = {
    state: `file:${folder}/state`,
    ledger: `file:${folder}/ledger`,
    catalogue: join(folder, "catalogue.yaml"),
  };
  return prepareNotify(readFlags(NOTIFY, { ...stores, ...given }, problems), problems, IO);
}

const CHANGES = "https://status.example/";

test("a key alone is for owners, a website with channels for services", async () => {
  const { folder, key, channels } = await openFolder();
  const owners = await prepare({ key }, folder);
  expect([owners.owners !== undefined, owners.services !== undefined]).toEqual([true, false]);
  expect(owners.owners?.services.get("sberbank")?.slug).toBe("sberbank");
  const services = await prepare({ changes: CHANGES, channels }, folder);
  expect([services.owners !== undefined, services.services?.websiteUrl]).toEqual([false, CHANGES]);
  expect(services.services?.channels.map(({ channel }) => channel.id)).toEqual(["mail"]);
  const both = await prepare({ key, changes: CHANGES, channels }, folder);
  expect([both.owners !== undefined, both.services !== undefined]).toEqual([true, true]);
});

test("what is missing is told, and a wrong website is not missing", async () => {
  const { folder, key, channels } = await openFolder();
  const told = async (given: Readonly<Record<string, string>>): Promise<string> => {
    const error: unknown = await prepare(given, folder).catch((reason: unknown) => reason);
    return String(error);
  };
  expect(await told({})).toBe(
    "UsageError: --key is missing: give the file that `notify keygen` has written.",
  );
  expect(await told({ channels, key })).toBe(
    `UsageError: --channels ${channels}: --changes is missing: give the website to watch.`,
  );
  expect(await told({ changes: CHANGES, key })).toBe(
    `UsageError: --changes ${CHANGES}: --channels is missing: give the file of channels to tell.`,
  );
  expect(await told({ changes: CHANGES, channels: "none" })).not.toContain("--channels is missing");
  const wrong = await told({ changes: "nowhere", channels });
  expect(wrong).toContain("--changes: give the address");
  expect(wrong).not.toContain("is missing");
});

test("a key is read with its halves, and of no other curve or kind", async () => {
  const jwk = await makePushKey();
  const { publicKey, privateKey } = pushKeysOf(jwk);
  expect([publicKey.length, publicKey.charAt(0), privateKey]).toEqual([87, "B", jwk.d]);
  expect(() => pushKeysOf({ ...jwk, crv: "P-384" })).toThrow("not a key of P-256");
  expect(() => pushKeysOf({ ...jwk, kty: "OKP" })).toThrow("not a key of P-256");
  expect(() => pushKeysOf({ ...jwk, x: "AAAA" })).toThrow();
  const file = join(makeScratchFolder(), "key.json");
  for (const text of ["null", "7", '"x"', "{}"]) {
    await writeFile(file, text);
    expect(await readKey(file, "vantage", pushKeysOf)).toEqual({
      problem: expect.stringContaining(`Make one with \`vantage keygen --key ${file}\``),
    });
  }
  expect(await readKey(`${file}.no`, "notify", pushKeysOf)).toEqual({
    problem: `--key ${file}.no: the file does not exist. Make one with \`notify keygen --key ${file}.no\`.`,
  });
});
