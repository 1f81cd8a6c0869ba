import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isFull } from "../depth.ts";
import { eventsNamed, problemsOf, until } from "./cli.ts";
import type { Workspace } from "./workspace.ts";
import { useCliFixture } from "./cli-fixture.ts";

/* Every command that reads the catalogue also reads its overlay. */

const { workspace } = useCliFixture(true);
const FILES = ["--catalogue", "catalogue.json", "--catalogue-overlay", "overlay.yaml"];

const writeOverlay = (one: Workspace, text: string | Uint8Array): Promise<void> =>
  writeFile(join(one.folder, "overlay.yaml"), text);

/** Removes `beta`, renames `gamma` and adds `delta`. */
async function changeAll(one: Workspace): Promise<void> {
  await one.set("delta", { kind: "page" });
  await writeOverlay(
    one,
    `services:
  - { slug: beta, remove: true }
  - { slug: gamma, name: Гамма }
  - slug: delta
    name: Дельта
    category: all
    endpoints: [{ url: "https://${one.host("delta")}/", what: main site }]
`,
  );
}

test.skipIf(isFull)("a run publishes the catalogue with the changes of the overlay", async () => {
  const one = await workspace();
  await changeAll(one);
  expect(await one.run(["--catalogue-overlay", "overlay.yaml"])).toMatchObject({ code: 0 });
  const { services } = await one.list();
  expect(services.map(({ slug, name, code }) => [slug, name, code])).toEqual([
    ["alpha", "Сервис alpha", "ok"],
    ["gamma", "Гамма", "ok"],
    ["delta", "Дельта", "ok"],
  ]);
  expect(one.connections("beta")).toBe(0);
  const explained = await one.cli(["explain", "delta", ...FILES]);
  expect(explained.stdout).toContain("Дельта (delta): ok");
  expect(await one.cli(["explain", "beta", ...FILES])).toMatchObject({ code: 2 });
  // Without the overlay, the catalogue is unchanged.
  expect(await one.cli(["refresh", "--catalogue", "catalogue.json"])).toMatchObject({ code: 0 });
  expect((await one.list()).services.map(({ slug }) => slug)).toEqual(["alpha", "beta", "gamma"]);
});

