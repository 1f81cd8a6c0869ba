import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { MINUTE_MS } from "../src/model/time.ts";
import { type Helper, startHelper } from "./processes.ts";

const PROGRAM = fileURLToPath(new URL("monitor-targets.ts", import.meta.url));
const READY = z.object({ port: z.number(), rootCaPem: z.string() });
/** All three sizes take some ten minutes on a slow machine. */
const LIFE_MS = 40 * MINUTE_MS;
/** Bytes of a generated id. Source: docs/monitors.md, "Ids". */
const ID_BYTES = 16;
/** One monitor in so many is public. */
const PUBLIC_EVERY = 100;

/** The sites, and the files by which the command line finds them. */
export interface Stage {
  readonly targets: Helper;
  readonly port: number;
  readonly rootCaFile: string;
  /** Options of `run` that lead it to the sites and nowhere else. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Name of a site; they are numbered from 0. */
export function hostOf(number: number): string {
  return `m${number}.bench.example`;
}

/** Starts the sites and writes what leads to them into the folder. `stop` of the targets ends them. */
export async function openStage(folder: string): Promise<Stage> {
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

/** One service and the fewest anchors that there may be: what remains of a run is monitors. */
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

/** Writes so many monitors as JSON lines, each a host of its own, with ids as `monitor add` makes them. */
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
