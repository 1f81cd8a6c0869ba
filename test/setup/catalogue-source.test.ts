import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openCatalogueSource } from "../../src/setup/files/catalogue-file.ts";
import type { RunEvent } from "../../src/model/run-event.ts";
import { smallCatalogue } from "./small-catalogue.ts";

/** Opens a catalogue of 25 services, with an overlay if its text is given, and collects the events of its source. */
async function openCopy(waitUntilWritten?: () => Promise<unknown>, overlayText?: string) {
  const folder = await mkdtemp(join(tmpdir(), "status-snapshot-catalogue-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "catalogue.yaml");
  const text = smallCatalogue(25);
  await writeFile(file, text);
  const overlay = join(folder, "overlay.yaml");
  if (overlayText !== undefined) await writeFile(overlay, overlayText);
  const opened = await openCatalogueSource(
    { catalogue: file, catalogueOverlay: overlayText === undefined ? undefined : overlay },
    waitUntilWritten,
  );
  if ("problem" in opened) throw new Error(opened.problem);
  const { value: source } = opened;
  const events: RunEvent[] = [];
  const slugs = async (): Promise<readonly string[]> =>
    (await source.read((event) => events.push(event))).services.map(({ slug }) => slug);
  return { file, overlay, text, source, events, slugs };
}

/** The text without its last service, which is still valid. */
function withoutLast(text: string): string {
  return text.slice(0, text.lastIndexOf("\n  - slug:") + 1);
}

test("an edit is applied, even one of the same length and time", async () => {
  const { file, text, source, events, slugs } = await openCopy();
  const before = await slugs();
  expect(events).toEqual([]);
  const edited = text.replace("slug: sberbank", "slug: sberbonk");
  expect(edited).toHaveLength(text.length);
  await writeFile(file, edited);
  expect(await slugs()).toEqual(before.map((slug) => slug.replace("sberbank", "sberbonk")));
  expect(source.current().services.some(({ slug }) => slug === "sberbonk")).toBe(true);
  expect(events).toEqual([{ event: "catalogue-changed", services: before.length }]);
});

test("an unfinished write is not used, even if it would be a valid catalogue", async () => {
  let whatIsWritten: string | undefined;
  // The writer finishes between the two reads.
  const { file, text, events, slugs } = await openCopy(async () => {
    if (whatIsWritten !== undefined) await writeFile(file, whatIsWritten);
    whatIsWritten = undefined;
  });
  const before = await slugs();
  await writeFile(file, withoutLast(text));
  whatIsWritten = text;
  expect(await slugs()).toEqual(before);
  expect(whatIsWritten).toBeUndefined();
  expect(await slugs()).toEqual(before);
  expect(events).toEqual([]);
  await writeFile(file, withoutLast(text));
  expect(await slugs()).toEqual(before.slice(0, -1));
});

test("a broken or missing catalogue is logged once, and the previous one stays", async () => {
  const { file, text, events, slugs } = await openCopy();
  const before = await slugs();
  await writeFile(file, text.replace("slug: sberbank", "slug: Sber Bank"));
  expect(await Promise.all([slugs(), slugs(), slugs()])).toEqual([before, before, before]);
  await rm(file);
  expect(await slugs()).toEqual(before);
  expect(await slugs()).toEqual(before);
  const told = events.map((event) =>
    event.event === "catalogue-reload-rejected" ? event.message : event,
  );
  expect(told).toEqual([
    expect.stringMatching(/catalogue\.yaml:\d+:\d+: .*slug/u),
    expect.stringContaining("the file does not exist"),
  ]);
  await writeFile(file, text);
  expect(await slugs()).toEqual(before);
  // The same fault again is another edit.
  await rm(file);
  await slugs();
  expect(events).toHaveLength(3);
});

test("of many problems the first twenty are logged", async () => {
  const { file, text, events, slugs } = await openCopy();
  await writeFile(file, text.replaceAll("  - slug: ", "  - slug: A"));
  await slugs();
  const [event] = events;
  if (event?.event !== "catalogue-reload-rejected") throw new Error("no rejection was logged");
  const lines = event.message.split("\n");
  expect(lines).toHaveLength(21);
  expect(lines.at(-1)).toBe("and 5 more; catalogue check lists them");
});

const WITHOUT_FIRST = "services: [{ slug: sberbank, remove: true }]";

test("edits of the overlay and of the catalogue below it are applied", async () => {
  const { file, overlay, text, events, slugs } = await openCopy(undefined, "");
  const before = await slugs();
  await writeFile(overlay, WITHOUT_FIRST);
  expect(await slugs()).toEqual(before.slice(1));
  await writeFile(file, withoutLast(text));
  expect(await slugs()).toEqual(before.slice(1, -1));
  await writeFile(overlay, "");
  expect(await slugs()).toEqual(before.slice(0, -1));
  expect(events).toEqual(
    [1, 2, 1].map((fewer) => ({
      event: "catalogue-changed",
      services: before.length - fewer,
    })),
  );
});

test("an unfinished write of an overlay is not used", async () => {
  let whatIsWritten: string | undefined;
  const { overlay, events, slugs } = await openCopy(async () => {
    if (whatIsWritten !== undefined) await writeFile(overlay, whatIsWritten);
    whatIsWritten = undefined;
  }, WITHOUT_FIRST);
  const before = await slugs();
  // A truncated overlay is often valid.
  await writeFile(overlay, "");
  whatIsWritten = WITHOUT_FIRST;
  expect(await slugs()).toEqual(before);
  expect(await slugs()).toEqual(before);
  expect(events).toEqual([]);
});

test("a broken or missing overlay is logged once, and the previous catalogue stays", async () => {
  const { overlay, events, slugs } = await openCopy(undefined, WITHOUT_FIRST);
  const before = await slugs();
  await writeFile(overlay, "services: [{ slug: sberbank, name: 5 }]");
  expect([await slugs(), await slugs()]).toEqual([before, before]);
  await rm(overlay);
  expect([await slugs(), await slugs()]).toEqual([before, before]);
  const told = events.map((event) =>
    event.event === "catalogue-reload-rejected" ? event.message : event,
  );
  expect(told).toEqual([
    expect.stringMatching(/overlay\.yaml:1:36: services\[0\]\.name: expected text/u),
    expect.stringMatching(/^--catalogue-overlay .*overlay\.yaml: the file does not exist/u),
  ]);
});

test("entries without effect are logged at the first read, and again after an edit", async () => {
  const unused = "services: [{ slug: nobody, remove: true }]";
  const { overlay, events, slugs } = await openCopy(undefined, unused);
  await slugs();
  await slugs();
  const names = (): readonly string[] => events.map(({ event }) => event);
  expect(names()).toEqual(["overlay-unused"]);
  await writeFile(overlay, `${unused} # still`);
  await slugs();
  await slugs();
  expect(names()).toEqual(["overlay-unused", "catalogue-changed", "overlay-unused"]);
});