test.skipIf(isFull)(
  "`catalogue check` prints the effects of the overlay, and its redundant entries",
  async () => {
    const one = await workspace();
    await changeAll(one);
    const { code, stdout, stderr } = await one.cli(["catalogue", "check", ...FILES]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("catalogue.json with overlay.yaml is valid: 3 services, 4 domestic");
    expect(stdout).toContain(
      "\n\nOVERLAY  OF             KEYS\nremoved  service beta\nchanged  service gamma  name\nadded    service delta\n",
    );
    await writeOverlay(
      one,
      "services: [{ slug: alpha, name: Сервис alpha }, { slug: zeta, remove: true }]",
    );
    const other = await one.cli(["catalogue", "check", "catalogue.json", ...FILES.slice(2)]);
    expect(other.code).toBe(0);
    expect(other.stdout).toContain(
      "\n\nThe overlay changes nothing.\nNot needed, because the catalogue says the same: service alpha\nwarning: overlay.yaml:1:57: services[1].slug: the catalogue has no service",
    );
  },
);

test.skipIf(isFull)(
  "the environment can set the overlay, which applies to the shipped catalogue",
  async () => {
    const one = await workspace();
    await writeOverlay(one, "services: [{ slug: sberbank, remove: true }]");
    const env = { STATUS_SNAPSHOT_CATALOGUE_OVERLAY: "overlay.yaml" };
    const { code, stdout } = await one.cli(["catalogue", "check"], env);
    expect(code).toBe(0);
    expect(stdout).toMatch(/catalogue\.yaml with overlay\.yaml is valid: 84 services/u);
    const missing = await one.cli(["run", ...one.options], {
      STATUS_SNAPSHOT_CATALOGUE_OVERLAY: "nowhere.yaml",
    });
    expect(missing).toMatchObject({ code: 2, stdout: "" });
    expect(problemsOf(missing.stderr)).toEqual([
      "--catalogue-overlay nowhere.yaml: the file does not exist. (It comes from STATUS_SNAPSHOT_CATALOGUE_OVERLAY.)",
    ]);
  },
);

test.skipIf(isFull)(
  "every command warns of an overlay for a removed service, and succeeds",
  async () => {
    const one = await workspace();
    await writeOverlay(
      one,
      "services:\n  - { slug: zeta, name: Дзета }\n  - { slug: eta, remove: true }\n",
    );
    const told = [
      expect.objectContaining({
        level: "warn",
        message: expect.stringMatching(
          /^overlay\.yaml:2:13: services\[0\]\.slug: the catalogue has no service .*\noverlay\.yaml:3:13: services\[1\]\.slug: /u,
        ),
      }),
    ];
    for (const args of [
      ["run", ...one.options, "--catalogue-overlay", "overlay.yaml"],
      ["refresh", ...FILES],
      ["report", "add", "alpha", ...FILES],
      ["explain", "alpha", ...FILES],
      ["catalogue", "audit", ...FILES],
    ]) {
      const { code, stderr } = await one.cli(args);
      expect({ args, code }).toEqual({ args, code: 0 });
      expect(eventsNamed(stderr, "overlay-unused")).toEqual(told);
    }
    expect((await one.list()).services).toHaveLength(3);
    const doctor = await one.cli(["doctor", "--json", ...FILES, "--connect-to", "@hosts.txt"]);
    const checks: readonly Readonly<Record<string, unknown>>[] = JSON.parse(doctor.stdout);
    expect(checks.find(({ name }) => name === "overlay")).toEqual({
      name: "overlay",
      result: "warn",
      detail: expect.stringMatching(
        /^overlay\.yaml:2:13: .* 1 more: catalogue check lists them\.$/u,
      ),
    });
  },
);

test.skipIf(isFull)("`doctor` reports the effect of the overlay, if there is one", async () => {
  const one = await workspace();
  await changeAll(one);
  const overlayOf = async (files: readonly string[]): Promise<unknown> => {
    const args = ["doctor", "--json", ...files, "--connect-to", "@hosts.txt"];
    const checks: readonly Readonly<Record<string, unknown>>[] = JSON.parse(
      (await one.cli(args)).stdout,
    );
    return checks.find(({ name }) => name === "overlay");
  };
  expect(await overlayOf(FILES)).toEqual({
    name: "overlay",
    result: "ok",
    detail: "overlay.yaml: 1 changed, 1 added, 1 removed",
  });
  expect(await overlayOf(FILES.slice(0, 2))).toBeUndefined();
});

test.skipIf(isFull).each([
  ["too big", "#\n".repeat(2_200_000), /^overlay\.yaml:1:1: the file is over 4194304 bytes/u],
  ["not UTF-8", Buffer.from([0x23, 0xff]), /^overlay\.yaml:1:2: the file is not valid UTF-8/u],
  ["of aliases", "services: [*beta]", /^overlay\.yaml:1:12: .*alias/u],
  ["with a key twice", "services: []\nservices: []", /^overlay\.yaml:2:1: services: duplicate/u],
  [
    "with a service twice",
    "services: [{ slug: beta, abroad: true }, { slug: beta, abroad: true }]",
    /^overlay\.yaml:1:\d+: services\[1\]\.slug: the same slug/u,
  ],
  ["with an unknown key", "service: []", /^overlay\.yaml:1:1: service: unknown key/u],
  ["of a wrong type", "services: beta", /^overlay\.yaml:1:11: services: expected a list/u],
])("an overlay that is %s is exit 2 for a run, and nothing is probed", async (_, text, problem) => {
  const one = await workspace();
  await writeOverlay(one, text);
  const result = await one.run(["--catalogue-overlay", "overlay.yaml"]);
  expect(result).toMatchObject({ code: 2, stdout: "" });
  expect(problemsOf(result.stderr)).toEqual([expect.stringMatching(problem)]);
  expect(one.allConnections()).toBe(0);
});

test.skipIf(isFull)(
  "every command with a catalogue reads an overlay, and refuses a broken one",
  async () => {
    const one = await workspace();
    await writeOverlay(one, "services: beta");
    const commands = [
      ["run"],
      ["watch"],
      ["serve"],
      ["intake"],
      ["refresh"],
      ["doctor"],
      ["explain", "alpha"],
      ["report", "add", "alpha"],
      ["catalogue", "check"],
      ["catalogue", "audit"],
      ["monitor", "add", "https://shop.example.ru/"],
      ["monitor", "remove", "abc"],
    ];
    for (const command of commands) {
      const { code, stderr } = await one.cli([...command, ...FILES]);
      expect({ command, code }).toEqual({ command, code: 2 });
      expect(stderr).toContain("overlay.yaml:1:11: services: expected a list");
    }
  },
);

test.runIf(isFull)("`watch` applies edits of the overlay, and logs a broken one once", async () => {
  const one = await workspace();
  await writeOverlay(one, "");
  const watch = one.start(["watch", ...one.options, ...FILES, "--every", "1", "--log", "debug"]);
  onTestFinished(async () => {
    watch.child.kill("SIGKILL");
    await watch.ended;
  });
  const slugs = async (): Promise<string> =>
    (await one.list().catch(() => ({ services: [] }))).services.map(({ slug }) => slug).join();
  await until("it has run", async () => (await slugs()) === "alpha,beta,gamma");
  await changeAll(one);
  await until("the overlay holds", async () => (await slugs()) === "alpha,gamma,delta");
  await rm(join(one.folder, "overlay.yaml"));
  await until(
    "it says so",
    () => eventsNamed(watch.stderr(), "catalogue-reload-rejected").length > 0,
  );
  const runs = (): number => eventsNamed(watch.stderr(), "run-finished").length;
  const before = runs();
  await until("it goes on", () => runs() > before + 1);
  expect(await slugs()).toBe("alpha,gamma,delta");
  expect(eventsNamed(watch.stderr(), "catalogue-reload-rejected")).toHaveLength(1);
  await writeOverlay(one, "services: [{ slug: gamma, remove: true }]");
  await until("it holds again", async () => (await slugs()) === "alpha,beta");
  watch.child.kill("SIGTERM");
  expect(await watch.ended).toMatchObject({ code: 0 });
});
