import { expect, test } from "vitest";
import * as read from "../../../src/setup/options/network-texts.ts";
import type { Text } from "../../../src/setup/options/texts.ts";

const dns = (server: string, isTcp = false) => ({ server, isTcp });
const anchor = (url: string, network: string) => ({ url, scope: "domestic", network });

const { ANCHOR, BASE_URL, CHANGES_URL, ENGINE_URL, HEARTBEAT_URL, HOST, ORIGIN, PORT } = read;
const { PROXY, RANGE, REPORTS, RESOLVER, STORE_URL, TARGET_PORT } = read;

const LONGEST_HOST = `${"a.".repeat(126)}a`;

type Good = readonly [name: string, text: string, kind: Text<unknown>, value: unknown];
const GOOD: readonly Good[] = [
  ["PORT", "0", PORT, 0],
  ["PORT", "65535", PORT, 65_535],
  ["TARGET_PORT", "1", TARGET_PORT, 1],
  ["TARGET_PORT", "65535", TARGET_PORT, 65_535],
  ["HOST", LONGEST_HOST, HOST, LONGEST_HOST],
  ["RESOLVER", "192.0.2.1", RESOLVER, dns("192.0.2.1")],
  ["RESOLVER", "192.0.2.1:1", RESOLVER, dns("192.0.2.1:1")],
  ["RESOLVER", "192.0.2.1:65535", RESOLVER, dns("192.0.2.1:65535")],
  ["RESOLVER", "2001:db8::1", RESOLVER, dns("2001:db8::1")],
  ["RESOLVER", "[2001:db8::1]:5353", RESOLVER, dns("[2001:db8::1]:5353")],
  ["RESOLVER", "tcp://[2001:db8::1]", RESOLVER, dns("[2001:db8::1]", true)],
  ["BASE_URL", "https://a.example//", BASE_URL, "https://a.example"],
  ["BASE_URL", "http://a.example/x/", BASE_URL, "http://a.example/x"],
  ["CHANGES_URL", "https://a.example", CHANGES_URL, "https://a.example/"],
  ["HEARTBEAT_URL", "http://a.example/x?y#z", HEARTBEAT_URL, "http://a.example/x?y#z"],
  ["REPORTS", "on", REPORTS, ""],
  ["REPORTS", "off", REPORTS, null],
  ["REPORTS", "https://a.example/x/", REPORTS, "https://a.example/x"],
  ["STORE_URL", "file:///srv/site", STORE_URL, "file:///srv/site"],
  ["ENGINE_URL", "tls://a.example:4222", ENGINE_URL, "tls://a.example:4222"],
  ["ENGINE_URL", "nats://localhost", ENGINE_URL, "nats://localhost"],
  ["ENGINE_URL", "nats://127.9.9.9:4222", ENGINE_URL, "nats://127.9.9.9:4222"],
  ["ENGINE_URL", "nats://[::1]:4222", ENGINE_URL, "nats://[::1]:4222"],
  ["ANCHOR", "https://a.example", ANCHOR, anchor("https://a.example/", "a.example")],
  ["RANGE", "192.0.2.0/24", RANGE, "192.0.2.0/24"],
  ["PROXY", "192.0.2.1", PROXY, "192.0.2.1"],
  ["ORIGIN", "https://a.example:8443", ORIGIN, "https://a.example:8443"],
];

test.each(GOOD)("%s: %s is read", (_name, text, kind, value) => {
  expect(kind(text)).toEqual({ value });
});

const BAD_ENGINE =
  "write it like tls://nats.example.ru:4222, on this machine nats://127.0.0.1:4222.";
