import { expect, test } from "vitest";
import { checkResolver } from "../../src/doctor/checks.ts";
import type { Resolve } from "../../src/probe/network/dns.ts";
import { catalogueOf } from "../model/samples.ts";

test.each([
  [
    ["https://77.88.8.8/dns-query", "https://[2a02:6b8::1]/", "https://vk.com/robots.txt"],
    "vk.com",
  ],
  [["https://77.88.8.8/dns-query"], "ya.ru"],
])(
  "the resolver is queried for a name even if the first anchor is an address",
  async (anchors, host) => {
    const asked: string[] = [];
    const resolve: Resolve = (name) => {
      asked.push(name);
      return Promise.resolve(
        name === host
          ? { kind: "records", records: ["192.0.2.1"] }
          : { kind: "failed", code: "dns-nxdomain" },
      );
    };
    const [works, honest] = await checkResolver(catalogueOf([], anchors), resolve);
    expect(asked[0]).toBe(host);
    expect([works?.result, honest?.result]).toEqual(["ok", "ok"]);
  },
);
