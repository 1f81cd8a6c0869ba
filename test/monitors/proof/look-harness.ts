import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { LookForProof } from "../../../src/model/monitor/owned-monitor.ts";
import { createLookForProof } from "../../../src/monitors/proof/look-for-proof.ts";
import { createTxtResolver } from "../../../src/probe/network/dns.ts";
import {
  buildProbeDependencies,
  buildUrlGuard,
  type ProbeConfig,
} from "../../../src/probe/probe-config.ts";
import { T0 } from "../../model/samples.ts";
import { PATIENCE_MS } from "../../patience.ts";
import { startDnsServer } from "../../simulated-internet/dns-server.ts";

export interface SiteAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string;
}

/** A site on the loopback, a name server, and looks through the guards of a probe. */
export interface LookHarness {
  readonly port: number;
  /** Answers of the site by `Host` and path, then by path; a text is a page, a URL a redirect. */
  readonly site: Map<string, string | SiteAnswer>;
  readonly dns: Awaited<ReturnType<typeof startDnsServer>>;
  /** Requests that have reached the site. */
  readonly requests: readonly string[];
  readonly forgetRequests: () => void;
  /** Looks with the guards as shipped, except for what may be connected to. */
  readonly lookWith: (config: Partial<ProbeConfig>, isGuarded?: boolean) => LookForProof;
  readonly close: () => Promise<void>;
}

export async function startLookHarness(): Promise<LookHarness> {
  const site = new Map<string, string | SiteAnswer>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const host = (request.headers.host ?? "").replace(/:\d+$/u, "");
    requests.push(`${host}${request.url ?? ""}`);
    const text = site.get(`${host}${request.url ?? ""}`) ?? site.get(request.url ?? "");
    if (text === undefined) response.writeHead(404).end("nothing");
    else if (typeof text === "object") response.writeHead(text.status, text.headers).end(text.body);
    else if (/^[a-z]+:/u.test(text)) response.writeHead(302, { Location: text }).end();
    else response.writeHead(200).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const dns = await startDnsServer();
  return {
    port,
    site,
    dns,
    requests,
    forgetRequests: () => {
      requests.length = 0;
    },
    lookWith: (changes, isGuarded = true) => {
      const config: ProbeConfig = {
        dns: `127.0.0.1:${dns.port}`,
        allowPrivate: [],
        ownAddresses: [],
        connectTo: [],
        roots: { everywhere: [], national: [] },
        allowedPorts: [port],
        fingerprints: [],
        ...changes,
      };
      const probe = buildProbeDependencies(config);
      const guards = isGuarded
        ? { refusalOfUrl: buildUrlGuard(config) }
        : { addressRules: { ...probe.addressRules, refusalOf: () => undefined } };
      return createLookForProof({
        probe: { ...probe, ...guards },
        resolveTxt: createTxtResolver([`127.0.0.1:${dns.port}`], PATIENCE_MS),
        wallMs: () => T0,
      });
    },
    close: async () => {
      await dns.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}