const ENGINE_SECRET = "give a password or a key as engineCredentials, not in the URL.";
const NOT_SENT = "user and password in the address are not sent. Leave them out.";
const BAD_HEARTBEAT = "give a complete address that begins with https:// or http://.";
type Bad = readonly [name: string, text: string, kind: Text<unknown>, problem: string];
const BAD: readonly Bad[] = [
  ["PORT", "65536", PORT, "give a port number up to 65535"],
  ["PORT", "000001", PORT, "give a port number up to 65535"],
  ["TARGET_PORT", "0", TARGET_PORT, "give a port number from 1 to 65535."],
  ["TARGET_PORT", "65536", TARGET_PORT, "give a port number from 1 to 65535."],
  ["HOST", `${LONGEST_HOST}.`, HOST, "give an address such as 127.0.0.1"],
  ["RESOLVER", "192.0.2.1:0", RESOLVER, "give the address of a resolver"],
  ["RESOLVER", "192.0.2.1:65536", RESOLVER, "give the address of a resolver"],
  ["RESOLVER", "[2001:db8::1]:0", RESOLVER, "give the address of a resolver"],
  ["RESOLVER", "dns.example", RESOLVER, "give the address of a resolver"],
  ["RESOLVER", "udp://192.0.2.1", RESOLVER, "give the address of a resolver"],
  ["BASE_URL", "https://me@a.example", BASE_URL, "give a URL without a user name"],
  ["BASE_URL", "https://:me@a.example", BASE_URL, "give a URL without a user name"],
  ["BASE_URL", "ftp://a.example", BASE_URL, "give a URL such as"],
  ["BASE_URL", "https://a.example/?x", BASE_URL, "give a URL such as"],
  ["BASE_URL", "https://a.example/#x", BASE_URL, "give a URL such as"],
  ["BASE_URL", "a.example", BASE_URL, "give a URL such as"],
  ["CHANGES_URL", "https://me@a.example/", CHANGES_URL, "give the address of the website"],
  ["HEARTBEAT_URL", "a.example", HEARTBEAT_URL, BAD_HEARTBEAT],
  ["HEARTBEAT_URL", "https://me:x@a.example", HEARTBEAT_URL, NOT_SENT],
  ["REPORTS", "yes", REPORTS, "give on, off, or a URL"],
  ["STORE_URL", "s3://", STORE_URL, ""],
  ["ENGINE_URL", "https://a.example", ENGINE_URL, BAD_ENGINE],
  ["ENGINE_URL", "tls://", ENGINE_URL, BAD_ENGINE],
  ["ENGINE_URL", "tls", ENGINE_URL, BAD_ENGINE],
  ["ENGINE_URL", "nats://a.example", ENGINE_URL, "to another machine only tls:// is used."],
  ["ENGINE_URL", "nats://128.0.0.1", ENGINE_URL, "to another machine only tls:// is used."],
  ["ENGINE_URL", "tls://me:x@a.example", ENGINE_URL, ENGINE_SECRET],
  ["ANCHOR", "a.example", ANCHOR, ""],
  ["RANGE", "192.0.2.0/33", RANGE, "192.0.2.0/33"],
  ["PROXY", "proxy.example", PROXY, ""],
  ["ORIGIN", "https://a.example/", ORIGIN, "write an origin such as"],
  ["ORIGIN", "a.example", ORIGIN, "write an origin such as"],
];

test.each(BAD)("%s: %s is refused", (_name, text, kind, problem) => {
  expect(kind(text)).toEqual(
    expect.objectContaining({ problem: expect.stringContaining(problem) }),
  );
});

test.each<readonly [string, string, Text<unknown>]>([
  ["BASE_URL", "https://me@a.example", BASE_URL],
  ["CHANGES_URL", "https://me@a.example", CHANGES_URL],
  ["HEARTBEAT_URL", "a.example/secret", HEARTBEAT_URL],
  ["STORE_URL", "s3://", STORE_URL],
  ["RANGE", "x", RANGE],
])("%s: a refusal leaves it to the sentence whether to repeat the text", (_name, text, kind) => {
  expect(kind(text)).toHaveProperty("isBare", true);
});
