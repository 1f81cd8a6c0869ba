import type { MonitorChange, MonitorsState } from "../model/uptime.ts";
import type { StateV4 } from "./codec-schema.ts";

type MonitorsWire = StateV4["monitors"];
type ChangeWire = NonNullable<MonitorsWire["pending"]>["changes"][number];

/** What the main state holds of monitors, as it is stored. */
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
  return "code" in change ? [id, change.kind, change.code] : [id, change.kind];
}

function unpackChange(wire: ChangeWire): [string, MonitorChange] {
  return wire.length === 3
    ? [wire[0], { kind: wire[1], code: wire[2] }]
    : [wire[0], { kind: wire[1] }];
}
