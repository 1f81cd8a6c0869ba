import type { MonitorChange, MonitorsState } from "../model/uptime.ts";
import type { StateV4 } from "./codec-schema.ts";

type MonitorsWire = StateV4["monitors"];
type ChangeWire = NonNullable<MonitorsWire["pending"]>["changes"][number];

/** What the main state holds of monitors, as it is stored. */
export function toMonitorsWire({ clock, pending, shards }: MonitorsState): MonitorsWire {
  if (pending === null) return { clock, pending, shards };
  const changes = [...pending.changes].map(packChange);
  return { clock, pending: { ...pending, changes }, shards };
}

/** The inverse of `toMonitorsWire`. */
export function fromMonitorsWire({ clock, pending, shards }: MonitorsWire): MonitorsState {
  if (pending === null) return { clock, pending, shards };
  const changes = new Map(pending.changes.map(unpackChange));
  return { clock, pending: { ...pending, changes }, shards };
}

function packChange([id, change]: readonly [string, MonitorChange]): ChangeWire {
  return "code" in change ? [id, change.kind, change.code] : [id, change.kind];
}

function unpackChange(wire: ChangeWire): [string, MonitorChange] {
  return wire.length === 3
    ? [wire[0], { kind: wire[1], code: wire[2] }]
    : [wire[0], { kind: wire[1] }];
}
