import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isFull } from "../depth.ts";
import { eventsNamed } from "./cli.ts";
import { useCliFixture } from "./cli-fixture.ts";

const { workspace } = useCliFixture(true);
const FILES = ["--truth", "truth.yaml", "--catalogue", "catalogue.json"];

const ENTRY = `- service: alpha
  from: 2026-11-10T12:00:00+03:00
  to: 2026-11-10T13:00:00+03:00
  what: outage
  source: https://alpha.example.ru/news
`;

test.skipIf(isFull)(
  "`truth check` counts the entries, or tells each mistake with its line",
  async () => {
    const one = await workspace();
    const file = join(one.folder, "truth.yaml");
    await writeFile(file, ENTRY);
    expect(await one.cli(["truth", "check", ...FILES])).toMatchObject({
      code: 0,
      stdout: "truth.yaml is valid, entries: 1 (outage 1, blocked 0, slow 0, worked 0)\n",
    });
    await writeFile(file, ENTRY.replace("alpha", "nobody").replace("12:00:00+", "12+"));
    const { code, stderr, stdout } = await one.cli(["truth", "check", ...FILES]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toBe(
      "truth.yaml:2:9: [0].from: not a time; write it in RFC 3339, such as 2026-11-21T12:00:00+03:00.\n",
    );
    await writeFile(file, ENTRY.replace("alpha", "nobody"));
    expect(await one.cli(["truth", "check", ...FILES])).toMatchObject({
      code: 2,
      stderr:
        "truth.yaml:1:12: [0].service: no service has this slug; use one of catalogue.yaml.\n",
    });
  },
);

test.skipIf(isFull)(
  "a broken truth file stops no run: it is logged, and counts as empty",
  async () => {
    const one = await workspace();
    const entriesIn = async (): Promise<unknown> => {
      const text = await readFile(join(one.folder, "public/accuracy/v1.json"), "utf8");
      return JSON.parse(text).truthEntries;
    };
    const file = join(one.folder, "truth.yaml");
    await writeFile(file, ENTRY);
    const good = await one.run(["--truth", "truth.yaml"]);
    expect([good.code, eventsNamed(good.stderr, "truth-ignored")]).toEqual([0, []]);
    expect(await entriesIn()).toBe(1);
    await writeFile(file, `${ENTRY}  bad: [\n`);
    const bad = await one.run(["--truth", "truth.yaml"]);
    expect(bad.code).toBe(0);
    expect(eventsNamed(bad.stderr, "truth-ignored")).toMatchObject([
      { level: "warn", message: expect.stringMatching(/^truth\.yaml:\d+:\d+: not valid YAML/u) },
    ]);
    expect(await entriesIn()).toBe(0);
    const missing = await one.run(["--truth", "nothing.yaml"]);
    expect(missing.code).toBe(0);
    expect(eventsNamed(missing.stderr, "truth-ignored")).toMatchObject([
      { message: "--truth nothing.yaml: the file does not exist." },
    ]);
  },
);
