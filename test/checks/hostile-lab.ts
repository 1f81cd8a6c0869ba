import { toProbeTarget, type CheckTarget } from "../../src/checks/target.ts";
import { judgeCheck } from "../../src/checks/verdict.ts";
import { buildUrlGuard } from "../../src/probe/config.ts";
import { createProbe } from "../../src/probe/probe.ts";
import { NEVER, openLab, rulesOf, traceOf, wordFor, type Lab } from "../probe/lab.ts";
import { RAW_KINDS, WORLD_KINDS } from "./hostile-kinds.ts";
import { startRawServer, type Act, type RawServer } from "./raw-server.ts";

/** What one check came to, and what was read for it. */
export interface Cost {
  /** `healthy`, or the code with which the check failed or was refused. */
  readonly word: string;
  readonly rawBytes: number;
  readonly bodyBytes: number;
}

/** Servers of every hostile kind, in this process, and checks of monitors against them. */
export interface HostileLab {
  readonly lab: Lab;
  readonly raw: RawServer;
  /** One check of a monitor with a guard, as the crew makes it; ports are those of the lab or of the raw server. */
  readonly check: (url: string, port: number, parts: Partial<CheckTarget>) => Promise<Cost>;
  /** One check of a server of this kind, a key of `WORLD_KINDS` or `RAW_KINDS`. */
  readonly checkKind: (name: string, timeoutMs: number) => Promise<Cost>;
  readonly close: () => Promise<unknown>;
}

/** Opens them; `others` are further hosts of the raw server. */
export async function openHostileLab(
  others: Readonly<Record<string, Act>> = {},
): Promise<HostileLab> {
  const lab = await openLab();
  const raw = await startRawServer(
    (host) => others[host] ?? RAW_KINDS[host.replace(/\.test$/u, "")]?.[0],
  );
  const check: HostileLab["check"] = async (url, port, parts) => {
    const probe = createProbe({
      ...lab.deps,
      connectTo: rulesOf([`:443:127.0.0.1:${port}`, `:80:127.0.0.1:${port}`]),
      refusalOfUrl: buildUrlGuard({ allowPrivate: [], ownAddresses: [], allowedPorts: [] }),
    });
    const target = { id: "m", url, lastState: "unknown", ...parts } as const;
    const outcome = await probe(toProbeTarget(target), 0, NEVER);
    const isHealthy = judgeCheck(outcome).kind === "healthy";
    const { rawBytes, bodyBytes } = traceOf(outcome);
    return { word: isHealthy ? "healthy" : wordFor(outcome), rawBytes, bodyBytes };
  };
  return {
    lab,
    raw,
    check,
    checkKind(name, timeoutMs) {
      const behaviour = WORLD_KINDS[name]?.[0];
      if (behaviour === undefined) return check(`http://${name}.test/`, raw.port, { timeoutMs });
      return check(`https://${lab.newHost(behaviour)}/`, lab.world.tlsPort, { timeoutMs });
    },
    close: () => Promise.all([lab.close(), raw.close()]),
  };
}
