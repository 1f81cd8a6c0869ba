import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { MINUTE_MS } from "../src/model/time.ts";
import { type Helper, startHelper } from "./processes.ts";

const PROGRAM = fileURLToPath(new URL("monitor-targets.ts", import.meta.url));
const READY = z.object({ port: z.number(), rootCaPem: z.string() });
/** All three sizes take about ten minutes on a slow machine. */
const LIFE_MS = 40 * MINUTE_MS;
/** Bytes of a generated id. Source: docs/monitors/registry.md, "Ids". */
const ID_BYTES = 16;
/** Every 100th monitor is public. */
const PUBLIC_EVERY = 100;

/** The sites, and the files and options with which the command line reaches them. */
export interface Workspace {
  readonly targets: Helper;
  readonly port: number;
  readonly rootCaFile: string;
  /** Options with which `run` connects only to the sites. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Sites are numbered from 0. */
export function hostOf(number: number): string {
  return `m${number}.bench.example`;
}

/** Starts the sites and writes the files into the folder. `targets.stop` ends them. */
export async function openWorkspace(folder: string): Promise<Workspace> {
  await mkdir(folder, { recursive: true });
  const targets = await startHelper(process.execPath, ["--import", "tsx", PROGRAM], {
    timeoutMs: LIFE_MS,
  });
  const { stdout } = targets.child;
  if (stdout === null) throw new Error("the sites have no standard output");
  const lines = createInterface({ input: stdout });
  const [line] = await Promise.race([
    once(lines, "line"),
    once(targets.child, "exit").then(() => {
      throw new Error("the sites could not start");
    }),
  ]);
  const { port, rootCaPem } = READY.parse(JSON.parse(String(line)));
  const rootCaFile = join(folder, "root.pem");
  const catalogueFile = join(folder, "catalogue.json");
  await writeFile(rootCaFile, rootCaPem);
  await writeFile(catalogueFile, JSON.stringify(smallCatalogue()));
  return {
    targets,
    port,
    rootCaFile,
    args: ["--catalogue", catalogueFile, "--connect-to", `:443:127.0.0.1:${port}`],
    env: { NODE_EXTRA_CA_CERTS: rootCaFile },
  };
}

/** One service and the minimum of anchors, so that monitors make up nearly the whole run. */
function smallCatalogue(): unknown {
  const anchors = (names: readonly string[], scope: string): unknown[] =>
    names.map((name) => ({ url: `https://${name}.bench.example/`, scope, network: `net ${name}` }));
  return {
    categories: [{ id: "all", name: "Все" }],
    anchors: [
      ...anchors(["d1", "d2", "d3", "d4"], "domestic"),
      ...anchors(["f1", "f2", "f3"], "foreign"),
    ],
    services: [
      {
        slug: "alpha",
        name: "Альфа",
        category: "all",
        endpoints: [{ url: "https://alpha.bench.example/", what: "site" }],
      },
    ],
  };
}

/** Writes monitors as JSON lines, each with its own host and an id as from `monitor add`. */
export async function writeRegistry(file: string, monitors: number): Promise<void> {
  const lines = Array.from({ length: monitors }, (_, number) =>
    JSON.stringify({
      id: randomBytes(ID_BYTES).toString("base64url"),
      url: `https://${hostOf(number)}/`,
      ...(number % PUBLIC_EVERY === 0 ? { public: true } : {}),
    }),
  );
  await writeFile(file, `${lines.join("\n")}\n`);
}
