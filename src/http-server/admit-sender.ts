import type { BlockList } from "node:net";
import { clientAddressOf } from "./client-address.ts";
import type { NetworkKey, ToNetworkKey } from "./network-key.ts";
import type { RateLimiter } from "./rate-limit.ts";

/** What an application knows beside a request: Node's adapter passes `incoming`, a cloud function `remoteAddress`. */
export interface RequestEnv {
  Bindings: {
    readonly incoming?: { readonly socket?: { readonly remoteAddress?: string | undefined } };
    /** The client's address where the platform passes no socket. */
    readonly remoteAddress?: string;
  };
}

/** How the network of a sender is found, and how often it may ask. */
export interface SenderRules<Key extends NetworkKey = NetworkKey> {
  readonly proxies: BlockList;
  readonly toNetworkKey: ToNetworkKey<Key>;
  /** Of all requests of a network. */
  readonly limitRate: RateLimiter;
}

/** A request as hono passes it on. Despite the type of hono, `env` is undefined if an application is called with a `Request` alone. */
interface Asked {
  readonly req: { readonly raw: Request };
  readonly env: RequestEnv["Bindings"] | undefined;
}

/** Why a sender is not heard. */
export type SenderRefusal =
  | { readonly reason: "no-address" }
  | { readonly reason: "flood"; readonly retryAfterMs: number };

/** The network keys of the sender, unless its address is unknown or its network exceeds its rate. The address itself is not kept. */
export function admitSender<Key extends NetworkKey>(
  { req, env }: Asked,
  nowMs: number,
  { proxies, toNetworkKey, limitRate }: SenderRules<Key>,
): Key | SenderRefusal {
  const socketAddress = env?.remoteAddress ?? env?.incoming?.socket?.remoteAddress;
  const forwardedFor = req.raw.headers.get("X-Forwarded-For") ?? undefined;
  const address = clientAddressOf(socketAddress, forwardedFor, proxies);
  if (address === undefined) return { reason: "no-address" };
  const key = toNetworkKey(address, nowMs);
  const retryAfterMs = limitRate(key.network, nowMs);
  return retryAfterMs === undefined ? key : { reason: "flood", retryAfterMs };
}
