import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);

const { engines } = JSON.parse(readFileSync("package.json", "utf8")) as {
  readonly engines: { readonly node: string };
};

/** Starts the program in a Node that says that it has another version. */
async function startIn(version: string) {
  const pretend = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } })`;
  const args = ["--import", `data:text/javascript,${encodeURIComponent(pretend)}`, "dist/cli.js"];
  return run(process.execPath, [...args, "--version"]).then(
    ({ stdout }) => ({ code: 0, stdout, stderr: "" }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => {
      return { code, stdout, stderr };
    },
  );
}

test.each(["18.20.8", "20.18.3"])("Node %s is refused in one sentence", async (version) => {
  expect(await startIn(version)).toEqual({
    code: 2,
    stdout: "",
    stderr: `status-snapshot needs Node.js ${engines.node.slice(2)} or newer; this is ${version}.\n`,
  });
});

test("the oldest version that package.json names is taken", async () => {
  expect(await startIn(`${engines.node.slice(2)}.0`)).toMatchObject({ code: 0 });
});
