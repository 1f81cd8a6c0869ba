import { isDeepStrictEqual } from "node:util";
import { registrableDomainOf } from "../model/registrable-domain.ts";
import {
  MAX_IN_SHARD,
  type Visitor,
  visitorEndMs,
  type VisitorShard,
} from "../model/monitor/visitor.ts";

export type VisitorEdit =
  /** Takes the place of an earlier record of the same browser. */
  | { readonly kind: "subscribe"; readonly visitor: Visitor }
  | {
      readonly kind: "services";
      readonly id: string;
      readonly tokenHash: string;
      readonly services: readonly string[];
      readonly atMs: number;
    }
  | { readonly kind: "unsubscribe"; readonly id: string; readonly tokenHash: string };

export type VisitorEditResult = "kept" | "unknown" | "limit-all" | "limit-host";

/** Services of the makers of browsers: every subscription of that browser is there. */
const MAKERS: readonly string[] = [
  "fcm.googleapis.com",
  "push.services.mozilla.com",
  "notify.windows.com",
  "push.apple.com",
];

/** In one shard, at a registrable domain that is not a maker's: 512 in all. More would let a stranger make us flood a site. */
const MAX_OF_DOMAIN = 2;

interface Applied {
  readonly shard: VisitorShard;
  readonly result: VisitorEditResult;
}

/** The same shard if nothing changes, so an edit can be tried again. Hashes have too many bits for comparing to take care. Pure. */
export function applyVisitorEdit(shard: VisitorShard, edit: VisitorEdit): Applied {
  if (edit.kind === "subscribe") return subscribe(shard, edit.visitor);
  const known = shard.get(edit.id);
  if (known === undefined || known.tokenHash !== edit.tokenHash)
    return { shard, result: "unknown" };
  const next = new Map(shard);
  if (edit.kind === "unsubscribe") {
    next.delete(edit.id);
    return { shard: next, result: "kept" };
  }
  const { services, atMs } = edit;
  const changed = { ...known, services, renewedAtMs: atMs };
  if (isDeepStrictEqual(known, changed)) return { shard, result: "kept" };
  next.set(edit.id, changed);
  return { shard: next, result: "kept" };
}

function subscribe(shard: VisitorShard, visitor: Visitor): Applied {
  const known = shard.get(visitor.id);
  if (known !== undefined && isDeepStrictEqual(asTried(known), visitor))
    return { shard, result: "kept" };
  const isFull = known === undefined && shard.size >= MAX_IN_SHARD;
  const displaced = isFull ? oldestUntried(shard) : undefined;
  if (isFull && displaced === undefined) return { shard, result: "limit-all" };
  const host = hostOf(visitor);
  const domain = registrableDomainOf(host);
  const isNeighbour = (one: Visitor): boolean =>
    one.id !== visitor.id && registrableDomainOf(hostOf(one)) === domain;
  const isMaker = MAKERS.some((maker) => host === maker || host.endsWith(`.${maker}`));
  if (!isMaker && [...shard.values()].filter(isNeighbour).length >= MAX_OF_DOMAIN)
    return { shard, result: "limit-host" };
  const isTried = known !== undefined && known.isUntried === undefined;
  const next = new Map(shard).set(visitor.id, isTried ? visitor : { ...visitor, isUntried: true });
  if (displaced !== undefined) next.delete(displaced.id);
  return { shard: next, result: "kept" };
}

/** A stranger can make up endpoints. They are erased when they are tried, and until then they keep no other from a place. */
function oldestUntried(shard: VisitorShard): Visitor | undefined {
  return [...shard.values()]
    .filter(({ isUntried }) => isUntried === true)
    .toSorted((a, b) => a.renewedAtMs - b.renewedAtMs)[0];
}

/** The shard after trials: what was taken by its service is there to stay, what is gone is erased. The same object if nothing changes. Pure. */
export function applyTrials(
  shard: VisitorShard,
  { taken, gone }: { readonly taken: ReadonlySet<string>; readonly gone: ReadonlySet<string> },
): VisitorShard {
  const isConcerned = ({ id, isUntried }: Visitor): boolean =>
    isUntried === true && (taken.has(id) || gone.has(id));
  if (![...shard.values()].some(isConcerned)) return shard;
  const kept = [...shard].filter(([id, visitor]) => !isConcerned(visitor) || !gone.has(id));
  return new Map(
    kept.map(([id, visitor]) => [id, isConcerned(visitor) ? asTried(visitor) : visitor]),
  );
}

function hostOf({ endpoint }: Visitor): string {
  return new URL(endpoint).hostname;
}

function asTried(visitor: Visitor): Visitor {
  const { isUntried: _, ...tried } = visitor;
  return tried;
}

/** The shard without browsers that were not heard of for a year; the same object if there are none. Pure. */
export function withoutExpired(shard: VisitorShard, nowMs: number): VisitorShard {
  const kept = [...shard].filter(([, visitor]) => visitorEndMs(visitor) > nowMs);
  return kept.length === shard.size ? shard : new Map(kept);
}
