import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Behaviour, DnsBehaviour } from "./behaviour.ts";
import { openBlackhole } from "./blackhole.ts";
import { openCertificateIssuer, type CertificateIssuer } from "./certificates.ts";
import { openDirectory, type Directory, type HostStats, type Scheme } from "./directory.ts";
import { startDnsServer, type DnsServer, type QueryCounts } from "./dns-server.ts";
import { readSharedRoot } from "./public-root.ts";
import { listen, startHttpFront, startTlsFront } from "./front.ts";

/** Plain data: `main.ts` reads the same from a JSON file. */
export interface InternetOptions {
  /** By `host`, `scheme://host` or `scheme://host/path?query`. */
  readonly behaviours?: Readonly<Record<string, Behaviour>>;
  /** By name; wildcards as in `DnsServer.set`. */
  readonly dns?: Readonly<Record<string, DnsBehaviour>>;
  /** Behaviour of all other hosts. Default: a healthy page. */
  readonly fallback?: Behaviour;
  /** By default, the public root is that of the test run, if there is one, which all its processes trust. */
  readonly hasOwnRoot?: boolean;
  /** Hosts whose certificates are issued before the start completes, so that no probe waits for one. */
  readonly warmHosts?: readonly string[];
}

/** All ports are on 127.0.0.1. */
export interface InternetAddresses {
  readonly dnsPort: number;
  readonly tlsPort: number;
  readonly httpPort: number;
  /** RST answers a SYN. */
  readonly refusedPort: number;
  /** Nothing answers a SYN. */
  readonly blackholePort: number;
  /** RST immediately after the connection was accepted. */
  readonly resetPort: number;
  /** PEM of the root that represents the public ones. */
  readonly rootCaFile: string;
  /** PEM of the root that represents the national one. */
  readonly nationalCaFile: string;
}

export interface SimulatedInternet extends InternetAddresses {
  /** Sets the behaviour of a host from its next connection on. Throws if it is invalid. */
  set(key: string, behaviour: Behaviour): void;
  setDns(name: string, behaviour: DnsBehaviour): void;
  /**
   * Lines for `--connect-to @FILE`: `HOST:443:127.0.0.1:PORT`, and the same for port 80. Hosts with their own DNS rule have
   * none, so that their names are resolved. A change of TCP behaviour changes the lines.
   */
  connectToLines(hosts: readonly string[]): string[];
  /** Number of connections that named the host. */
  connections(host: string): number;
  stats(host: string): HostStats;
  dnsQueries(name: string): QueryCounts;
  close(): Promise<void>;
}

/** Starts all servers on free ports of 127.0.0.1. Throws if that is not possible. */
export async function startSimulatedInternet(
  options: InternetOptions = {},
): Promise<SimulatedInternet> {
  const [issuer, dns, blackhole, reset] = await Promise.all([
    openCertificateIssuer(Date.now(), options.hasOwnRoot === true ? undefined : readSharedRoot()),
    startDnsServer(),
    openBlackhole(),
    listen((socket) => socket.resetAndDestroy()),
  ]);
  const directory = openDirectory(options.fallback);
  const tls = await startTlsFront(directory, issuer);
  const http = await startHttpFront(directory);
  const folder = await mkdtemp(join(tmpdir(), "status-snapshot-internet-"));
  const addresses: InternetAddresses = {
    dnsPort: dns.port,
    tlsPort: tls.port,
    httpPort: http.port,
    refusedPort: blackhole.refusedPort,
    blackholePort: blackhole.port,
    resetPort: reset.port,
    rootCaFile: join(folder, "root.pem"),
    nationalCaFile: join(folder, "national.pem"),
  };
  await writeFile(addresses.rootCaFile, issuer.publicRootPem);
  await writeFile(addresses.nationalCaFile, issuer.nationalRootPem);
  const internet: SimulatedInternet = {
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
    internet.set(key, behaviour);
  for (const [name, behaviour] of Object.entries(options.dns ?? {}))
    internet.setDns(name, behaviour);
  await warm(options.warmHosts ?? [], directory, issuer);
  return internet;
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
  // Removes the DNS rule of the former behaviour, but not one from `setDns`.
  const hadRule = directory.find("https", key).kind === "dns";
  directory.set(key, behaviour);
  if (behaviour.kind === "dns") dns.set(key, behaviour.dns);
  else if (hadRule) dns.unset(key);
}

/** Issues the first certificates of the hosts in advance. */
async function warm(
  hosts: readonly string[],
  directory: Directory,
  issuer: CertificateIssuer,
): Promise<void> {
  await Promise.all(
    hosts.map((host) => {
      const behaviour = directory.find("https", host);
      const kind = "certificate" in behaviour ? behaviour.certificate : undefined;
      return issuer.contextFor(host, kind ?? "public");
    }),
  );
}

function linesFor(host: string, directory: Directory, addresses: InternetAddresses): string[] {
  return [
    `${host}:443:127.0.0.1:${portFor("https", host, directory, addresses)}`,
    `${host}:80:127.0.0.1:${portFor("http", host, directory, addresses)}`,
  ];
}

function portFor(
  scheme: Scheme,
  host: string,
  directory: Directory,
  addresses: InternetAddresses,
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
