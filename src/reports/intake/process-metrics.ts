import { collectDefaultMetrics, Registry } from "prom-client";

let registry: Registry | undefined;

/**
 * Figures of this process and its event loop (`process_*`, `nodejs_*`). There is one registry for the process, because prom-client
 * cannot end its collectors: one for each intake would leave a timer and an observer behind when that intake closes. Neither keeps
 * the process alive.
 */
export function processMetrics(): Registry {
  if (registry === undefined) {
    registry = new Registry();
    collectDefaultMetrics({ register: registry });
  }
  return registry;
}
