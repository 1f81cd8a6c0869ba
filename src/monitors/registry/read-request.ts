import type { Monitor } from "../../model/monitor/monitor.ts";
import { checkShape } from "../../yaml/check-shape.ts";
import type { Finding } from "../../yaml/problem.ts";
import { readJsonLine } from "./json-lines.ts";
import { monitorSchema, type MonitorRules, toWritten } from "./registry-schema.ts";

/** A setting that is not allowed. */
export interface RequestFault {
  /** JSON Pointer (RFC 6901). */
  readonly pointer: string;
  readonly message: string;
}

export type MonitorRequest =
  | { readonly kind: "monitor"; readonly monitor: Monitor }
  /** Not one JSON object. */
  | { readonly kind: "malformed"; readonly message: string }
  | { readonly kind: "invalid"; readonly faults: readonly RequestFault[] };

/** The monitor that a JSON object describes by the rules of the registry, under an id of ours. Never throws. */
export function readNewMonitor(text: string, id: string, rules: MonitorRules): MonitorRequest {
  return readEntry(text, rules, (written) => ({ ...written, id }));
}

/**
 * A monitor after a JSON merge patch (RFC 7396): null brings back the default. A name that was only the default follows the URL. Never
 * throws.
 */
export function readMonitorPatch(
  text: string,
  monitor: Monitor,
  rules: MonitorRules,
): MonitorRequest {
  return readEntry(text, rules, (written) => {
    const merged = { ...toWritten(monitor), ...written };
    return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null));
  });
}

function readEntry(
  text: string,
  rules: MonitorRules,
  complete: (written: object) => object,
): MonitorRequest {
  const read = readJsonLine(text, 0);
  if (read.kind === "broken") return { kind: "malformed", message: read.finding.message };
  const written = read.root.value;
  if (typeof written !== "object" || written === null)
    return { kind: "malformed", message: "not a JSON object" };
  const found = "id" in written ? [...read.findings, GIVEN_ID] : read.findings;
  if (found.length > 0) return { kind: "invalid", faults: found.map(toFault) };
  const completed = readJsonLine(JSON.stringify(complete(written)), 0);
  if (completed.kind === "broken") return { kind: "malformed", message: completed.finding.message };
  const shaped = checkShape(completed.root, monitorSchema(rules));
  return shaped.kind === "ok"
    ? { kind: "monitor", monitor: shaped.value }
    : { kind: "invalid", faults: shaped.findings.map(toFault) };
}

const GIVEN_ID: Finding = { offset: 0, path: ["id"], message: "an id is given by the server." };

/** Where a fault is, as a JSON Pointer. */
export function toFault({ path, message }: Finding): RequestFault {
  const steps = path.map((step) => String(step).replaceAll("~", "~0").replaceAll("/", "~1"));
  return { pointer: steps.map((step) => `/${step}`).join(""), message };
}
