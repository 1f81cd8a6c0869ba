import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeSmallCatalogue } from "../../setup/small-catalogue.ts";
import { makeScratchFolder } from "../../store/scratch.ts";
import { eventsNamed } from "../cli.ts";
import { runHere } from "../run-here.ts";

const STOPPED = AbortSignal.abort("aborted");

/* What commands do that are stopped before they have begun. */

test("a run that is stopped publishes nothing, and ends with 1", async () => {
  const folder = makeScratchFolder();
  writeSmallCatalogue(folder);
  const args = ["run", "--catalogue", "catalogue.yaml"];
  const { code, stdout, stderr } = await runHere(args, folder, {}, STOPPED);
  expect([code, stdout]).toEqual([1, ""]);
  expect(eventsNamed(stderr, "run-finished")).toEqual([]);
  expect(existsSync(join(folder, "public/api"))).toBe(false);
});

/** A folder with the key of a vantage, and the words that start it there. */
async function openVantage() {
  const folder = makeScratchFolder();
  await runHere(["vantage", "keygen", "--key", "key"], folder);
  const options = ["--ask", "file:exchange", "--id", "ams", "--key", "key"];
  const start = (command: readonly string[], stop?: AbortSignal) =>
    runHere([...command, ...options], folder, {}, stop);
  return { folder, start };
}

test("a vantage that nothing was asked of says so, unless it is stopped", async () => {
  const { folder, start } = await openVantage();
  const idle = await start(["vantage"]);
  expect([idle.code, eventsNamed(idle.stderr, "nothing-asked")]).toMatchObject([
    0,
    [{ isAnswered: false }],
  ]);
  for (const command of [["vantage"], ["vantage", "watch"]]) {
    const { code, stderr } = await start(command, STOPPED);
    expect([code, eventsNamed(stderr, "nothing-asked")]).toEqual([0, []]);
    expect(eventsNamed(stderr, "failed")).toEqual([]);
  }
  expect(existsSync(join(folder, "exchange")) ? readdirSync(join(folder, "exchange")) : []).toEqual(
    [],
  );
});

/** A notifier with a channel, and a website that does not answer. */
function notify(command: readonly string[], stop?: AbortSignal) {
  const folder = makeScratchFolder();
  writeSmallCatalogue(folder);
  writeFileSync(
    join(folder, "channels.yaml"),
    'channels:\n  - { id: a, kind: exec, command: ["false"] }\n',
  );
  const options = ["--channels", "channels.yaml", "--changes", "http://127.0.0.1:1"];
  const guard = ["--allow-private", "127.0.0.1/32", "--allow-port", "1"];
  const args = [...command, ...options, ...guard, "--catalogue", "catalogue.yaml"];
  return runHere(args, folder, {}, stop);
}

test("a notifier that is stopped looks at nothing", async () => {
  const { code, stderr } = await notify(["notify", "watch"], STOPPED);
  expect([code, eventsNamed(stderr, "warning"), eventsNamed(stderr, "failed")]).toEqual([
    0,
    [],
    [],
  ]);
});

test("a website that does not answer fails a look at it, and nothing is thrown", async () => {
  const { code, stderr } = await notify(["notify"]);
  expect([code, eventsNamed(stderr, "failed").length]).toEqual([1, 1]);
});
