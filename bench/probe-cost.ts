import { setMaxListeners } from "node:events";
import { readFile } from "node:fs/promises";
import { createSecureContext, type SecureContext } from "node:tls";
import { sumOf } from "../src/model/lists.ts";
import { createGuard } from "../src/probe/network/address-guard.ts";
import { parseConnectTo } from "../src/probe/network/connect-to.ts";
import { createResolver } from "../src/probe/network/dns.ts";
import { BLOCKPAGES_FILE, compileFingerprints } from "../src/probe/answer/fingerprints.ts";
import { SERVICE_LIMITS } from "../src/probe/limits.ts";
import { createPool } from "../src/probe/pool.ts";
import { createProbe } from "../src/probe/probe.ts";
import { getBarely } from "./bare-client.ts";

/*
 * A bundled program that measures the CPU time of a probe: `probe-cost.ts CLIENT,… ROUNDS PROBES,… CONNECT-TO-FILE PORT HOST…`. A
 * client is `ours` or `bare`; the rounds of both alternate, so that other load on the machine affects both. The parts of a round
 * follow one another. Prints the milliseconds of CPU per exchange, by client and round, without a warm-up.
 */

const CONCURRENCY = 64;
const PER_HOST = 2;

/** One exchange with a host. */
type Exchange = (host: string) => Promise<void>;

async function measureRound(
  exchange: Exchange,
  hosts: readonly string[],
  parts: readonly number[],
): Promise<number> {
  const pool = createPool({ concurrency: CONCURRENCY, perHost: PER_HOST });
  const before = process.cpuUsage();
  for (const length of parts)
    await Promise.all(
      Array.from({ length }, (_, index) => {
        const host = hosts[index % hosts.length] ?? "";
        return pool(host, () => exchange(host));
      }),
    );
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / sumOf(parts);
}

async function buildProbe(connectToFile: string, context: SecureContext) {
  const rules = parseConnectTo((await readFile(connectToFile, "utf8")).split("\n"));
  if (rules.kind !== "ok") throw new Error("the rules of --connect-to cannot be read");
  const fingerprints = compileFingerprints(JSON.parse(await readFile(BLOCKPAGES_FILE, "utf8")));
  return createProbe({
    resolve: createResolver([], SERVICE_LIMITS.dnsMs),
    addressRules: {
      refusalOf: createGuard([]),
      stubOf: (address) => fingerprints.addresses.get(address),
    },
    connectTo: rules.rules,
    fingerprints,
    roots: {
      contexts: { public: context, national: context },
      canJudgeNational: false,
      extend: () => context,
    },
    limits: SERVICE_LIMITS,
  });
}

function exchangeWith(probe: Awaited<ReturnType<typeof buildProbe>>): Exchange {
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  return async (host) => {
    const outcome = await probe({ url: `https://${host}/`, trust: "public" }, 0, signal);
    // A failing probe costs less, so it would distort the result.
    if (outcome.kind !== "ok") throw new Error(`${host}: ${JSON.stringify(outcome)}`);
  };
}

async function main(args: readonly string[]): Promise<void> {
  const [order = "", rounds, probes = "", file = "", port, ...hosts] = args;
  const parts = probes.split(",").map(Number);
  const context = createSecureContext();
  const exchanges: Readonly<Record<string, Exchange>> = {
    ours: exchangeWith(await buildProbe(file, context)),
    bare: (host) => getBarely(host, Number(port), context, SERVICE_LIMITS.bodyBytes),
  };
  const costs: Readonly<Record<string, number[]>> = { ours: [], bare: [] };
  for (let round = 0; round < Number(rounds); round += 1) {
    for (const client of order.split(",")) {
      const exchange = exchanges[client];
      if (exchange === undefined) throw new Error(`There is no client ${client}.`);
      costs[client]?.push(await measureRound(exchange, hosts, parts));
    }
  }
  const { maxRSS } = process.resourceUsage();
  process.stdout.write(`${JSON.stringify({ ...costs, peakKib: maxRSS })}\n`);
}

await main(process.argv.slice(2));
