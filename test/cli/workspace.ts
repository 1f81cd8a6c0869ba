import { existsSync } from "node:fs";
import { mkdtemp, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Behaviour } from "../simulated-internet/behaviour.ts";
import type { SimulatedInternet } from "../simulated-internet/simulated-internet.ts";
import { runCli, startCli, type CliResult, type RunningCli } from "./cli.ts";
import { areKeys, runHere } from "./run-here.ts";

/** One entry of the list document. */
export interface Summary {
  readonly slug: string;
  readonly name: string;
  readonly color: string;
  readonly code: string;
  readonly live: boolean;
}

export interface Detail extends Summary {
  readonly since: number | null;
  readonly reportsHour: number;
  readonly reportsDay: number;
}

export interface List {
  readonly updated: number;
  readonly services: readonly Summary[];
}

type EndpointFields = Readonly<Record<string, unknown>> & { readonly host: string };

/** A service of a test catalogue, with endpoints by host name, and defaults for all other fields. */
export interface WorkspaceService {
  readonly slug: string;
  readonly endpoints?: readonly EndpointFields[];
  readonly annotations?: readonly Readonly<Record<string, string>>[];
  readonly abroad?: true;
}

/** Services with these slugs. */
export function named(...slugs: readonly string[]): readonly WorkspaceService[] {
  return slugs.map((slug) => ({ slug }));
}

/** Alpha, beta and gamma, of which beta is abroad: blocking is claimed of services abroad alone. */
export const BETA_ABROAD: readonly WorkspaceService[] = [
  { slug: "alpha" },
  { slug: "beta", abroad: true },
  { slug: "gamma" },
];

/** A new folder with a small catalogue, whose hosts in the simulated internet belong to this workspace only. */
export interface Workspace {
  readonly folder: string;
  readonly hosts: readonly string[];
  /** The host's full name: `alpha` is `alpha.s7.example`. */
  readonly host: (name: string) => string;
  /** Sets the behaviour of a host; adds it if the catalogue does not name it. */
  readonly set: (name: string, behaviour: Behaviour) => Promise<void>;
  readonly connections: (name: string) => number;
  /** Connections to any host of the workspace, including anchors. */
  readonly allConnections: () => number;
  readonly writeCatalogue: (services: readonly WorkspaceService[]) => Promise<void>;
  /** Runs `run` like `cli`. */
  readonly run: (
    args?: readonly string[],
    env?: Readonly<Record<string, string>>,
  ) => Promise<CliResult>;
  /**
   * Runs any command, without the options of `run`: as a process, or in this one if the workspace was opened so and the environment
   * has only credentials of a store.
   */
  readonly cli: (
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
  ) => Promise<CliResult>;
  /** Runs any command as a process to its end. */
  readonly program: (
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
  ) => Promise<CliResult>;
  /** Starts any command as a process. */
  readonly start: (args: readonly string[], env?: Readonly<Record<string, string>>) => RunningCli;
  /** The options of `run` for this workspace. */
  readonly options: readonly string[];
  readonly list: () => Promise<List>;
  readonly detail: (slug: string) => Promise<Detail>;
  /** The code of each service in the list. */
  readonly codes: () => Promise<Readonly<Record<string, string>>>;
  /** The text of documents of API v1 and badges by path; empty if there is no folder. */
  readonly documents: () => Promise<ReadonlyMap<string, string>>;
  /** Every visible file below the public folder, including the website. */
  readonly published: () => Promise<ReadonlyMap<string, string>>;
  readonly hasState: () => boolean;
  readonly close: () => Promise<void>;
}

const DOMESTIC = ["d1", "d2", "d3", "d4"];
const FOREIGN = ["f1", "f2", "f3"];

/** The catalogue that most tests use. */
const SERVICES: readonly WorkspaceService[] = [
  { slug: "alpha", endpoints: [{ host: "alpha" }, { host: "alpha-api" }] },
  { slug: "beta" },
  { slug: "gamma" },
];

let count = 0;

