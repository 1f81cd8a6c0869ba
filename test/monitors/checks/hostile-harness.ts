import { toProbeTarget, type CheckTarget } from "../../../src/monitors/checks/check-target.ts";
import { classifyCheck } from "../../../src/monitors/checks/host-queues.ts";
import { buildUrlGuard } from "../../../src/probe/probe-config.ts";
import { createProbe } from "../../../src/probe/probe.ts";
import {
  NEVER,
  openHarness,
  rulesOf,
  traceOf,
  wordFor,
  type Harness,
} from "../../probe/harness.ts";
import { RAW_KINDS, INTERNET_KINDS } from "./hostile-kinds.ts";
import { startRawServer, type Act, type RawServer } from "./raw-server.ts";

/** The result of one check, and the number of bytes read. */
export interface Cost {
  /** `healthy`, or the code with which the check failed or was refused. */
  readonly word: string;
  readonly rawBytes: number;
  readonly bodyBytes: number;
}

/** Servers of every hostile kind, in this process, and checks of monitors against them. */
export interface HostileHarness {
  readonly harness: Harness;
  readonly raw: RawServer;
  /** One check of a monitor with a guard, as the pool makes it; ports are those of the simulated internet or of the raw server. */
  readonly check: (url: string, port: number, parts: Partial<CheckTarget>) => Promise<Cost>;
  /** One check of a server of this kind, a key of `INTERNET_KINDS` or `RAW_KINDS`. */
  readonly checkKind: (name: string, timeoutMs: number) => Promise<Cost>;
  readonly close: () => Promise<unknown>;
}

/** Opens them; `others` are further hosts of the raw server. */
export async function openHostileHarness(
  others: Readonly<Record<string, Act>> = {},
): Promise<HostileHarness> {
  const harness = await openHarness();
  const raw = await startRawServer(
    (host) => others[host] ?? RAW_KINDS[host.replace(/\.test$/u, "")]?.[0],
  );
  const check: HostileHarness["check"] = async (url, port, parts) => {
    const probe = createProbe({
      ...harness.deps,
      connectTo: rulesOf([`:443:127.0.0.1:${port}`, `:80:127.0.0.1:${port}`]),
      refusalOfUrl: buildUrlGuard({ allowPrivate: [], ownAddresses: [], allowedPorts: [] }),
    });
    const target = { id: "m", url, lastState: "unknown", ...parts } as const;
    const outcome = await probe(toProbeTarget(target), 0, NEVER);
    const isHealthy = classifyCheck(outcome).kind === "healthy";
    const { rawBytes, bodyBytes } = traceOf(outcome);
    return { word: isHealthy ? "healthy" : wordFor(outcome), rawBytes, bodyBytes };
  };
  return {
    harness,
    raw,
    check,
    checkKind(name, timeoutMs) {
      const behaviour = INTERNET_KINDS[name]?.[0];
      if (behaviour === undefined) return check(`http://${name}.test/`, raw.port, { timeoutMs });
      return check(`https://${harness.newHost(behaviour)}/`, harness.internet.tlsPort, {
        timeoutMs,
      });
    },
    close: () => Promise.all([harness.close(), raw.close()]),
  };
}
