import { parentPort, workerData } from "node:worker_threads";
import type { ProofQuery } from "../model/monitor/owned-monitor.ts";
import { SECOND_MS } from "../model/time.ts";
import { createLookForProof } from "../monitors/proof/look-for-proof.ts";
import { createTxtResolver } from "../probe/network/dns.ts";
import { buildProbeDependencies, buildUrlGuard, type ProbeConfig } from "../probe/probe-config.ts";
import { answerCalls } from "./thread-calls.ts";

const TXT_MS = 3 * SECOND_MS;

// `createLooker` passes a `ProbeConfig`.
const config: ProbeConfig = workerData;
const { dns } = config;
const look = createLookForProof({
  probe: { ...buildProbeDependencies(config), refusalOfUrl: buildUrlGuard(config) },
  resolveTxt: createTxtResolver(dns === undefined ? [] : [dns], TXT_MS),
  wallMs: () => Date.now(),
});
if (parentPort !== null)
  // Its calls are those of `createLooker`.
  answerCalls(parentPort, (query) => look(query as ProofQuery));
