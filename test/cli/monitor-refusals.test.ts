import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isFull } from "../depth.ts";
import { useCliFixture } from "./cli-fixture.ts";

const { workspace } = useCliFixture(true);

/** Invalid hosts, and the message about each. */
const HOSTS = [
  ["a.b..c", "two in a row; remove the extra dot."],
  [".example.com", "a dot at its beginning"],
  ["$(id).example.com", 'contains "$", which no host name has; use letters, digits'],
  ["127.0.0.1;example.com", 'contains ";"'],
  [
    `${"a".repeat(64)}.example.com`,
    "is 64 characters long in DNS; use at most 63 between two dots",
  ],
  [`${"a.".repeat(130)}example.com`, "the host is 271 characters long in DNS; use at most 253."],
  ["example.com.", "write the host without the dot at its end."],
  ["example.c0m", ".c0m is not a top-level domain; check the end of the host."],
  ["example.123", "not a valid URL"],
  ["xn--a.example.com", "not a valid URL"],
  ["[2002:808:808::1]", "is not an address of a public website (6to4)"],
  ["[3ffe:b80::1]", "is not an address of a public website (Returned (6bone))"],
] as const;

const PUBLISHING = ["--catalogue", "catalogue.json"];

describe.concurrent("an invalid address of a site", () => {
  test.skipIf(isFull)("is reported by monitor check with its line", async () => {
    const one = await workspace();
    const entries = HOSTS.map(([host], index) => `{"id":"m${index}","url":"https://${host}/"}\n`);
    await writeFile(join(one.folder, "list.jsonl"), entries.join(""));
    const result = await one.cli(["monitor", "check", "list.jsonl"]);
    expect(result).toMatchObject({ code: 2, stdout: "" });
    const told = result.stderr.trimEnd().split("\n");
    expect(told).toHaveLength(HOSTS.length);
    for (const [index, [, words]] of HOSTS.entries()) {
      expect(told[index]).toMatch(new RegExp(`^list\\.jsonl:${index + 1}:\\d+: url: `, "u"));
      expect(told[index]).toContain(words);
    }
  });

  test.for(isFull ? HOSTS : HOSTS.slice(0, 2))(
    "is refused by monitor add: %s",
    async ([host, words]) => {
      const one = await workspace();
      const result = await one.cli(["monitor", "add", `https://${host}/`, ...PUBLISHING]);
      expect(result).toMatchObject({ code: 2, stdout: "" });
      expect(result.stderr).toContain("url: ");
      // The message is inside JSON.
      expect(result.stderr).toContain(JSON.stringify(words).slice(1, -1));
      expect(existsSync(join(one.folder, "monitors.yaml"))).toBe(false);
    },
  );
});

describe.concurrent("monitor add", () => {
  const add = async (...args: readonly string[]) => {
    const one = await workspace();
    const url = "https://shop.example.ru/";
    const result = await one.cli(["monitor", "add", url, ...args, ...PUBLISHING]);
    return { ...result, isAdded: existsSync(join(one.folder, "monitors.yaml")) };
  };

  const REFUSED = [
    ["--name", "\u200B\u3164", "name: has no visible character; use letters"],
    [
      "--name",
      "Ма\u00ADгазин",
      "name: contains an invisible character, U+00AD, at position 3; remove it.",
    ],
    ["--name", "a\u{E0041}b", "U+E0041, at position 2"],
    ["--label", "\u2800", "label: has no visible character"],
    ["--id=-shop", "", "id: begins with a hyphen, which commands take for an option; use another"],
    ["--id=aux", "", "id: is the name of a device on Windows"],
    ["--id=Com7", "", "id: is the name of a device on Windows"],
  ] as const;

  test.for(isFull ? REFUSED : [REFUSED[1], REFUSED[4]])(
    "refuses %s %j",
    async ([option, value, words]) => {
      const refused = await add(...(value === "" ? [option] : [option, value]));
      expect(refused).toMatchObject({ code: 2, stdout: "", isAdded: false });
      expect(refused.stderr).toContain(words);
    },
  );

  test.skipIf(isFull)("accepts a name with a joined emoji", async () => {
    const name = "Наш 👩🏽\u200D💻";
    expect(await add("--name", name)).toMatchObject({ code: 0, isAdded: true });
  });
});

test.skipIf(isFull)(
  "an old id that is no longer allowed is still checked, published and removed",
  async () => {
    const one = await workspace();
    await one.set("shop", { kind: "page" });
    const entry = (id: string): string =>
      `  - { id: ${id}, url: "https://${one.host("shop")}/" }\n`;
    await writeFile(
      join(one.folder, "monitors.yaml"),
      `monitors:\n${entry("-old")}${entry("nul")}`,
    );
    const checked = await one.cli(["monitor", "check"]);
    // The old name of the command works for one more version, without help.
    expect(await one.cli(["monitors", "check"])).toMatchObject({
      code: checked.code,
      stdout: checked.stdout,
    });
    expect((await one.cli(["--help"])).stdout).not.toMatch(/^ +monitors /mu);
    expect(checked.code).toBe(0);
    expect(checked.stdout).toContain("monitors.yaml is valid: 2 monitors");
    expect(checked.stdout).toContain("Warning: monitors.yaml:2:11: monitors[0].id: begins with");
    expect(checked.stdout).toContain("Warning: monitors.yaml:3:11: monitors[1].id: is the name");
    const run = await one.run();
    expect(run.stdout).toContain("| 2 monitors: 2 healthy, 0 failing |");
    expect(run.stderr).not.toContain("warning");
    for (const [command, id] of [
      ["publish", "-old"],
      ["remove", "nul"],
    ] as const) {
      expect(await one.cli(["monitor", command, ...PUBLISHING, "--", id])).toMatchObject({
        code: 0,
      });
    }
  },
);
