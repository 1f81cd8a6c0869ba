import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { createInboxId } from "../../../src/store/inbox-id.ts";
import { type Journal, openJournal as openUnclosed } from "../../../src/reports/intake/journal.ts";
import type { Report } from "../../../src/model/service/reports.ts";
import { makeFolder } from "./harness.ts";
import { reportOf } from "./reports.ts";

let clockMs = 1_800_000_000_000;

const OPTIONS = { maxReports: 3, nowMs: () => (clockMs += 1) };

/** Closed with its test, as a process that ends does: an open file would be closed by the garbage collector, with a warning. */
async function openJournal(...args: Parameters<typeof openUnclosed>): Promise<Journal> {
  const journal = await openUnclosed(...args);
  onTestFinished(() => journal.close());
  return journal;
}

/** All segments, in the order of the replay. */
async function drain(journal: Journal): Promise<{ id: string; reports: readonly Report[] }[]> {
  const segments = [];
  for (;;) {
    const segment = await journal.next();
    if (segment === undefined) return segments;
    segments.push({ id: segment.id, reports: segment.reports });
    await journal.remove(segment.id);
  }
}

const numbersOf = (segments: readonly { readonly reports: readonly Report[] }[]) =>
  segments.map(({ reports }) => reports.map(({ atMs }) => atMs));

test("reports are replayed once, the oldest first, and leave no file", async () => {
  const folder = makeFolder();
  const journal = await openJournal(folder, OPTIONS);
  const full = reportOf(1, { symptom: "payments" });
  expect(await journal.append([full, reportOf(2)])).toBe("kept");
  await journal.append([reportOf(3)]);
  await journal.append([reportOf(4), reportOf(5)]);
  expect(journal.size()).toMatchObject({ reports: 5 });
  const segments = await drain(journal);
  expect(numbersOf(segments)).toEqual([
    [1, 2, 3],
    [4, 5],
  ]);
  expect(segments[0]?.reports[0]).toEqual(full);
  expect(readdirSync(folder)).toEqual([]);
  expect(journal.size()).toEqual({ reports: 0, bytes: 0 });
  await journal.close();
});

test("a segment keeps its id until it is removed, also over a restart", async () => {
  const folder = makeFolder();
  const journal = await openJournal(folder, OPTIONS);
  await journal.append([reportOf(1)]);
  const first = await journal.next();
  expect(await journal.next()).toEqual(first);
  await journal.append([reportOf(2)]);
  await journal.close();
  const again = await openJournal(folder, OPTIONS);
  expect(again.size()).toMatchObject({ reports: 2 });
  const segments = await drain(again);
  expect(numbersOf(segments)).toEqual([[1], [2]]);
  expect(segments[0]?.id).toBe(first?.id);
  expect(segments[1]?.id).not.toBe(first?.id);
});

test("reports that were attempted under an id keep it", async () => {
  const journal = await openJournal(makeFolder(), OPTIONS);
  const id = createInboxId(clockMs);
  await journal.append([reportOf(1)]);
  expect(await journal.put(id, [reportOf(2)])).toBe("kept");
  await journal.append([reportOf(3)]);
  const segments = await drain(journal);
  expect(segments.find((segment) => segment.id === id)?.reports).toEqual([reportOf(2)]);
  expect(
    numbersOf(segments)
      .flat()
      .toSorted((a, b) => a - b),
  ).toEqual([1, 2, 3]);
});

test("an incomplete line is dropped, and does not damage later lines", async () => {
  const folder = makeFolder();
  const journal = await openJournal(folder, OPTIONS);
  await journal.append([reportOf(1)]);
  await journal.close();
  const [name = ""] = readdirSync(folder);
  const line = readFileSync(join(folder, name), "utf8");
  for (let length = 1; length < line.length; length += 7) {
    const torn = makeFolder();
    writeFileSync(join(torn, name), line + line.slice(0, length));
    const again = await openJournal(torn, OPTIONS);
    await again.append([reportOf(2)]);
    expect(numbersOf(await drain(again))).toEqual([[1], [2]]);
    await again.close();
  }
});

test("a damaged line is reported and dropped, and the others count", async () => {
  const folder = makeFolder();
  const journal = await openJournal(folder, OPTIONS);
  for (const number of [1, 2, 3]) await journal.append([reportOf(number)]);
  await journal.close();
  const [name = ""] = readdirSync(folder);
  const text = readFileSync(join(folder, name), "utf8");
  writeFileSync(join(folder, name), text.replace('"n2"', '"n7"'));
  const again = await openJournal(folder, OPTIONS);
  expect(await again.next()).toMatchObject({ damaged: 1, reports: [{ atMs: 1 }, { atMs: 3 }] });
});

test("it is full at its bound, and takes reports again after a replay", async () => {
  const folder = makeFolder();
  const journal = await openJournal(folder, { ...OPTIONS, maxBytes: 200 });
  let kept = 0;
  while ((await journal.append([reportOf(kept)])) === "kept") kept += 1;
  expect(kept).toBeGreaterThan(1);
  expect(await journal.put(createInboxId(1), [reportOf(99)])).toBe("full");
  const bytes = readdirSync(folder).map((name) => readFileSync(join(folder, name)).byteLength);
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(200);
  expect((await drain(journal)).flatMap(({ reports }) => reports)).toHaveLength(kept);
  expect(await journal.append([reportOf(1)])).toBe("kept");
});

