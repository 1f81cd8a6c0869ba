import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeSmallCatalogue } from "../../setup/small-catalogue.ts";
import { makeScratchFolder } from "../../store/scratch.ts";
import { eventsNamed, problemsOf } from "../cli.ts";
import { runHere } from "../run-here.ts";

/** A command in a folder with a file `taken` and these settings. */
function run(line: string, settings = "") {
  const folder = makeScratchFolder();
  writeSmallCatalogue(folder);
  writeFileSync(join(folder, "site.yaml"), `catalogue: catalogue.yaml\n${settings}`);
  writeFileSync(join(folder, "taken"), "mine\n");
  return runHere(line.split(" "), folder);
}

test.each([
  [
    "vantage",
    [
      "--ask is missing: give the store in which the runner asks.",
      "--id is missing: give the name of this vantage.",
      "--key is missing: give the file of its private key.",
    ],
  ],
  ["notify test main", ["--channels is missing: give the file with the channel."]],
  ["worker", ["engine is missing: give the URL of the server."]],
  ["worker keygen", ["--key is missing: name the file for the private key."]],
  [
    "worker keygen --key taken",
    ["--key taken: it exists already. Remove it if nothing needs it any more."],
  ],
  [
    "verify https://x.example/?q",
    [
      "https://x.example/?q: give the address of the API, without credentials, query or fragment, such as https://status.example.",
    ],
  ],
  ["explain zzz", ["zzz: the catalogue has no such service. The catalogue file lists the slugs."]],
  ["monitor block a/b", ["a/b: not a host; write it like shop.example.ru."]],
  ["monitor block a:8080", ["a:8080: not a host; write it like shop.example.ru."]],
  ["monitor block a..b]", ["a..b]: not a host; write it like shop.example.ru."]],
  [
    "monitor block a..b",
    [
      "a..b: the host has a dot at its beginning, or two in a row; remove the extra dot; write it like shop.example.ru.",
    ],
  ],
  [
    "catalogue trial --overlay taken",
    ["--overlay taken: there is a file already; name another one."],
  ],
])("`%s` says what to give", async (line, problems) => {
  const { code, stdout, stderr } = await run(line);
  expect([code, stdout, problemsOf(stderr)]).toEqual([2, "", problems]);
});

test.each([
  ["run", true],
  ["watch", true],
  ["intake", true],
  ["vantage", true],
  ["vantage watch", true],
  ["notify", true],
  ["notify watch", true],
  ["worker", true],
  ["serve", false],
  ["config", false],
])("the log of `%s` begins with the program: %s", async (command, begins) => {
  const { code, stderr } = await run(command, "dns: nonsense\n");
  const started = begins ? [expect.objectContaining({ command })] : [];
  expect([code, eventsNamed(stderr, "program-started")]).toEqual([2, started]);
});
