import { access, constants, statfs } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { dirname } from "node:path";
import { messageOf } from "../model/errors.ts";
import { parseLocation } from "../store/location.ts";
import { reachHeartbeat } from "../setup/heartbeat.ts";
import type { RunFlags } from "../setup/options/options.ts";
import { type Check, type CheckFinding, fail, ok, warn } from "./check.ts";

/* The machine on which the runs are made, and the outside places that they use besides the stores. */

const MIB = 1024 * 1024;
/** Room for the state, the documents and their temporary files. Source: docs/operations/costs.md. */
const MIN_FREE_BYTES = 100 * MIB;
const SCARCE_BYTES = 1024 * MIB;

/** Variables by which other programs find a proxy, in both spellings. */
const PROXIES = ["http_proxy", "https_proxy", "all_proxy"];

type MachineFlags = Pick<
  RunFlags,
  "settings" | "line" | "heartbeatUrl" | "metricsFile" | "store" | "state"
>;

/** @param warnings of the settings, as a run logs them. */
export async function checkMachine(
  flags: MachineFlags,
  warnings: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly Check[]> {
  const { settings, line, heartbeatUrl, metricsFile } = flags;
  const from = settings ?? "no settings file";
  return [
    { name: "settings", ...(warnings.length === 0 ? ok(from) : warn(warnings.join(" "))) },
    { name: "line", ...ok(`${line}; set line if this machine has another one`) },
    { name: "IPv4", ...judgeAddresses(networkInterfaces()) },
    { name: "proxies", ...judgeProxies(env) },
    { name: "disk", ...(await checkDisk([flags.store, flags.state])) },
    ...(metricsFile === undefined
      ? []
      : [{ name: "metricsFile", ...(await checkFolder(metricsFile)) }]),
    ...(heartbeatUrl === undefined
      ? []
      : [{ name: "heartbeatUrl", ...(await checkHeartbeat(heartbeatUrl)) }]),
  ];
}

/** Most services have IPv4 addresses only, so that all of them would fail. */
export function judgeAddresses(all: ReturnType<typeof networkInterfaces>): CheckFinding {
  const addresses = Object.values(all)
    .flatMap((of = []) => of)
    .filter(({ family, internal }) => family === "IPv4" && !internal);
  return addresses.length > 0
    ? ok(addresses.map(({ address }) => address).join(", "))
    : warn(
        "this machine has no IPv4 address, and most services have no other: they would seem to be down. Give it one.",
      );
}

function judgeProxies(env: Readonly<Record<string, string | undefined>>): CheckFinding {
  const set = PROXIES.flatMap((name) => [name, name.toUpperCase()]).filter(
    (name) => (env[name] ?? "") !== "",
  );
  return set.length === 0
    ? ok("none")
    : warn(
        `${set.join(", ")}: ignored, because the runner measures its own line. Make sure that it has one.`,
      );
}

async function checkDisk(stores: readonly string[]): Promise<CheckFinding> {
  const paths = stores.flatMap((url) => {
    const location = parseLocation(url);
    return location.kind === "directory" ? [location.path] : [];
  });
  // The folder itself is made by the first run.
  return judgeSpace((await Promise.all([".", ...paths].map(findFree))).flat());
}

/** Whether the place with the least space has room for a run. */
export function judgeSpace(found: Awaited<ReturnType<typeof findFree>>): CheckFinding {
  const [least] = found.toSorted((a, b) => a.freeBytes - b.freeBytes);
  if (least === undefined) return warn("its free space is unknown.");
  const detail = `${Math.floor(least.freeBytes / MIB)} MiB free at ${least.path}`;
  if (least.freeBytes >= SCARCE_BYTES) return ok(detail);
  const judge = least.freeBytes < MIN_FREE_BYTES ? fail : warn;
  return judge(`${detail}: free some, or a run will end with "no space left".`);
}

/** Nothing if the file system does not say. */
async function findFree(path: string) {
  try {
    const { bavail, bsize } = await statfs(path);
    return [{ path, freeBytes: bavail * bsize }];
  } catch {
    return [];
  }
}

async function checkFolder(file: string): Promise<CheckFinding> {
  const folder = dirname(file);
  try {
    await access(folder, constants.W_OK);
    return ok(`${folder} can be written`);
  } catch (error) {
    return fail(
      `${file} cannot be written: ${messageOf(error)}. Create its folder, and let this user write there.`,
    );
  }
}

async function checkHeartbeat(url: string): Promise<CheckFinding> {
  const failure = await reachHeartbeat(url);
  return failure === undefined
    ? ok(`${new URL(url).origin} answers; a heartbeat is sent by runs alone`)
    : fail(`${failure} Fix heartbeatUrl, or the way to that host.`);
}
