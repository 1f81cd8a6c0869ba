import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const BUILD = fileURLToPath(new URL("go-tool.sh", import.meta.url));

/** The path of a program that Go builds, once; `run.sh` builds them before the tests. Throws what is missing to build it. */
export async function buildGoTool(name: "nats-server" | "kubectl-validate"): Promise<string> {
  const { stdout } = await promisify(execFile)(BUILD, [name]);
  return stdout.trim();
}
