import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import { type CliResult, eventsNamed, until } from "../cli/cli.ts";
import { startLoopbackS3 } from "../cli/loopback-s3.ts";
import { BETA_ABROAD, openWorkspace, type Workspace } from "../cli/workspace.ts";
import { openPlaces } from "../simulated-internet/places.ts";

export const ROOT: string = fileURLToPath(new URL("../../", import.meta.url));

/** Of no user of this machine. */
export const ANY_UID = 54_321;

/** A runner, its store, and what a place on a line at home is given: settings and a key, in a folder that it need not write. */
export interface HomeLine {
  readonly one: Workspace;
  /** Lines `NAME=value`, as /etc/status-snapshot/vantage has them. */
  readonly settings: string;
  readonly key: string;
  /** A run; gives what it heard. */
  readonly run: () => Promise<unknown>;
}

/** Opens a workspace that stops with the test, and asks once. @param uid who may read the key. */
export async function openHomeLine(uid: number): Promise<HomeLine> {
  const places = await openPlaces(["moscow", "home"]);
  onTestFinished(() => places.close());
  const one = await openWorkspace(places.at("moscow"), BETA_ABROAD);
  onTestFinished(() => one.close());
  const s3 = await startLoopbackS3();
  const [settings, key] = [join(one.folder, "vantage"), join(one.folder, "vantage.jwk")];
  const { stdout } = await one.program(["vantage", "keygen", "--key", key]);
  const about = "id: home, kind: moscow, line: home, country: RU, asn: 25513, network: MGTS";
  await writeFile(join(one.folder, "vantages.yaml"), `vantages: [{ ${about}, ${stdout.trim()} }]`);
  await writeFile(
    join(one.folder, "home.txt"),
    places.connectToLines("home", one.hosts.map(one.host)).join("\n"),
  );
  cpSync(places.at("home").rootCaFile, join(one.folder, "root.pem"));
  const anchors = ["d1", "d2", "d3", "d4"].map((name) => `https://${one.host(name)}/`);
  const lines = [
    "# As on the place itself.",
    `STATUS_SNAPSHOT_ASK=${s3.url("exchange")}`,
    "STATUS_SNAPSHOT_VANTAGE_ID=home",
    `STATUS_SNAPSHOT_ANCHOR=${anchors.join(" ")}`,
    `STATUS_SNAPSHOT_CONNECT_TO=@${join(one.folder, "home.txt")}`,
    "STATUS_SNAPSHOT_ALLOW_PRIVATE=127.0.0.0/8",
    `NODE_EXTRA_CA_CERTS=${join(one.folder, "root.pem")}`,
    ...Object.entries(s3.env).map(([name, value]) => `${name}=${value}`),
  ];
  await writeFile(settings, `${lines.join("\n")}\n`);
  // Another user reads the folder, and of the key nothing but its own copy.
  await chmod(one.folder, 0o755);
  if (process.getuid?.() === 0) execFileSync("chown", [`${uid}`, key]);
  const run = async (): Promise<unknown> => {
    const ended = await one.run(["--set", `exchange=${s3.url("exchange")}`], s3.env);
    expect(ended, ended.stderr).toMatchObject({ code: 0 });
    return eventsNamed(ended.stderr, "vantages-heard").at(-1);
  };
  await run();
  return { one, settings, key, run };
}

/** Packs the program into a folder, as `npm pack` does, and gives the name of the file. */
export function packInto(folder: string): string {
  mkdirSync(folder, { recursive: true });
  // What `npm run build` has made: the tests of the package build it themselves.
  const options = ["--silent", "--ignore-scripts", "--pack-destination", folder];
  execFileSync("npm", ["pack", ...options], { cwd: ROOT });
  return join(folder, readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "");
}

/** Installs a packed program below a folder, without a registry; gives its command. */
export function installInto(folder: string, packed: string): string {
  execFileSync("tar", ["-xzf", packed, "-C", folder]);
  symlinkSync("package/dist/cli.js", join(folder, "status-snapshot"));
  return join(folder, "status-snapshot");
}

/** Starts a place, and stops it when it has answered. @returns its end, and its log. */
export async function answerOnce(command: readonly string[]): Promise<CliResult> {
  const [file = "", ...args] = command;
  const child = spawn(file, args, { stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const closed = once(child, "close");
  await until(
    "it has answered",
    () => stderr.includes('"event":"ask-answered"') || child.exitCode !== null,
  );
  child.kill("SIGTERM");
  await closed;
  return { code: child.exitCode, stdout, stderr, durationMs: 0 };
}
