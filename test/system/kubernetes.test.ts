import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { buildGoTool } from "./go-tool.ts";

const FOLDER = fileURLToPath(new URL("../../deploy/kubernetes", import.meta.url));
/** Its schemas are built into the validator. */
const KUBERNETES = "1.30";

let validator = "";
beforeAll(async () => {
  validator = await buildGoTool("kubectl-validate");
});

/** What the validator says of a manifest; empty if it is right. */
async function validate(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "status-snapshot-kubernetes-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "manifest.yaml");
  await writeFile(file, text);
  try {
    await promisify(execFile)(validator, [file, "--version", KUBERNETES]);
    return "";
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
    return stdout + stderr;
  }
}

const read = (name: string): Promise<string> => readFile(join(FOLDER, name), "utf8");

test.each(["cells.yaml", "workers.yaml"])("Kubernetes takes %s", async (name) => {
  expect(await validate(await read(name))).toBe("");
});

test.each([
  ["cells.yaml", "completionMode: Indexed", "completionMod: Indexed", "unknown field"],
  ["cells.yaml", "completions: 10", "completions: ten", "must be of type integer"],
  ["workers.yaml", "image:", "imag:", "unknown field"],
])("Kubernetes would find a mistake in %s: %s for %s", async (name, right, wrong, complaint) => {
  expect(await validate((await read(name)).replace(right, wrong))).toContain(complaint);
});

interface CellsManifest {
  readonly spec: {
    readonly jobTemplate: {
      readonly spec: {
        readonly completions: number;
        readonly parallelism: number;
        readonly activeDeadlineSeconds: number;
        readonly template: {
          readonly spec: { readonly containers: readonly { readonly args: readonly string[] }[] };
        };
      };
    };
  };
}

test("there is a pod for each cell, and it ends before the next start", async () => {
  const { spec } = parse(await read("cells.yaml")) as CellsManifest;
  const { completions, parallelism, activeDeadlineSeconds, template } = spec.jobTemplate.spec;
  expect(parallelism).toBe(completions);
  expect(activeDeadlineSeconds).toBeLessThan(300);
  expect(template.spec.containers[0]?.args).toContain(`--cell=$(CELL)/${completions}`);
});