test("other files in the folder are left alone", async () => {
  const folder = makeFolder();
  writeFileSync(join(folder, "notes.txt"), "mine");
  writeFileSync(join(folder, "x.sealed"), "mine");
  const journal = await openJournal(folder, OPTIONS);
  await journal.append([reportOf(1)]);
  expect(await drain(journal)).toHaveLength(1);
  expect(readdirSync(folder).toSorted()).toEqual(["notes.txt", "x.sealed"]);
});

test("a file that another process removes meanwhile loses nothing", async () => {
  const folder = makeFolder();
  const first = await openJournal(folder, OPTIONS);
  await first.append([reportOf(1)]);
  const second = await openJournal(folder, OPTIONS);
  const early = numbersOf(await drain(second));
  await first.append([reportOf(2)]);
  const seen = [...early, ...numbersOf(await drain(first))].flat();
  expect([...new Set(seen)].toSorted((a, b) => a - b)).toEqual([1, 2]);
});

test("a removed journal folder is an error and not a lost report", async () => {
  const folder = makeFolder();
  const journal = await openJournal(join(folder, "journal"), OPTIONS);
  await journal.append([reportOf(1)]);
  renameSync(join(folder, "journal"), join(folder, "elsewhere"));
  await expect(journal.append([reportOf(2)])).rejects.toThrow("ENOENT");
  renameSync(join(folder, "elsewhere"), join(folder, "journal"));
  expect(await journal.append([reportOf(3)])).toBe("kept");
  const kept = numbersOf(await drain(await openJournal(join(folder, "journal"), OPTIONS))).flat();
  expect(kept).toEqual(expect.arrayContaining([1, 3]));
});

test("a folder whose new files are removed again and again is an error", async () => {
  const folder = makeFolder();
  const journal = await openJournal(folder, OPTIONS);
  // Between every two system calls of the journal.
  const removeAll = (): void => {
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { force: true });
    next = setImmediate(removeAll);
  };
  let next = setImmediate(removeAll);
  onTestFinished(() => clearImmediate(next));
  await expect(journal.append([reportOf(1)])).rejects.toThrow(
    `${folder}: another process keeps removing the journal files`,
  );
});

test("garbage appended to a file is reported as damaged", async () => {
  const folder = makeFolder();
  const journal = await openJournal(folder, OPTIONS);
  await journal.append([reportOf(1)]);
  await journal.close();
  const [name = ""] = readdirSync(folder);
  appendFileSync(join(folder, name), "00000000 []\n12345678 [[1]]\n\n");
  const again = await openJournal(folder, OPTIONS);
  expect(await again.next()).toMatchObject({ damaged: 3, reports: [{ atMs: 1 }] });
});

test("a segment that cannot be read does not block the next ones", async () => {
  const folder = makeFolder();
  const journal = await openJournal(folder, OPTIONS);
  await journal.append([reportOf(1), reportOf(2), reportOf(3)]);
  const bad = await journal.next();
  await journal.append([reportOf(4), reportOf(5), reportOf(6)]);
  await journal.append([reportOf(7)]);
  rmSync(join(folder, `${bad?.id}.sealed`));
  mkdirSync(join(folder, `${bad?.id}.sealed`));
  await expect(journal.next()).rejects.toThrow("EISDIR");
  const next = await journal.next();
  expect(next?.reports.map(({ atMs }) => atMs)).toEqual([4, 5, 6]);
});

test.each([
  ["is no JSON", "[1"],
  ["is no list", "{}"],
  ["is a list of something else", "[1]"],
  ["has no slug", '[[1,1,"n1","b"]]'],
  ["has no time", '[["sberbank","1","n1","b"]]'],
  ["has no network", '[["sberbank",1,1,"b"]]'],
  ["has no block", '[["sberbank",1,"n1"]]'],
  ["is whole in part", '[["sberbank",1,"n1","b"],["sberbank"]]'],
])("a line with its checksum that %s is damaged", async (_, json) => {
  const folder = makeFolder();
  const journal = await openJournal(folder, OPTIONS);
  await journal.append([reportOf(1)]);
  await journal.close();
  const [name = ""] = readdirSync(folder);
  const checksum = crc32(json).toString(16).padStart(8, "0");
  appendFileSync(join(folder, name), `${checksum} ${json}\n`);
  const again = await openJournal(folder, OPTIONS);
  expect(await again.next()).toMatchObject({ damaged: 1, reports: [{ atMs: 1 }] });
});

test("a line without reports counts as whole", async () => {
  const folder = makeFolder();
  const id = createInboxId(clockMs);
  writeFileSync(join(folder, `${id}.sealed`), `${crc32("[]").toString(16).padStart(8, "0")} []\n`);
  const journal = await openJournal(folder, OPTIONS);
  expect(await journal.next()).toEqual({ id, reports: [], damaged: 0 });
});
