import { Counter, Gauge, type Registry } from "prom-client";
import { CONNECTION_CUTS, type ConnectionObserver } from "../../model/connections.ts";
import { reasonOf, type RefusalReason } from "./responses.ts";

/** Registers the metrics of an intake's connections. The observer never throws. */
export function observeConnections(
  registry: Registry,
  countRefused: (reason: RefusalReason) => void,
): ConnectionObserver {
  const registers = [registry];
  const cut = new Counter({
    name: "status_snapshot_intake_cut_connections_total",
    help: "Connections closed early, by reason.",
    labelNames: ["reason"],
    registers,
  });
  for (const reason of CONNECTION_CUTS) cut.inc({ reason }, 0);
  const open = new Gauge({
    name: "status_snapshot_intake_connections",
    help: "Connections that are open.",
    registers,
  });
  const limit = new Gauge({
    name: "status_snapshot_intake_connections_limit",
    help: "Connections that may be open.",
    registers,
  });
  return {
    onOpen: (connections, most) => {
      open.set(connections);
      limit.set(most);
    },
    onCut: (reason) => cut.inc({ reason }),
    onFault: (fault) => {
      const reason = reasonOf(fault);
      if (reason !== undefined) countRefused(reason);
    },
  };
}
