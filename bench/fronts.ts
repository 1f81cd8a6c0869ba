import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startCeph } from "../test/system/ceph.ts";
import { openFrontHarness } from "../test/system/front-harness.ts";
import {
  type Edit,
  type Front,
  type FrontName,
  type FrontSource,
  startFront,
  startPlain,
  writeFileAt,
} from "../test/system/fronts.ts";
import type { Figure, Section } from "./report.ts";

/** One thread and 32 connections, because wrk runs on the measured machine. */
const WRK = ["-t1", "-c32", "--latency"];
const SECONDS = 5;
const LIST = "/api/v1/status";

/** As browsers send it. */
const GZIP = ["-H", "Accept-Encoding: gzip"];

/** All load comes from one address, so the limit is raised, but still evaluated for each request. */
const NO_LIMIT: readonly Edit[] = [["rate=10r/s", "rate=1000000r/s"]];

interface Load {
  readonly perSecond: number;
  readonly p99Ms: number;
}

const NEEDED = ["radosgw", "nginx", "varnishd", "caddy", "wrk"];
const FOLDERS = ["/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin"];

/**
 * How fast each front serves the list, compared with a static file of the same bytes from the same server: requests per second, and
 * the 99th percentile of response times. The fronts read from Ceph on the same machine. Takes about a minute. Skipped if a server
 * or `wrk` is not installed (`test/system/run.sh` gets them). Throws if an answer is not 200.
 */
export async function benchFronts(): Promise<Section> {
  const missing = NEEDED.filter(
    (name) => !FOLDERS.some((folder) => existsSync(join(folder, name))),
  );
  if (missing.length > 0) {
    const notes = [
      `Skipped: ${missing.join(", ")} not installed. \`test/system/run.sh\` gets them.`,
    ];
    return { title: "Fronts", command: "npm run bench -- fronts", figures: [], notes };
  }
  const ceph = await startCeph();
  const folder = await mkdtemp(join(tmpdir(), "status-snapshot-bench-"));
  const fronts: Front[] = [];
  const keep = async (front: Promise<Front>): Promise<Front> => {
    fronts.push(await front);
    return front;
  };
  const harness = await openFrontHarness(ceph);
  try {
    const list = harness.documents.find(({ key }) => `/${key}` === LIST)?.body ?? new Uint8Array();
    await writeFileAt(join(folder, "status.json"), list);
    await writeFileAt(join(folder, LIST.slice(1).concat(".json")), list);
    const source = { endpoint: ceph.endpoint, bucket: harness.place, directory: folder };
    const plain = await startPlainFronts(folder, keep);
    return {
      title: `Fronts: the list (${list.length} bytes) under wrk ${WRK.join(" ")} -d${SECONDS}s, store Ceph`,
      command: "npm run bench -- fronts",
      figures: await measureAll(source, plain, keep),
      notes: [
        "wrk, the front and the store share the cores of one machine. Higher is better for requests/s.",
        "Plain: the same bytes as a file, without rules, limits or added headers; for Varnish, from its cache.",
        "Caddy has no cache, so each request for its list is a request to the store.",
      ],
    };
  } finally {
    await Promise.all(fronts.map((front) => front.stop()));
    await harness.close();
    await ceph.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

type Keep = (front: Promise<Front>) => Promise<Front>;
type PlainFronts = Readonly<Record<"nginx" | "varnish" | "caddy", Front>>;

async function startPlainFronts(folder: string, keep: Keep): Promise<PlainFronts> {
  const nginx = await keep(
    startPlain(
      "nginx",
      (port) =>
        `server { listen 127.0.0.1:${port}; root ${folder}; default_type application/json; }`,
    ),
  );
  const varnish = await keep(
    startPlain(
      "varnish",
      () => `vcl 4.1; backend file { .host = "127.0.0.1"; .port = "${nginx.url.port}"; }`,
    ),
  );
  const caddy = await keep(
    startPlain(
      "caddy",
      (port) => `http://127.0.0.1:${port} {\n\troot * ${folder}\n\tfile_server\n}\n`,
    ),
  );
  return { nginx, varnish, caddy };
}

async function measureAll(
  source: FrontSource,
  plain: PlainFronts,
  keep: Keep,
): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  const names: readonly FrontName[] = ["nginx", "nginx-directory", "varnish", "caddy"];
  for (const name of names) {
    const edits = name.startsWith("nginx") ? NO_LIMIT : [];
    const front = await keep(startFront(name, source, { edits, isPlain: true }));
    const list = new URL(LIST, front.url);
    figures.push(...toFigures(`${name}, list`, await measure(list)));
    figures.push(...toFigures(`${name}, list, gzip`, await measure(list, GZIP)));
    // The directory front is nginx as well, with the same plain file.
    if (name === "nginx-directory") continue;
    const file = new URL("/status.json", plain[name].url);
    figures.push(...toFigures(`${name}, plain file`, await measure(file)));
  }
  return figures;
}

function toFigures(what: string, { perSecond, p99Ms }: Load): readonly Figure[] {
  return [
    { what, values: [perSecond], unit: "requests/s", digits: 0 },
    { what: `${what}, p99`, values: [p99Ms], unit: "ms", digits: 2 },
  ];
}

/** Measures after a warm-up of one second, which fills caches and opens connections. */
async function measure(url: URL, options: readonly string[] = []): Promise<Load> {
  await runWrk(url, 1, options);
  return readWrk(await runWrk(url, SECONDS, options));
}

async function runWrk(url: URL, seconds: number, options: readonly string[]): Promise<string> {
  const args = [...WRK, `-d${seconds}s`, ...options, url.href];
  const { stdout } = await promisify(execFile)("wrk", args);
  return stdout;
}

const MS_OF = { us: 0.001, ms: 1, s: 1_000 } as const;

/** Reads the report of wrk 4. Throws if it has no figures, or if a request failed. */
function readWrk(report: string): Load {
  const [, perSecond] = /^Requests\/sec:\s+([\d.]+)/mu.exec(report) ?? [];
  const [, p99, unit] = /^\s+99%\s+([\d.]+)(us|ms|s)$/mu.exec(report) ?? [];
  const isComplete = perSecond !== undefined && p99 !== undefined && unit !== undefined;
  if (!isComplete || /Non-2xx|Socket errors/u.test(report)) throw new Error(`wrk: ${report}`);
  // The pattern matches exactly these units.
  return { perSecond: Number(perSecond), p99Ms: Number(p99) * MS_OF[unit as keyof typeof MS_OF] };
}
