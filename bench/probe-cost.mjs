import { setMaxListeners } from "node:events";
import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { getBarely } from "./bare-client.mjs";

/*
 * A process of its own that measures the CPU time of a probe: `probe-cost.mjs CLIENT,… ROUNDS PROBES CONNECT-TO-FILE PORT HOST…`.
 * A client is `ours` or `bare`. Named together, their rounds alternate, so that whatever else the machine does meets both.
 * Prints, by client, the milliseconds of CPU per exchange, round by round; nothing was done before the first.
 *
 * In JavaScript and on `dist`, because what runs TypeScript directly costs CPU time of its own.
 */

const CONCURRENCY = 64;
const PER_HOST = 2;

const load = (file) => import(new URL(`../dist/probe/${file}.js`, import.meta.url).href);
const { createGuard } = await load("address-guard");
const { parseConnectTo } = await load("connect-to");
const { createResolver } = await load("dns");
const { BLOCKPAGES_FILE, compileFingerprints, matchStubAddress } = await load("fingerprints");
const { SERVICE_LIMITS } = await load("limits");
const { createPool } = await load("pool");
const { createProbe } = await load("probe");

async function measureRound(exchange, hosts, probes) {
  const pool = createPool({ concurrency: CONCURRENCY, perHost: PER_HOST });
  const before = process.cpuUsage();
  await Promise.all(
    Array.from({ length: probes }, (_, index) => {
      const host = hosts[index % hosts.length];
      return pool(host, () => exchange(host));
    }),
  );
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / probes;
}

async function buildProbe(connectToFile, context) {
  const rules = parseConnectTo((await readFile(connectToFile, "utf8")).split("\n"));
  if (rules.kind !== "ok") throw new Error("the rules of --connect-to cannot be read");
  const fingerprints = compileFingerprints(JSON.parse(await readFile(BLOCKPAGES_FILE, "utf8")));
  return createProbe({
    resolve: createResolver([], SERVICE_LIMITS.dnsMs),
    addressRules: {
      refusalOf: createGuard([]),
      stubOf: (address) => matchStubAddress(fingerprints, address),
    },
    connectTo: rules.rules,
    fingerprints,
    roots: { contexts: { public: context, national: context }, canJudgeNational: false },
    limits: SERVICE_LIMITS,
  });
}

function exchangeWith(probe) {
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  return async (host) => {
    const outcome = await probe({ url: `https://${host}/`, trust: "public" }, 0, signal);
    // A failing probe costs less: it must not pass for a cheap one.
    if (outcome.kind !== "ok") throw new Error(`${host}: ${JSON.stringify(outcome)}`);
  };
}

async function main([order, rounds, probes, file, port, ...hosts]) {
  const context = createSecureContext();
  const exchanges = {
    ours: exchangeWith(await buildProbe(file, context)),
    bare: (host) => getBarely(host, Number(port), context, SERVICE_LIMITS.bodyBytes),
  };
  const costs = { ours: [], bare: [] };
  for (let round = 0; round < Number(rounds); round += 1) {
    for (const client of order.split(",")) {
      costs[client].push(await measureRound(exchanges[client], hosts, Number(probes)));
    }
  }
  process.stdout.write(`${JSON.stringify(costs)}\n`);
}

await main(process.argv.slice(2));
