import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { slotOf } from "../../src/setup/registry/cell.ts";
import { readGiven } from "../setup/given.ts";
import { useCliFixture } from "./cli-fixture.ts";
import type { Workspace } from "./workspace.ts";

const { workspace } = useCliFixture(true);
const IDS = Array.from({ length: 6 }, (_, at) => `shop-${at}`);

async function open(): Promise<Workspace> {
  const one = await workspace();
  for (const id of IDS) await one.set(id, { kind: "page" });
  const lines = IDS.map((id) => `  - { id: ${id}, url: "https://${one.host(id)}/", public: true }`);
  await writeFile(join(one.folder, "monitors.yaml"), ["monitors:", ...lines, ""].join("\n"));
  return one;
}

const AT = ["--at", "2026-11-24T00:00:00Z"];

const monitorFiles = async (one: Workspace): Promise<readonly string[]> =>
  [...(await one.published()).keys()].filter((name) => /(?:^|\/)m\/|\/m\//u.test(name)).toSorted();

test("cells share the monitors, and only the first has the services", async () => {
  const [whole, parts] = [await open(), await open()];
  expect(await whole.run(AT)).toMatchObject({ code: 0 });
  const runCell = (cell: string, ...more: readonly string[]) =>
    parts.run([...AT, "--cell", cell, "--state", `file:.state-${cell.charAt(0)}`, ...more]);
  const second = await runCell("1/3", "--no-services");
  expect(second).toMatchObject({ code: 0 });
  expect([...(await parts.documents()).keys()].filter((name) => name.includes("v1"))).toEqual([]);
  const own = IDS.filter((id) => slotOf(id) % 3 === 1);
  const shown = (await monitorFiles(parts)).filter((name) => name.endsWith("/badge.svg"));
  expect(shown.length).toBe(own.length);
  expect(await runCell("2/3", "--no-services")).toMatchObject({ code: 0 });
  expect(await runCell("0/3")).toMatchObject({ code: 0 });
  expect(await monitorFiles(parts)).toEqual(await monitorFiles(whole));
  expect(await parts.codes()).toEqual(await whole.codes());
  // No cell takes what another one has published for its own, or for something to remove.
  const [before, codes] = [await monitorFiles(parts), await parts.codes()];
  for (const cell of ["0/3", "1/3", "2/3"]) {
    const more = cell === "0/3" ? [] : ["--no-services"];
    const again = await runCell(cell, "--audit", ...more);
    expect(again).toMatchObject({ code: 0 });
  }
  expect(await monitorFiles(parts)).toEqual(before);
  expect(await parts.codes()).toEqual(codes);
});

test("a cell that would publish the services again is refused", async () => {
  const one = await open();
  const { code, stderr } = await one.run(["--cell", "1/2"]);
  expect([code, stderr.includes("add --no-services")]).toEqual([2, true]);
});

test("a cell is a number below that of the cells", () => {
  const read = (cell: string) => readGiven(["cell"], { cell });
  expect(read("0/1")).toMatchObject({ value: { cell: { number: 0, of: 1 } } });
  expect(read("4095/4096")).toMatchObject({ value: { cell: { number: 4_095, of: 4_096 } } });
  for (const text of ["1/1", "0/0", "0/4097", "-1/2", "1", "a/b", "1/2/3", ""])
    expect([text, "problem" in read(text)]).toEqual([text, true]);
});
