import { expect, test } from "vitest";
import type { ArchivePart, ArchiveState } from "../../../src/model/service/archive.ts";
import { OUTDATED } from "../../../src/model/publication.ts";
import { EMPTY_STATE, type State } from "../../../src/model/state.ts";
import { KEYS_OF, planArchive } from "../../../src/pipeline/pages/open-data-groups.ts";
import { sealArchiveFile, sealClosedDays } from "../../../src/state/archive-store.ts";
import { createMemoryStore } from "../../store/memory-store.ts";

/** A part with files of these digests, a digit each. */
function part(date: string, names: readonly string[], digit: string): ArchivePart {
  const files = names.map((name) => ({ name, bytes: 3, sha256: digit.repeat(64), rows: 1 }));
  return { date, method: "2026-11", files };
}

const CSV = ["changes.csv", "reports.csv"];
const DAY = part("2026-11-24", ["checks.parquet"], "a");
const CLOSED_DAY = part("2026-09-30", ["checks.ndjson.gz"], "b");
const OPEN_MONTH = part("2026-10", CSV, "c");
const CLOSED_MONTH = { ...part("2026-09", CSV, "d"), closedDays: ["30"] };
const ARCHIVE: ArchiveState = { days: [DAY], months: [CLOSED_MONTH, OPEN_MONTH], sealedDay: 1 };

function stateWith(archive: ArchiveState, digests: Readonly<Record<string, string>> = {}): State {
  const known = Object.entries(digests).map(([id, digest]) => {
    return [`archive:${id}`, { digest, etag: null, isPublished: true, suspectUntilMs: 0 }] as const;
  });
  const publication = { ...EMPTY_STATE.publication, groups: new Map(known) };
  return { ...EMPTY_STATE, archive, publication };
}

const plan = (state: State, store = createMemoryStore()) => planArchive(state, store);

const textsOf = async (building: ReturnType<ReturnType<typeof plan>["build"]>) =>
  (await building).map(({ key, body }) => [key, Buffer.from(body).toString()]);

test("each group has the keys of its day, month, service or place", () => {
  expect(KEYS_OF.archive("index")).toEqual([
    "archive/v1/index.json",
    "archive/v1/datapackage.json",
  ]);
  expect(KEYS_OF.archive("2026-10")).toEqual(CSV.map((name) => `archive/v1/2026-10/${name}`));
  expect(KEYS_OF.archive("2026-11-24")).toEqual([
    "archive/v1/2026-11-24/checks.parquet",
    "archive/v1/2026-11-24/checks.ndjson.gz",
  ]);
  expect(KEYS_OF.history(".index")).toEqual(["history/v1/index.json"]);
  expect(KEYS_OF.history("vtb")).toEqual(["history/v1/vtb.json"]);
  expect(KEYS_OF.evidence(".vantages")).toEqual(["evidence/v1/vantages.json"]);
  expect(KEYS_OF.evidence("vtb")).toEqual(["evidence/v1/vtb.json"]);
  expect(KEYS_OF.evidence("raw.home")).toEqual(["evidence/v1/raw/home.json"]);
});

test("without an archive there is nothing", () => {
  expect(plan(stateWith({ ...ARCHIVE, days: [], months: [] })).signatures.size).toBe(0);
});

test("files are known by their digests, those of closed months by what was published", () => {
  const { signatures, isDeliberate, keysOf } = plan(stateWith(ARCHIVE));
  expect(Object.fromEntries(signatures)).toEqual({
    "2026-11-24": "aaaaaaaa",
    "2026-10": "cccccccccccccccc",
    "2026-09": "dddddddddddddddd",
    "2026-09-30": "closed",
    index: expect.stringMatching(/^.{5,}$/u),
  });
  expect([isDeliberate("2026-11-24"), keysOf("2026-10")]).toEqual([
    true,
    KEYS_OF.archive("2026-10"),
  ]);
  const closedAs = (digest: string) =>
    plan(stateWith(ARCHIVE, { "2026-09-30": digest })).signatures.get("2026-09-30");
  expect([closedAs("bbbbbbbb"), closedAs(OUTDATED)]).toEqual(["bbbbbbbb", "closed"]);
});

test("the lists change with every part, and with nothing else", () => {
  const indexOf = (archive: ArchiveState, digests = {}) =>
    plan(stateWith(archive, digests)).signatures.get("index");
  const before = indexOf(ARCHIVE);
  expect(indexOf(ARCHIVE, { "2026-09-30": "bbbbbbbb" })).toBe(before);
  for (const changed of [
    { ...ARCHIVE, days: [part("2026-11-24", ["checks.parquet"], "e")] },
    { ...ARCHIVE, days: [{ ...DAY, date: "2026-11-25" }] },
    { ...ARCHIVE, months: [CLOSED_MONTH] },
    { ...ARCHIVE, months: [{ ...CLOSED_MONTH, closedDays: ["29"] }, OPEN_MONTH] },
  ])
    expect(indexOf(changed)).not.toBe(before);
});

test("the lists name the days of closed months, unless their object is gone", async () => {
  const store = createMemoryStore();
  const { build } = plan(stateWith(ARCHIVE), store);
  expect(await build("index")).toEqual([]);
  // The sealed list still has a day that was let go; the published lists leave it out.
  await sealClosedDays(store, "2026-09", [{ ...CLOSED_DAY, date: "2026-09-29" }, CLOSED_DAY]);
  const [index = [], about = []] = await textsOf(build("index"));
  expect([index[0], about[0]]).toEqual(KEYS_OF.archive("index"));
  const { days, months } = JSON.parse(index[1] ?? "");
  const datesOf = (parts: readonly { readonly date: string }[]) => parts.map(({ date }) => date);
  expect([datesOf(days), datesOf(months)]).toEqual([
    ["2026-11-24", "2026-09-30"],
    ["2026-10", "2026-09"],
  ]);
  expect(JSON.parse(about[1] ?? "").resources).toHaveLength(6);
});

test("a month is made of its sealed files, all of them or none", async () => {
  const store = createMemoryStore();
  const { build } = plan(stateWith(ARCHIVE), store);
  await sealArchiveFile(store, "2026-10", "changes.csv", Buffer.from("one"));
  expect(await build("2026-10")).toEqual([]);
  await sealArchiveFile(store, "2026-10", "reports.csv", Buffer.from("two"));
  expect(await textsOf(build("2026-10"))).toEqual([
    ["archive/v1/2026-10/changes.csv", "one"],
    ["archive/v1/2026-10/reports.csv", "two"],
  ]);
});

test("a day that is unknown, or whose file is gone, is not made", async () => {
  const store = createMemoryStore();
  const { build } = plan(stateWith(ARCHIVE), store);
  await sealClosedDays(store, "2026-09", [CLOSED_DAY]);
  for (const id of ["2026-11-24", "2026-11-23", "2026-09-30", "2026-09-29", "2026-08"])
    expect(await build(id)).toEqual([]);
  await sealArchiveFile(store, "2026-11-24", "checks.ndjson.gz", Buffer.from("damaged"));
  expect(await build("2026-11-24")).toEqual([]);
});
