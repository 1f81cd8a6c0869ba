import { BlockList } from "node:net";
import { expect, test } from "vitest";
import { admitSender } from "../../src/http-server/admit-sender.ts";
import { createNetworkKeys } from "../../src/http-server/network-key.ts";
import { SECRET } from "../reports/intake/harness.ts";

const proxies = new BlockList();
proxies.addAddress("127.0.0.1");
const toNetworkKey = createNetworkKeys(SECRET);

function admit(address: string | undefined, waitMs?: number, forwarded?: string) {
  const headers = forwarded === undefined ? {} : { "X-Forwarded-For": forwarded };
  const raw = new Request("http://status.example/", { headers });
  const env = address === undefined ? undefined : { remoteAddress: address };
  return admitSender({ req: { raw }, env }, 0, { proxies, toNetworkKey, limitRate: () => waitMs });
}

test("a sender is known by its network, behind a proxy by the client's", () => {
  const direct = admit("192.0.2.7");
  expect(direct).toHaveProperty("network");
  expect(admit("127.0.0.1", undefined, "192.0.2.9")).toEqual(direct);
  expect(admit("198.51.100.1", undefined, "192.0.2.9")).not.toEqual(direct);
});

test("a sender without an address, or of a network that floods, is not heard", () => {
  expect(admit(undefined)).toEqual({ reason: "no-address" });
  expect(admit("nonsense")).toEqual({ reason: "no-address" });
  expect(admit("192.0.2.7", 1_500)).toEqual({ reason: "flood", retryAfterMs: 1_500 });
});

test("a sender is known by the address of its socket, unless the platform says another", () => {
  const raw = new Request("http://status.example/");
  const rules = { proxies, toNetworkKey, limitRate: () => undefined };
  const incoming = { socket: { remoteAddress: "192.0.2.7" } };
  const ask = (env: object) => admitSender({ req: { raw }, env }, 0, rules);
  expect(ask({ incoming })).toEqual(admit("192.0.2.1"));
  expect(ask({ incoming, remoteAddress: "198.51.100.1" })).toEqual(admit("198.51.100.1"));
  for (const env of [{}, { incoming: {} }, { incoming: { socket: {} } }])
    expect(ask(env)).toEqual({ reason: "no-address" });
});

test("the rate is that of the network now, and its key that of today", () => {
  const raw = new Request("http://status.example/");
  const asked: unknown[] = [];
  const limitRate = (...of: unknown[]) => void asked.push(of);
  const nowMs = 20_000 * 86_400_000;
  const env = { remoteAddress: "192.0.2.7" };
  const key = admitSender({ req: { raw }, env }, nowMs, { proxies, toNetworkKey, limitRate });
  expect(asked).toEqual([["network" in key ? key.network : "", nowMs]]);
  expect(key).not.toEqual(admit("192.0.2.7"));
});
