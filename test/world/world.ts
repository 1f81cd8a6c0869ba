import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Behaviour, DnsBehaviour } from "./behaviour.ts";
import { openBlackhole } from "./blackhole.ts";
import { openCertificateShop, type CertificateShop } from "./certificates.ts";
import { openDirectory, type Directory, type HostStats, type Scheme } from "./directory.ts";
import { startDnsServer, type DnsServer, type QueryCounts } from "./dns-server.ts";
import { readSharedRoot } from "./public-root.ts";
import { listen, startHttpFront, startTlsFront } from "./front.ts";

/** All of it is plain data: `main.ts` takes the same from a JSON file. */
export interface WorldOptions {
  /** By `host`, `scheme://host` or `scheme://host/path?query`. */
  readonly behaviours?: Readonly<Record<string, Behaviour>>;
  /** By name; `*.example.ru` and `*` for many. */
  readonly dns?: Readonly<Record<string, DnsBehaviour>>;
  /** Hosts of which nothing was said. Without it: a healthy page. */
  readonly fallback?: Behaviour;
  /** Without it, the public root is that of the run of the tests, if there is one, which every process of it trusts. */
  readonly hasOwnRoot?: boolean;
  /** Hosts whose certificates are issued before the world is ready, so that no probe waits for one. */
  readonly warmHosts?: readonly string[];
}

/** Where the world is to be found. All ports are on 127.0.0.1. */
export interface WorldAddresses {
  readonly dnsPort: number;
  readonly tlsPort: number;
  readonly httpPort: number;
  /** RST answers a SYN. */
  readonly refusedPort: number;
  /** Nothing answers a SYN. */
  readonly blackholePort: number;
  /** RST right after the connection was accepted. */
  readonly resetPort: number;
  /** PEM of the root that stands for the public ones. */
  readonly rootCaFile: string;
  /** PEM of the root that stands for the national one. */
  readonly nationalCaFile: string;
}

export interface World extends WorldAddresses {
  /** Changes how a host behaves from its next connection on. Throws on what makes no sense. */
  set(key: string, behaviour: Behaviour): void;
  setDns(name: string, behaviour: DnsBehaviour): void;
  /**
   * Lines for `--connect-to @FILE`: `HOST:443:127.0.0.1:PORT`, and the same for port 80. Hosts that have
   * a DNS rule of their own get none, so that they are looked up. To be asked again after a change of TCP behaviour.
   */
  connectToLines(hosts: readonly string[]): string[];
  /** Connections on which the host was named. */
  connections(host: string): number;
  stats(host: string): HostStats;
  dnsQueries(name: string): QueryCounts;
  close(): Promise<void>;
}

/** Starts everything on free ports of 127.0.0.1. Throws when the system does not let it. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const [shop, dns, blackhole, reset] = await Promise.all([
    openCertificateShop(Date.now(), options.hasOwnRoot === true ? undefined : readSharedRoot()),
    startDnsServer(),
    openBlackhole(),
    listen((socket) => socket.resetAndDestroy()),
  ]);
  const directory = openDirectory(options.fallback);
  const tls = await startTlsFront(directory, shop);
  const http = await startHttpFront(directory);
  const folder = await mkdtemp(join(tmpdir(), "status-snapshot-world-"));
  const addresses: WorldAddresses = {
    dnsPort: dns.port,
    tlsPort: tls.port,
    httpPort: http.port,
    refusedPort: blackhole.refusedPort,
    blackholePort: blackhole.port,
    resetPort: reset.port,
    rootCaFile: join(folder, "root.pem"),
    nationalCaFile: join(folder, "national.pem"),
  };
  await writeFile(addresses.rootCaFile, shop.publicRootPem);
  await writeFile(addresses.nationalCaFile, shop.nationalRootPem);
  const world: World = {
    ...addresses,
    set: (key, behaviour) => setBehaviour(directory, dns, key, behaviour),
    setDns: (name, behaviour) => dns.set(name, behaviour),
    connectToLines: (hosts) =>
      hosts
        .filter((host) => !dns.has(host))
        .flatMap((host) => linesFor(host, directory, addresses)),
    connections: (host) => directory.stats(host).connections,
    stats: (host) => directory.stats(host),
    dnsQueries: (name) => dns.queries(name),
    async close() {
      const closing = [tls, http, reset, dns, blackhole].map((part) => part.close());
      await Promise.all([...closing, rm(folder, { recursive: true, force: true })]);
    },
  };
  for (const [key, behaviour] of Object.entries(options.behaviours ?? {}))
    world.set(key, behaviour);
  for (const [name, behaviour] of Object.entries(options.dns ?? {})) world.setDns(name, behaviour);
  await warm(options.warmHosts ?? [], directory, shop);
  return world;
}

function setBehaviour(
  directory: Directory,
  dns: DnsServer,
  key: string,
  behaviour: Behaviour,
): void {
  if (behaviour.kind === "dns" && key.includes("/")) {
    throw new Error(`${key}: a DNS behaviour belongs to a bare host name`);
  }
  // A rule that came with the former behaviour goes with it; one that `setDns` made stays.
  const hadRule = directory.find("https", key).kind === "dns";
  directory.set(key, behaviour);
  if (behaviour.kind === "dns") dns.set(key, behaviour.dns);
  else if (hadRule) dns.unset(key);
}

/** Issues the certificates that the hosts are going to show first. */
async function warm(
  hosts: readonly string[],
  directory: Directory,
  shop: CertificateShop,
): Promise<void> {
  await Promise.all(
    hosts.map((host) => {
      const behaviour = directory.find("https", host);
      const kind = "certificate" in behaviour ? behaviour.certificate : undefined;
      return shop.contextFor(host, kind ?? "public");
    }),
  );
}

function linesFor(host: string, directory: Directory, addresses: WorldAddresses): string[] {
  return [
    `${host}:443:127.0.0.1:${portFor("https", host, directory, addresses)}`,
    `${host}:80:127.0.0.1:${portFor("http", host, directory, addresses)}`,
  ];
}

function portFor(
  scheme: Scheme,
  host: string,
  directory: Directory,
  addresses: WorldAddresses,
): number {
  switch (directory.find(scheme, host).kind) {
    case "tcp-refused":
      return addresses.refusedPort;
    case "tcp-blackhole":
      return addresses.blackholePort;
    case "tcp-reset":
      return addresses.resetPort;
    default:
      return scheme === "https" ? addresses.tlsPort : addresses.httpPort;
  }
}
