import type { MonitorChange, MonitorsState } from "../../model/monitor/uptime.ts";
import type { MonitorsWire } from "./schema.ts";

type ChangeWire = NonNullable<MonitorsWire["pending"]>["changes"][number];

/** The monitors of the main state, as they are stored. */
export function toMonitorsWire({ pending, ...others }: MonitorsState): MonitorsWire {
  if (pending === null) return { ...others, pending };
  const changes = [...pending.changes].map(packChange);
  return { ...others, pending: { ...pending, changes } };
}

/** The inverse of `toMonitorsWire`. */
export function fromMonitorsWire({ pending, ...others }: MonitorsWire): MonitorsState {
  if (pending === null) return { ...others, pending };
  const changes = new Map(pending.changes.map(unpackChange));
  return { ...others, pending: { ...pending, changes } };
}

function packChange([id, change]: readonly [string, MonitorChange]): ChangeWire {
  if ("code" in change) return [id, change.kind, change.code];
  if (change.kind !== "healthy") return [id, change.kind];
  const { kind, totalMs, warning } = change;
  if (warning !== undefined) return [id, kind, totalMs ?? null, warning];
  return totalMs === undefined ? [id, kind] : [id, kind, totalMs];
}

function unpackChange(wire: ChangeWire): [string, MonitorChange] {
  if (wire.length === 2) return [wire[0], { kind: wire[1] }];
  if (wire[1] !== "healthy") return [wire[0], { kind: wire[1], code: wire[2] }];
  const [id, kind, totalMs, warning] = wire;
  return [
    id,
    {
      kind,
      ...(totalMs === null ? {} : { totalMs }),
      ...(warning === undefined ? {} : { warning }),
    },
  ];
}
