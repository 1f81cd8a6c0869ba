import { readFileSync } from "node:fs";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  describeProblems,
  describeReadError,
  readNetworks,
  writeOutput,
} from "../../src/setup/files/named-files.ts";
import { readConfigOf } from "./given.ts";
import { FONT_FILE, readVersion, SHIPPED_TRUTH } from "../../src/setup/shipped-files.ts";
import { readSharedRoot } from "../simulated-internet/public-root.ts";
import { makeScratchFolder } from "../store/scratch.ts";

test.each([
  ["ENOENT", "the file does not exist."],
  ["EISDIR", "it is a directory; name a file."],
  ["EACCES", "it may not be read; fix its permissions."],
  ["EIO", "as the system says."],
])("a file that cannot be read for %s has its own sentence", (code, problem) => {
  const error = Object.assign(new Error("as the system says"), { code });
  expect(describeReadError(error)).toEqual({ problem });
});

test("a problem of a file has its place, and its path unless it is of the whole", () => {
  const at = { line: 2, column: 3, message: "wrong." };
  expect(
    describeProblems("a.yaml", [
      { ...at, path: "x.y" },
      { ...at, path: "" },
    ]),
  ).toEqual(["a.yaml:2:3: x.y: wrong.", "a.yaml:2:3: wrong."]);
});

test("an output may be read by others, and one that cannot be written says what to do", async () => {
  const folder = makeScratchFolder();
  const file = join(folder, "a.prom");
  expect(await writeOutput("metricsFile", file, Buffer.from("x"))).toBeUndefined();
  expect([await readFile(file, "utf8"), (await stat(file)).mode & 0o777]).toEqual(["x", 0o644]);
  await mkdir(join(folder, "taken"));
  const problem = await writeOutput("metricsFile", join(folder, "taken"), Buffer.from("x"));
  expect(problem).toMatch(
    /^metricsFile \/.+\/taken cannot be written: .+\. Create its folder, and let this user write there\.$/u,
  );
});

test("the program comes with a font, networks, what is known, and its version", async () => {
  expect(readFileSync(FONT_FILE).subarray(0, 4)).toEqual(Buffer.of(0, 1, 0, 0));
  expect(SHIPPED_TRUTH).toMatch(/\/data\/truth\.yaml$/u);
  expect((await readNetworks())("8.8.8.8")).toMatch(/google/iu);
  const { version } = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
  ) as { readonly version: string };
  expect(readVersion().split(" ")[0]).toBe(version);
});

test("roots for national trust are taken beside those that Node has", async () => {
  const pem = readSharedRoot()?.certificatePem.trim() ?? "";
  const [national, others] = ["national.pem", "others.pem"].map((name) =>
    join(makeScratchFolder(), name),
  ) as [string, string];
  await writeFile(national, `# ours\n${pem}\n${pem}\n`);
  await writeFile(others, pem);
  const rootsOf = async (extraCa: string | undefined, env = {}) =>
    (await readConfigOf({ extraCa }, env)).roots;
  expect(await rootsOf(undefined, { NODE_EXTRA_CA_CERTS: others })).toEqual({
    everywhere: [],
    national: [],
  });
  expect(await rootsOf(national)).toEqual({ everywhere: [], national: [pem, pem] });
  expect(await rootsOf(national, { NODE_EXTRA_CA_CERTS: others })).toEqual({
    everywhere: [pem],
    national: [pem, pem],
  });
  // Node itself only warns of it.
  expect(await rootsOf(national, { NODE_EXTRA_CA_CERTS: "/nowhere" })).toMatchObject({
    everywhere: [],
  });
});