/** @param isHere commands run in this process, see `run-here.ts`. */
export async function openWorkspace(
  internet: SimulatedInternet,
  services: readonly WorkspaceService[] = SERVICES,
  isHere = false,
): Promise<Workspace> {
  count += 1;
  const suffix = `s${count}.example`;
  const folder = await mkdtemp(join(tmpdir(), "status-snapshot-cli-"));
  const host = (name: string): string => `${name}.${suffix}`;
  const hosts = [
    ...DOMESTIC,
    ...FOREIGN,
    ...services.flatMap(({ slug, endpoints = [{ host: slug }] }) =>
      endpoints.map((one) => one.host),
    ),
  ];
  const env = { NODE_EXTRA_CA_CERTS: internet.rootCaFile, STATUS_SNAPSHOT_LOG: "debug" };
  const options = [
    "--catalogue",
    "catalogue.json",
    "--connect-to",
    "@hosts.txt",
    "--set",
    "confirm=none",
  ];
  const publicFolder = join(folder, "public");
  const read = async (path: string): Promise<unknown> =>
    JSON.parse(await readFile(join(publicFolder, "api/v1", path), "utf8"));
  const writeHosts = (): Promise<void> =>
    replaceFile(join(folder, "hosts.txt"), internet.connectToLines(hosts.map(host)).join("\n"));
  const writeCatalogue = (all: readonly WorkspaceService[]): Promise<void> =>
    replaceFile(
      join(folder, "catalogue.json"),
      JSON.stringify(catalogueOf(all, host), undefined, 1),
    );
  const program: Workspace["program"] = (args, more = {}) =>
    runCli(args, { cwd: folder, env: { ...env, ...more } });
  const cli: Workspace["cli"] = (args, more = {}) =>
    isHere && areKeys(more) ? runHere(args, folder, more) : program(args, more);
  await writeHosts();
  await writeCatalogue(services);
  return {
    folder,
    hosts,
    host,
    async set(name, behaviour) {
      if (!hosts.includes(name)) hosts.push(name);
      internet.set(host(name), behaviour);
      await writeHosts();
    },
    connections: (name) => internet.connections(host(name)),
    allConnections: () => hosts.reduce((sum, name) => sum + internet.connections(host(name)), 0),
    writeCatalogue,
    options,
    // The last one of an option counts, so tests can replace these.
    run: (args = [], more) => cli(["run", ...options, ...args], more),
    cli,
    program,
    start: (args, more = {}) => startCli(args, { cwd: folder, env: { ...env, ...more } }),
    // The test of the shipped catalogue checks all fields.
    list: async () => (await read("status.json")) as List,
    detail: async (slug) => (await read(`status/${slug}.json`)) as Detail,
    async codes() {
      const { services: all } = (await read("status.json")) as List;
      return Object.fromEntries(all.map(({ slug, code }) => [slug, code]));
    },
    documents: async () => {
      const files = await readTree(publicFolder);
      return new Map([...files].filter(([path]) => /^api\/(?:v1|m)\//u.test(path)));
    },
    published: () => readTree(publicFolder),
    hasState: () => existsSync(join(folder, ".state/state.json.gz")),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Writes atomically, so that a process never reads half of the file. */
async function replaceFile(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
}

function catalogueOf(
  services: readonly WorkspaceService[],
  host: (name: string) => string,
): unknown {
  const anchors = (names: readonly string[], scope: string): unknown[] =>
    names.map((name) => ({ url: `https://${host(name)}/`, scope, network: `net ${name}` }));
  return {
    categories: [{ id: "all", name: "Все" }],
    anchors: [...anchors(DOMESTIC, "domestic"), ...anchors(FOREIGN, "foreign")],
    services: services.map(({ slug, endpoints = [{ host: slug }], annotations, abroad }) => ({
      slug,
      name: `Сервис ${slug}`,
      category: "all",
      endpoints: endpoints.map(({ host: name, ...fields }) => ({
        url: `https://${host(name)}/`,
        what: `site ${name}`,
        ...fields,
      })),
      ...(annotations === undefined ? {} : { annotations }),
      ...(abroad === undefined ? {} : { abroad }),
    })),
  };
}

/** Files that are served, without temporary folders, which begin with a dot. */
export async function readTree(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.slice(folder.length).includes("/."))
    .toSorted();
  const texts = await Promise.all(files.map(readIfThere));
  return new Map(
    texts.flatMap((text, index) =>
      text === undefined ? [] : [[(files[index] ?? "").slice(folder.length + 1), text]],
    ),
  );
}

/** Undefined for a file that a running process has removed since the folder was read. */
async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
