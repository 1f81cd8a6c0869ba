import {
  CONNECTION_CUTS,
  type ConnectionCut,
  type ConnectionObserver,
} from "../model/connections.ts";
import { reasonOf, type RefusalReason } from "./answers.ts";
import { add, counter, gauge } from "./families.ts";
import type { Family } from "../model/prometheus.ts";

/** What is counted of the connections of an intake. */
export interface ConnectionMetrics {
  readonly observer: ConnectionObserver;
  readonly families: () => readonly Family[];
}

/** Never throws. */
export function createConnectionMetrics(
  countRefused: (reason: RefusalReason) => void,
): ConnectionMetrics {
  const cut = new Map<ConnectionCut, number>(CONNECTION_CUTS.map((reason) => [reason, 0]));
  let open = 0;
  let limit = 0;
  return {
    observer: {
      onOpen: (connections, most) => {
        open = connections;
        limit = most;
      },
      onCut: (reason) => add(cut, reason, 1),
      onFault: (fault) => {
        const reason = reasonOf(fault);
        if (reason !== undefined) countRefused(reason);
      },
    },
    families: () => [
      counter("cut_connections_total", "Connections closed early, by reason.", "reason", cut),
      gauge("connections", "Connections that are open.", open),
      gauge("connections_limit", "Connections that may be open.", limit),
    ],
  };
}
